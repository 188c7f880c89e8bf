//! What makes two failures the same, and how a panic is caught without a sound.

use std::any::Any;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::error::Error;
use std::fmt;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

use crate::test_case::Halt;

/// What identifies a failure: where it shows, and the part of its message that does not depend on
/// the values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FailureKind {
    /// `file:line:column` of the panic, or what stands for it.
    pub place: String,
    /// The message up to its first colon or line end, each word with a digit in it a `#`, each text
    /// in quotes left out. Where more than a few messages come from one place, `…` for all of them.
    pub message: String,
}

/// One failure of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What identifies it.
    pub kind: FailureKind,
    /// The whole message.
    pub message: String,
}

impl Failure {
    pub(crate) fn new(place: &str, message: String) -> Failure {
        let kind = FailureKind {
            place: place.to_owned(),
            message: message_kind(&message),
        };
        Failure { kind, message }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.place, self.message)
    }
}

/// The part of a message that does not depend on values: without words that hold a digit, such as
/// numbers and addresses, and without texts in quotes.
fn message_kind(message: &str) -> String {
    let end = message.find([':', '\n']).unwrap_or(message.len());
    let (mut kind, mut word) = (String::with_capacity(end), String::new());
    let mut rest = message[..end].chars();
    loop {
        let next = rest.next();
        if let Some(character) = next.filter(|c| c.is_alphanumeric()) {
            word.push(character);
            continue;
        }
        if word.contains(|c: char| c.is_ascii_digit()) {
            word.clear();
            word.push('#');
        }
        kind.push_str(&word);
        word.clear();
        match next {
            Some('"') => {
                kind.push_str("\"…\"");
                skip_text(&mut rest);
            }
            Some(character) => kind.push(character),
            None => break,
        }
    }
    if let Some((end, _)) = kind.char_indices().nth(120) {
        kind.truncate(end);
    }
    kind
}

/// Passes over what is left of a text in quotes.
fn skip_text(rest: &mut std::str::Chars<'_>) {
    while let Some(character) = rest.next() {
        match character {
            '"' => return,
            '\\' => drop(rest.next()),
            _ => {}
        }
    }
}

/// What running a property body can come to.
#[diagnostic::on_unimplemented(
    message = "a property can't end with `{Self}`",
    label = "says neither that it holds nor that it fails",
    note = "a property fails when it panics or returns an `Err`: `assert!` what is to hold and return nothing (`;` behind the last expression), or return a `Result<(), E>`",
    note = "what is `async` is an `async fn` with `#[property]`, or runs by `ablate_check::block_on`"
)]
pub trait Ending {
    /// `Err` with its message when the property fails.
    ///
    /// # Errors
    /// When the property fails.
    fn ending(self) -> Result<(), String>;
}

impl Ending for () {
    fn ending(self) -> Result<(), String> {
        Ok(())
    }
}

impl<T: Ending, E: fmt::Debug> Ending for Result<T, E> {
    fn ending(self) -> Result<(), String> {
        match self {
            Ok(value) => value.ending(),
            Err(error) => {
                // The name that the error's `Debug` starts with tells errors apart.
                let shown = format!("{error:?}");
                let name: String = shown
                    .chars()
                    .take_while(|c| c.is_alphanumeric() || *c == '_')
                    .collect();
                let separator = if name.is_empty() { "" } else { " " };
                Err(format!("returned Err{separator}{name}: {shown}"))
            }
        }
    }
}

/// How a body ended.
pub(crate) enum Ended {
    Passed,
    Halted(Halt),
    Failed(Failure),
}

struct Panic {
    place: String,
    message: String,
}

thread_local! {
    static IS_WATCHED: Cell<bool> = const { Cell::new(false) };
    static LAST: RefCell<Option<Panic>> = const { RefCell::new(None) };
}
static INSTALL: Once = Once::new();

/// Installs the process-wide hook that keeps panics of watched threads silent. All others go to
/// the hook that was there before.
pub(crate) fn install_hook() {
    INSTALL.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if IS_WATCHED.get() {
                LAST.set(Some(Panic::of(info)));
            } else {
                before(info);
            }
        }));
    });
}

impl Panic {
    fn of(info: &PanicHookInfo<'_>) -> Panic {
        let place = info
            .location()
            .map_or_else(String::new, ToString::to_string);
        Panic {
            place,
            message: payload_message(info.payload()),
        }
    }
}

fn payload_message(payload: &dyn Any) -> String {
    match (
        payload.downcast_ref::<&str>(),
        payload.downcast_ref::<String>(),
    ) {
        (Some(message), _) => (*message).to_owned(),
        (_, Some(message)) => message.clone(),
        _ => shown_payload(payload),
    }
}

