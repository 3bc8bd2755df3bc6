//! How what the lanes tell reaches JavaScript.
//!
//! Node lets a thread-safe function make up to a thousand calls in a row, and after each of them
//! whatever its promises ask for next, before the event loop turns: two that answer each other's
//! questions could hold up timers and sockets for seconds. So there are two bells, and what comes
//! while one is heard is rung on the other, for which the loop has to come round.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use fencekv_sqlite::{LaneEvent, LaneId, Sinks};
use napi::bindgen_prelude::{FnArgs, Function, Status};
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};
use napi::{Env, sys};

use crate::js::{Js, Raw};
use crate::reply::{self, lane_number};

/// Calls `settle(lane, answers)` on the JS thread with the event whose turn it is; does not keep the
/// process alive by itself.
type Bell = ThreadsafeFunction<(), Raw, FnArgs<(u32, Raw)>, Status, false, true>;

/// Where lanes leave their events, each of which is rung once.
pub(crate) struct Mailbox {
    post: Arc<Post>,
    bells: [Bell; 2],
}

#[derive(Default)]
struct Post {
    events: Mutex<VecDeque<(LaneId, LaneEvent)>>,
    /// Which bell was heard last.
    heard: AtomicUsize,
}

impl Mailbox {
    /// `settle` takes `(lane, [ok, value or failure, ...])`, or `(lane, undefined)` when the lane
    /// has ended.
    pub(crate) fn new(settle: &Function<'_, FnArgs<(u32, Raw)>, Raw>) -> napi::Result<Arc<Self>> {
        let post = Arc::default();
        let bells = [bell(settle, &post, 0)?, bell(settle, &post, 1)?];
        Ok(Arc::new(Self { post, bells }))
    }

    pub(crate) fn sinks(self: &Arc<Self>) -> Sinks {
        let mailbox = Arc::clone(self);
        Box::new(move |lane| {
            let mailbox = Arc::clone(&mailbox);
            Box::new(move |event| mailbox.put(lane, event))
        })
    }

    /// Whether the process is to live until more has come.
    pub(crate) fn hold(&self, env: Env, held: bool) {
        let bell = self.bells[0].raw();
        // Refused only when the environment is going away, and then nothing keeps it.
        // SAFETY: this is the JS thread of `env`, where the function was made.
        let _ = match held {
            true => unsafe { sys::napi_ref_threadsafe_function(env.raw(), bell) },
            false => unsafe { sys::napi_unref_threadsafe_function(env.raw(), bell) },
        };
    }

    fn put(&self, lane: LaneId, event: LaneEvent) {
        self.post.lock().push_back((lane, event));
        let other = 1 - self.post.heard.load(Ordering::Relaxed);
        // Refused only when the environment is going away, and nobody is left to answer.
        self.bells[other].call((), ThreadsafeFunctionCallMode::NonBlocking);
    }
}

impl Post {
    fn lock(&self) -> std::sync::MutexGuard<'_, VecDeque<(LaneId, LaneEvent)>> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn bell(
    settle: &Function<'_, FnArgs<(u32, Raw)>, Raw>,
    post: &Arc<Post>,
    index: usize,
) -> napi::Result<Bell> {
    let post = Arc::clone(post);
    settle
        .build_threadsafe_function::<()>()
        .weak::<true>()
        .build_callback(move |call| {
            post.heard.store(index, Ordering::Relaxed);
            let event = post.lock().pop_front();
            let (lane, event) =
                event.ok_or_else(|| napi::Error::from_reason("a bell without an event"))?;
            let js = Js::new(call.env);
            let answers = match event {
                LaneEvent::Answered(answers) => reply::answers(js, answers)?,
                LaneEvent::Ended => js.make(())?,
            };
            Ok((lane_number(lane), Raw(answers)).into())
        })
}
