//! JS values, read and made by Node-API itself: a key of three parts is a dozen calls, and on the
//! way of a point read each counts.

use std::ffi::c_char;
use std::ptr;

use napi::bindgen_prelude::{FromNapiValue, Status, ToNapiValue, TypeName, ValidateNapiValue};
use napi::{Error, Result, ValueType, sys};

/// A JS value within the current call.
pub(crate) type Value = sys::napi_value;

/// What [`Js::kind`] tells apart.
pub(crate) enum Kind {
    Undefined,
    Null,
    Boolean,
    Number,
    String,
    BigInt,
    Object,
    Other,
}

/// The environment of the current call, on the JS thread.
#[derive(Clone, Copy)]
pub(crate) struct Js(sys::napi_env);

impl Js {
    /// `env` must be that of the current call.
    pub(crate) fn new(env: napi::Env) -> Self {
        Self(env.raw())
    }

    pub(crate) fn kind(self, value: Value) -> Result<Kind> {
        let mut kind = 0;
        // SAFETY: `value` belongs to the current call of `self.0`; the out pointer is a local.
        check(unsafe { sys::napi_typeof(self.0, value, &mut kind) })?;
        Ok(match kind {
            sys::ValueType::napi_undefined => Kind::Undefined,
            sys::ValueType::napi_null => Kind::Null,
            sys::ValueType::napi_boolean => Kind::Boolean,
            sys::ValueType::napi_number => Kind::Number,
            sys::ValueType::napi_string => Kind::String,
            sys::ValueType::napi_bigint => Kind::BigInt,
            sys::ValueType::napi_object => Kind::Object,
            _ => Kind::Other,
        })
    }

    /// The length of an array; `None` for anything else, a proxy of an array included.
    pub(crate) fn array_len(self, value: Value) -> Result<Option<u32>> {
        let mut is_array = false;
        let mut len = 0;
        // SAFETY: as in `kind`.
        unsafe {
            check(sys::napi_is_array(self.0, value, &mut is_array))?;
            if !is_array {
                return Ok(None);
            }
            check(sys::napi_get_array_length(self.0, value, &mut len))?;
        }
        Ok(Some(len))
    }

    /// May run a getter of the caller's.
    pub(crate) fn element(self, array: Value, index: u32) -> Result<Value> {
        let mut value = ptr::null_mut();
        // SAFETY: as in `kind`.
        check(unsafe { sys::napi_get_element(self.0, array, index, &mut value) })?;
        Ok(value)
    }

    pub(crate) fn boolean(self, value: Value) -> Result<bool> {
        let mut boolean = false;
        // SAFETY: as in `kind`.
        check(unsafe { sys::napi_get_value_bool(self.0, value, &mut boolean) })?;
        Ok(boolean)
    }

    pub(crate) fn number(self, value: Value) -> Result<f64> {
        let mut number = 0.0;
        // SAFETY: as in `kind`.
        check(unsafe { sys::napi_get_value_double(self.0, value, &mut number) })?;
        Ok(number)
    }

    /// A bigint's sign and its 64-bit words, least significant first.
    pub(crate) fn bigint(self, value: Value) -> Result<(bool, Vec<u64>)> {
        let mut sign = 0;
        let mut count = 0;
        // SAFETY: as in `kind`; the second call writes at most `count` words.
        unsafe {
            let no_words = ptr::null_mut();
            let no_sign = ptr::null_mut();
            check(sys::napi_get_value_bigint_words(
                self.0, value, no_sign, &mut count, no_words,
            ))?;
            let mut words = vec![0; count];
            let out = words.as_mut_ptr();
            check(sys::napi_get_value_bigint_words(
                self.0, value, &mut sign, &mut count, out,
            ))?;
            words.truncate(count);
            Ok((sign != 0, words))
        }
    }

    /// A string's UTF-8; `None` if it has lone surrogates.
    pub(crate) fn text(self, value: Value) -> Result<Option<String>> {
        // SAFETY: this is `napi_get_value_string_utf8` with its bounds as documented.
        let bytes = self.string(value, |env, value, out, capacity, len| unsafe {
            sys::napi_get_value_string_utf8(env, value, out, capacity, len)
        })?;
        // A lone surrogate becomes U+FFFD on some runtimes and nothing on others.
        let Ok(text) = String::from_utf8(bytes) else {
            return Ok(None);
        };
        let is_whole = self.utf16_len(value)? == text.encode_utf16().count();
        match is_whole && (!text.contains('\u{fffd}') || self.is_well_formed(value)?) {
            true => Ok(Some(text)),
            false => Ok(None),
        }
    }

