//! What a test case replays: values, or a candidate, which is read where it stands.

use ablate_engine::target::Candidate;

use crate::choice::{Choice, Value};

/// Values in order, and how many of them were read.
#[derive(Default)]
pub(super) struct Replayed {
    /// What comes before all that is left, the last of it first.
    recoded: Vec<Choice>,
    values: Vec<Choice>,
    candidate: Option<Candidate<Choice>>,
    /// The place among the values, or in the base of the candidate.
    position: usize,
    /// Where in the base the next edit of the candidate begins; `usize::MAX` for none.
    edit_start: usize,
    /// How many edits were passed.
    edits: usize,
    /// How much of what the edit at this place inserts was read.
    inserted: usize,
}

impl Replayed {
    /// Replays nothing.
    pub fn clear(&mut self) {
        self.recoded.clear();
        self.values.clear();
        self.candidate = None;
        self.position = 0;
        self.edit_start = usize::MAX;
    }

    /// Replays these values.
    pub fn set_values(&mut self, values: Vec<Value>) {
        self.clear();
        self.values.extend(values.into_iter().map(Choice::of_value));
    }

    /// Replays what a candidate holds.
    pub fn set_candidate(&mut self, candidate: Candidate<Choice>) {
        self.clear();
        (self.edits, self.inserted) = (0, 0);
        self.candidate = Some(candidate);
        self.enter_edit();
    }

    /// The choice whose value is the next.
    #[inline]
    pub fn peek(&self) -> Option<&Choice> {
        if let Some(next) = self.recoded.last() {
            return Some(next);
        }
        let Some(candidate) = &self.candidate else {
            return self.values.get(self.position);
        };
        if self.position == self.edit_start {
            let edit = candidate.patch().edits().get(self.edits)?;
            edit.insert.as_deref()?.get(self.inserted)
        } else {
            candidate.base().get(self.position)
        }
    }

    /// The next value, where it is none but a mark.
    #[inline]
    pub fn peek_mark(&self) -> Option<Value> {
        let next = self.peek()?;
        next.is_mark().then(|| next.value())
    }

    /// Passes over the next value.
    #[inline]
    pub fn advance(&mut self) {
        if !self.recoded.is_empty() {
            self.recoded.pop();
            return;
        }
        if self.position == self.edit_start {
            self.inserted += 1;
        } else {
            self.position += 1;
        }
        if self.position == self.edit_start {
            self.enter_edit();
        }
    }

    /// Goes on at a place among the values.
    pub fn seek(&mut self, position: usize) {
        self.position = position;
    }

    /// Replays these values before all that is left.
    pub fn prepend(&mut self, values: Vec<Value>) {
        let values = values.into_iter().rev();
        self.recoded.extend(values.map(Choice::of_value));
    }

    /// Passes over what edits remove at this place, up to what one of them inserts.
    fn enter_edit(&mut self) {
        let edits = (self.candidate.as_ref()).map_or(&[][..], |known| known.patch().edits());
        loop {
            let Some(edit) = edits.get(self.edits) else {
                self.edit_start = usize::MAX;
                return;
            };
            self.edit_start = edit.start;
            if self.position < edit.start || self.inserted < edit.inserted() {
                return;
            }
            self.position = edit.end;
            self.edits += 1;
            self.inserted = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use ablate_engine::patch::{Edit, Patch};
    use ablate_engine::target::Target;

    use super::*;
    use crate::choice::{Constraint, IntegerRange};
    use crate::reduce::choices_in;

    fn numbers(numbers: impl IntoIterator<Item = i128>) -> Vec<Choice> {
        let constraint = Constraint::Integer(IntegerRange::new(0, 99, 0));
        let choice = |number| Choice::new(Value::Integer(number), constraint.clone());
        numbers.into_iter().map(choice).collect()
    }

    fn rest(replayed: &mut Replayed) -> Vec<Value> {
        let mut rest = Vec::new();
        while let Some(next) = replayed.peek() {
            rest.push(next.value());
            replayed.advance();
        }
        rest
    }

    #[test]
    fn a_candidate_is_read_as_it_would_be_built() {
        let target = Target::new(numbers(0..6));
        let edit = |start, end, insert: &[i128]| Edit {
            start,
            end,
            insert: (!insert.is_empty()).then(|| numbers(insert.iter().copied()).into()),
        };
        let mut replayed = Replayed::default();
        for edits in [
            vec![],
            vec![edit(0, 6, &[])],
            vec![edit(0, 2, &[]), edit(2, 3, &[7, 8]), edit(5, 6, &[9])],
            vec![edit(0, 0, &[7]), edit(1, 2, &[]), edit(6, 6, &[8])],
        ] {
            let candidate = target.candidate(Patch::edits_of(edits).unwrap());
            replayed.set_candidate(candidate.clone());
            let expected: Vec<Value> = choices_in(&candidate).map(Choice::value).collect();
            assert_eq!(rest(&mut replayed), expected);
        }
    }

    #[test]
    fn what_is_prepended_is_read_first() {
        let mut replayed = Replayed::default();
        replayed.set_values([1, 2, 3].map(Value::Integer).to_vec());
        replayed.advance();
        replayed.prepend([8, 9].map(Value::Integer).to_vec());
        assert_eq!(rest(&mut replayed), [8, 9, 2, 3].map(Value::Integer));
    }
}