/// A payload that is no text, where its type is a common one.
fn shown_payload(payload: &dyn Any) -> String {
    macro_rules! of_types {
        ($($type:ty)*) => {
            $(if let Some(value) = payload.downcast_ref::<$type>() {
                return format!("a panic with the {} {value:?}", stringify!($type));
            })*
        };
    }
    of_types! { i32 u32 i64 u64 usize isize u8 i8 u16 i16 u128 i128 f64 f32 bool char }
    if let Some(text) = payload.downcast_ref::<Box<str>>() {
        return text.to_string();
    }
    if let Some(text) = payload.downcast_ref::<Cow<'static, str>>() {
        return text.to_string();
    }
    if let Some(error) = payload.downcast_ref::<Box<dyn Error + Send + Sync>>() {
        return format!("a panic with an error, {error}");
    }
    if let Some(error) = payload.downcast_ref::<Box<dyn Error + Send>>() {
        return format!("a panic with an error, {error}");
    }
    "a panic whose payload is no text".to_owned()
}

/// Runs a body with this thread's panics caught and silent.
pub(crate) fn watch<R: Ending>(name: &str, body: impl FnOnce() -> R) -> Ended {
    // A property inside a property: the outer one goes on watching.
    let was_watched = IS_WATCHED.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(body));
    IS_WATCHED.set(was_watched);
    match result {
        Ok(value) => match value.ending() {
            Ok(()) => Ended::Passed,
            Err(message) => Ended::Failed(Failure::new(name, message)),
        },
        Err(payload) => match payload.downcast::<Halt>() {
            Ok(halt) => Ended::Halted(*halt),
            Err(payload) => {
                let message = payload_message(&*payload);
                // Without a hook's record it was raised by `resume_unwind`. A record of another
                // message is of a panic that the body caught before.
                let record = LAST.take().filter(|last| last.message == message);
                let caught = record.unwrap_or_else(|| Panic {
                    place: name.to_owned(),
                    message,
                });
                Ended::Failed(Failure::new(&caught.place, caught.message))
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_no_part_of_a_kind() {
        let check = |message: &str, kind: &str| assert_eq!(message_kind(message), kind);
        check(
            "index out of bounds: the len is 3 but the index is 5",
            "index out of bounds",
        );
        check("assertion failed\n left: 1", "assertion failed");
        check("no 17 in 3.5", "no # in #.#");
        check("bad pointer 0x7ffe10a8", "bad pointer #");
        check(r#"no "a\"b" in "c d""#, r#"no "…" in "…""#);
        check(r#"not closed "a"#, r#"not closed "…""#);
    }

    #[test]
    fn a_panic_is_caught_with_its_place() {
        install_hook();
        let ended = watch("here", || {
            panic!("number {}", 5);
            #[expect(unreachable_code, reason = "gives the closure its type")]
            ()
        });
        let Ended::Failed(failure) = ended else {
            unreachable!()
        };
        assert!(failure.kind.place.contains("failure.rs:"));
        assert_eq!(failure.kind.message, "number #");
        assert_eq!(failure.message, "number 5");
    }

    #[test]
    fn a_payload_that_is_no_text_is_shown_by_its_type() {
        let check = |payload: Box<dyn Any + Send>, shown: &str| {
            assert_eq!(payload_message(&*payload), shown);
        };
        check(Box::new(5), "a panic with the i32 5");
        check(Box::new(Some(5)), "a panic whose payload is no text");
        let error: Box<dyn Error + Send + Sync> = "broken".into();
        check(Box::new(error), "a panic with an error, broken");
    }

    #[test]
    fn a_panic_that_was_caught_before_is_not_the_one_that_is_resumed() {
        fn raise(message: &'static str) {
            panic::resume_unwind(Box::new(message));
        }
        install_hook();
        let ended = watch("here", || {
            let _ = panic::catch_unwind(|| panic!("caught"));
            raise("of a thread");
        });
        let Ended::Failed(failure) = ended else {
            unreachable!()
        };
        assert_eq!(failure.message, "of a thread");
        assert_eq!(failure.kind.place, "here");
    }

    #[test]
    fn an_error_is_a_failure_of_its_name() {
        let ended = watch("here", || Err::<(), _>(Some(3)));
        let Ended::Failed(failure) = ended else {
            unreachable!()
        };
        assert_eq!(failure.kind.message, "returned Err Some");
        assert_eq!(failure.kind.place, "here");
        let ended = watch("here", || Err::<(), _>("no"));
        let Ended::Failed(failure) = ended else {
            unreachable!()
        };
        assert_eq!(failure.message, "returned Err: \"no\"");
    }
}
