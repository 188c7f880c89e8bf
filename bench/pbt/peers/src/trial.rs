//! Counts what a library does with the property at hand. One property runs at a time; the library
//! may run it on a thread of its own.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::challenges::{Holds, Value};

struct Trial {
    holds: Holds,
    calls: u64,
    /// The number of the first call that failed.
    first: Option<u64>,
    /// The last value that failed: every library runs its result once more, or stops with it.
    last: Option<Value>,
}

static TRIAL: Mutex<Option<Trial>> = Mutex::new(None);

fn lock() -> MutexGuard<'static, Option<Trial>> {
    TRIAL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts counting.
pub fn start(holds: Holds) {
    *lock() = Some(Trial {
        holds,
        calls: 0,
        first: None,
        last: None,
    });
}

/// The test function is run; to be called before anything is drawn.
pub fn enter() {
    if let Some(trial) = &mut *lock() {
        trial.calls += 1;
    }
}

/// Whether the property holds for a value; `None` where it does not apply.
pub fn judge(value: Value) -> Option<bool> {
    let mut trial = lock();
    let trial = trial.as_mut()?;
    let holds = (trial.holds)(&value);
    if holds == Some(false) {
        trial.first.get_or_insert(trial.calls);
        trial.last = Some(value);
    }
    holds
}

/// How often the test function was run after the first failure, and with what that ended.
pub fn finish() -> Option<(u64, Value)> {
    let trial = lock().take()?;
    Some((trial.calls - trial.first?, trial.last?))
}
