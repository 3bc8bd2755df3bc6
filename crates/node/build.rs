//! Tells the linker how a Node-API module is built.

fn main() {
    napi_build::setup();
}