    /// A string made by [`Js::new_latin1`], as the bytes that it was made of.
    pub(crate) fn latin1(self, value: Value) -> Result<Vec<u8>> {
        // SAFETY: this is `napi_get_value_string_latin1` with its bounds as documented.
        self.string(value, |env, value, out, capacity, len| unsafe {
            sys::napi_get_value_string_latin1(env, value, out, capacity, len)
        })
    }

    /// Reads a string by `get`, which writes at most `capacity` bytes, the last of them a zero.
    fn string(
        self,
        value: Value,
        get: impl Fn(sys::napi_env, Value, *mut c_char, usize, *mut usize) -> sys::napi_status,
    ) -> Result<Vec<u8>> {
        let mut short = [0u8; 128];
        let mut len = 0;
        check(get(
            self.0,
            value,
            short.as_mut_ptr().cast(),
            short.len(),
            &mut len,
        ))?;
        // Within four bytes of the end the string may have been cut before a whole character.
        if len + 4 < short.len() {
            return Ok(short[..len].to_vec());
        }
        check(get(self.0, value, ptr::null_mut(), 0, &mut len))?;
        let mut long = vec![0u8; len + 1];
        check(get(
            self.0,
            value,
            long.as_mut_ptr().cast(),
            long.len(),
            &mut len,
        ))?;
        long.truncate(len);
        Ok(long)
    }

    fn utf16_len(self, value: Value) -> Result<usize> {
        let mut len = 0;
        // SAFETY: as in `kind`.
        check(unsafe {
            sys::napi_get_value_string_utf16(self.0, value, ptr::null_mut(), 0, &mut len)
        })?;
        Ok(len)
    }

    fn is_well_formed(self, value: Value) -> Result<bool> {
        let mut len = 0;
        let mut units = vec![0u16; self.utf16_len(value)? + 1];
        let out = units.as_mut_ptr();
        // SAFETY: as in `kind`; at most `units.len()` units are written.
        check(unsafe {
            sys::napi_get_value_string_utf16(self.0, value, out, units.len(), &mut len)
        })?;
        units.truncate(len);
        Ok(char::decode_utf16(units).all(|unit| unit.is_ok()))
    }

    /// A copy of the bytes of a typed array or DataView; `None` for anything else, and for views
    /// of shared memory.
    pub(crate) fn view(self, value: Value) -> Result<Option<Vec<u8>>> {
        let (mut is_typed_array, mut is_data_view, mut owned) = (false, false, false);
        let mut data = ptr::null_mut();
        let mut buffer = ptr::null_mut();
        let (mut len, mut offset, mut of) = (0, 0, -1);
        // SAFETY: as in `kind`. The bytes are copied before any JS can run.
        unsafe {
            check(sys::napi_is_typedarray(self.0, value, &mut is_typed_array))?;
            if is_typed_array {
                check(sys::napi_get_typedarray_info(
                    self.0,
                    value,
                    &mut of,
                    &mut len,
                    &mut data,
                    &mut buffer,
                    &mut offset,
                ))?;
                let Some(bytes) = element_bytes(of) else {
                    return Ok(None);
                };
                len *= bytes;
            } else {
                check(sys::napi_is_dataview(self.0, value, &mut is_data_view))?;
                if !is_data_view {
                    return Ok(None);
                }
                check(sys::napi_get_dataview_info(
                    self.0,
                    value,
                    &mut len,
                    &mut data,
                    &mut buffer,
                    &mut offset,
                ))?;
            }
            check(sys::napi_is_arraybuffer(self.0, buffer, &mut owned))?;
            if !owned {
                return Ok(None);
            }
            if len == 0 || data.is_null() {
                return Ok(Some(Vec::new()));
            }
            Ok(Some(
                std::slice::from_raw_parts(data.cast::<u8>(), len).to_vec(),
            ))
        }
    }

    pub(crate) fn new_array(self, len: usize) -> Result<Value> {
        let mut array = ptr::null_mut();
        // SAFETY: as in `kind`.
        check(unsafe { sys::napi_create_array_with_length(self.0, len, &mut array) })?;
        Ok(array)
    }

    pub(crate) fn set_element(self, array: Value, index: usize, value: Value) -> Result<()> {
        let index = u32::try_from(index).map_err(|_| Error::from_status(Status::InvalidArg))?;
        // SAFETY: as in `kind`.
        check(unsafe { sys::napi_set_element(self.0, array, index, value) })
    }

    /// An array of these values.
    pub(crate) fn array_of(self, values: &[Value]) -> Result<Value> {
        let array = self.new_array(values.len())?;
        for (index, value) in values.iter().enumerate() {
            self.set_element(array, index, *value)?;
        }
        Ok(array)
    }

