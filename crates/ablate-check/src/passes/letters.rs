//! Bytes and texts as letters: numbers, the simplest being 0.

use crate::choice::{Choice, Constraint, Value};

/// The letters of a choice of bytes or text.
pub(super) fn letters(choice: &Choice) -> Option<Vec<u32>> {
    match (&choice.constraint, &choice.value) {
        (_, Value::Bytes(bytes)) => Some(bytes.iter().map(|byte| u32::from(*byte)).collect()),
        (Constraint::Text(alphabet, _), Value::Text(text)) => {
            text.chars().map(|letter| alphabet.rank(letter)).collect()
        }
        _ => None,
    }
}

/// The same place with other letters; `None` where that is not permitted.
pub(super) fn with_letters(choice: &Choice, letters: &[u32]) -> Option<Choice> {
    let value = match &choice.constraint {
        Constraint::Text(alphabet, _) => {
            let text: Option<String> = letters.iter().map(|rank| alphabet.at(*rank)).collect();
            Value::Text(text?.into())
        }
        _ => {
            let bytes = letters.iter().map(|byte| u8::try_from(*byte).ok());
            Value::Bytes(bytes.collect::<Option<Vec<u8>>>()?.into())
        }
    };
    choice.with(value)
}
