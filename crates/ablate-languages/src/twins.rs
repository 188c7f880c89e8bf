//! Passes on what is in one language, beside others in another one: on what is embedded, or on some files of a folder.
//! They have a target of their own, the same text once more, so that what they find in it is not taken for what others
//! find there; and their edits are of what is in their language only.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::{Amend, Amended, Pass};
use ablate_engine::patch::{Conflict, Edit, Patch};
use ablate_engine::target::Target;

use crate::tree::Syntax;

/// `pass`, which was made with `syntax`, beside passes that were made with another one.
pub fn on_twin(syntax: &Rc<Syntax>, pass: Box<dyn Pass<u8>>) -> Box<dyn Pass<u8>> {
    let language = syntax.language().name;
    let pass = Box::new(OnTwin { language, pass });
    let by = InPlaces(Rc::clone(syntax));
    Box::new(Amended { pass, by })
}

/// The targets of these passes, by their languages.
#[derive(Default)]
struct Twins(RefCell<BTreeMap<&'static str, Rc<Target<u8>>>>);

fn twin(target: &Target<u8>, language: &'static str) -> Rc<Target<u8>> {
    let twins = target.analysis(|_| Twins::default());
    let mut twins = twins.0.borrow_mut();
    let twin = twins.entry(language);
    Rc::clone(twin.or_insert_with(|| Rc::new(target.twin())))
}

/// A pass that is given the twin of a target.
struct OnTwin {
    language: &'static str,
    pass: Box<dyn Pass<u8>>,
}

impl Pass<u8> for OnTwin {
    ablate_engine::as_inner_pass!();

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        self.pass.step(&twin(target, self.language), chooser)
    }

    fn amended(&self, target: &Target<u8>, patch: Patch<u8>) -> Option<Patch<u8>> {
        self.pass.amended(&twin(target, self.language), patch)
    }

    fn grow(
        &self,
        target: &Target<u8>,
        patch: &Patch<u8>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<u8>> {
        let target = twin(target, self.language);
        self.pass.grow(&target, patch, direction, amount)
    }

    fn combined(
        &self,
        target: &Target<u8>,
        one: &Patch<u8>,
        other: &Patch<u8>,
    ) -> Result<Patch<u8>, Conflict> {
        self.pass.combined(&twin(target, self.language), one, other)
    }
}

/// Cuts edits to where the language is.
struct InPlaces(Rc<Syntax>);

/// Where the language of a twin is.
struct Places(Vec<Range<usize>>);

impl Amend<u8> for InPlaces {
    /// What stands in the place of something else goes with its first part.
    fn amended(&self, target: &Target<u8>, patch: Patch<u8>) -> Option<Patch<u8>> {
        let places = twin(target, self.0.language().name).analysis(|twin| {
            let places = self.0.places(twin.elements()).into_iter();
            Places(places.map(|(_, place)| place).collect())
        });
        let places = &places.0;
        let is_in = |edit: &Edit<u8>| {
            let behind = places.partition_point(|place| place.end < edit.end);
            let place = places.get(behind);
            place.is_some_and(|place| place.start <= edit.start)
        };
        if patch.edits().iter().all(is_in) {
            return Some(patch);
        }
        let mut edits: Vec<Edit<u8>> = Vec::new();
        for edit in patch.edits() {
            let first = places.partition_point(|place| place.end < edit.start);
            let near = places[first..].iter();
            let near = near.take_while(|place| place.start <= edit.end);
            let mut insert = edit.insert.clone();
            for place in near {
                let (start, end) = (edit.start.max(place.start), edit.end.min(place.end));
                let insert = insert.take();
                if start < end || insert.is_some() {
                    edits.push(Edit { start, end, insert });
                }
            }
        }
        let patch = Patch::edits_of(edits).ok()?;
        (!patch.is_empty()).then_some(patch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_is_of_what_is_in_the_language_only() {
        let text = "<script>ab</script><p><script>cd</script>";
        let target = Target::new(text.as_bytes().to_vec());
        let syntax = Syntax::in_html(crate::find("javascript").unwrap());
        let places = InPlaces(syntax);
        let within = |patch| {
            let made = places.amended(&target, patch)?.applied(target.elements());
            Some(String::from_utf8(made).unwrap())
        };
        let all = within(Patch::cut(0, text.len()));
        assert_eq!(
            all.as_deref(),
            Some("<script></script><p><script></script>")
        );
        let across = within(Patch::replace(9, 31, b"x"));
        let expected = "<script>ax</script><p><script>d</script>";
        assert_eq!(across.as_deref(), Some(expected));
        assert_eq!(within(Patch::cut(0, 8)), None);
        assert_eq!(within(Patch::cut(8, 9)).unwrap().len(), text.len() - 1);
    }
}