    pub(crate) fn new_text(self, text: &str) -> Result<Value> {
        self.make(text)
    }

    /// A string with one UTF-16 unit per byte: a cheap, opaque form of bytes.
    pub(crate) fn new_latin1(self, bytes: &[u8]) -> Result<Value> {
        let mut string = ptr::null_mut();
        let len =
            isize::try_from(bytes.len()).map_err(|_| Error::from_status(Status::InvalidArg))?;
        // SAFETY: as in `kind`; `bytes` has `len` bytes.
        check(unsafe {
            sys::napi_create_string_latin1(self.0, bytes.as_ptr().cast(), len, &mut string)
        })?;
        Ok(string)
    }

    pub(crate) fn new_bigint(self, negative: bool, words: &[u64]) -> Result<Value> {
        let mut bigint = ptr::null_mut();
        let sign = i32::from(negative);
        // SAFETY: as in `kind`; `words` has that many words.
        check(unsafe {
            sys::napi_create_bigint_words(self.0, sign, words.len(), words.as_ptr(), &mut bigint)
        })?;
        Ok(bigint)
    }

    /// A Uint8Array with a buffer of its own.
    pub(crate) fn new_bytes(self, bytes: &[u8]) -> Result<Value> {
        let (mut data, mut buffer, mut view) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        // SAFETY: as in `kind`; the new buffer has room for `bytes`.
        unsafe {
            check(sys::napi_create_arraybuffer(
                self.0,
                bytes.len(),
                &mut data,
                &mut buffer,
            ))?;
            if !bytes.is_empty() {
                ptr::copy_nonoverlapping(bytes.as_ptr(), data.cast(), bytes.len());
            }
            let of = sys::TypedarrayType::uint8_array;
            check(sys::napi_create_typedarray(
                self.0,
                of,
                bytes.len(),
                buffer,
                0,
                &mut view,
            ))?;
        }
        Ok(view)
    }

    pub(crate) fn new_object(self) -> Result<Value> {
        let mut object = ptr::null_mut();
        // SAFETY: as in `kind`.
        check(unsafe { sys::napi_create_object(self.0, &mut object) })?;
        Ok(object)
    }

    pub(crate) fn set_property(self, object: Value, name: &str, value: Value) -> Result<()> {
        let name = self.new_text(name)?;
        // SAFETY: as in `kind`.
        check(unsafe { sys::napi_set_property(self.0, object, name, value) })
    }

    /// Anything that napi knows how to convert.
    pub(crate) fn make(self, value: impl ToNapiValue) -> Result<Value> {
        // SAFETY: `self.0` is the environment of the current call.
        unsafe { ToNapiValue::to_napi_value(self.0, value) }
    }

    pub(crate) fn throw(self, error: Value) -> Result<()> {
        // SAFETY: as in `kind`.
        check(unsafe { sys::napi_throw(self.0, error) })
    }
}

/// `None` for a type that this build has not heard of.
fn element_bytes(of: sys::napi_typedarray_type) -> Option<usize> {
    /// Newer than the version of Node-API that the binding is built for.
    const FLOAT16_ARRAY: sys::napi_typedarray_type = 11;
    match of {
        sys::TypedarrayType::int8_array
        | sys::TypedarrayType::uint8_array
        | sys::TypedarrayType::uint8_clamped_array => Some(1),
        sys::TypedarrayType::int16_array | sys::TypedarrayType::uint16_array | FLOAT16_ARRAY => {
            Some(2)
        }
        sys::TypedarrayType::int32_array
        | sys::TypedarrayType::uint32_array
        | sys::TypedarrayType::float32_array => Some(4),
        sys::TypedarrayType::float64_array
        | sys::TypedarrayType::bigint64_array
        | sys::TypedarrayType::biguint64_array => Some(8),
        _ => None,
    }
}

pub(crate) fn check(status: sys::napi_status) -> Result<()> {
    if status == sys::Status::napi_ok {
        return Ok(());
    }
    Err(Error::from_status(Status::from(status)))
}

/// A JS value as an argument or result of a binding function.
pub struct Raw(pub(crate) Value);

impl TypeName for Raw {
    fn type_name() -> &'static str {
        "unknown"
    }

    fn value_type() -> ValueType {
        ValueType::Unknown
    }
}

impl ValidateNapiValue for Raw {}

impl FromNapiValue for Raw {
    unsafe fn from_napi_value(_: sys::napi_env, value: Value) -> Result<Self> {
        Ok(Self(value))
    }
}

impl ToNapiValue for Raw {
    unsafe fn to_napi_value(_: sys::napi_env, value: Self) -> Result<Value> {
        Ok(value.0)
    }
}
