//! The target (the current best test case), candidates (variants of it that are not yet judged),
//! and spans (intervals that mean something to whoever made the test case).

use alloc::rc::Rc;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::{Any, TypeId};
use core::cell::RefCell;

use crate::identity::{Digest, Element, Identity};
use crate::oracle::Seen;
use crate::parts::PartDigests;
use crate::patch::Patch;

/// An interval of a target that means something: a value drawn by a generator, a node of a syntax
/// tree, a file of a folder. Spans nest; an outer span stands before the spans inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first element.
    pub start: usize,
    /// The element after the last.
    pub end: usize,
    /// What kind of thing it is; spans of the same label may stand for each other.
    pub label: u64,
    /// How many spans enclose it.
    pub depth: u32,
}

impl Span {
    /// The number of elements in the span.
    pub fn len(&self) -> usize {
        self.end - self.start
    }

    /// Whether there is nothing in the span.
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }
}

/// The current best test case, with everything that has been found out about it.
pub struct Target<E> {
    elements: Arc<Vec<E>>,
    parts: PartDigests,
    spans: Arc<Vec<Span>>,
    analyses: RefCell<Analyses>,
    /// What was found in the spans alone.
    analyses_of_spans: RefCell<Analyses>,
}

/// There are a few dozen at most: they are sooner gone through than looked up in a tree.
type Analyses = Vec<(TypeId, Rc<dyn Any>)>;

impl<E: Element> Target<E> {
    /// A target without spans.
    pub fn new(elements: Vec<E>) -> Target<E> {
        Target::with_spans(elements, Vec::new())
    }

    /// A target with the spans that its maker names.
    pub fn with_spans(
        elements: impl Into<Arc<Vec<E>>>,
        spans: impl Into<Arc<Vec<Span>>>,
    ) -> Target<E> {
        let (elements, spans) = (elements.into(), spans.into());
        let parts = PartDigests::new(elements.len());
        Target {
            elements,
            parts,
            spans,
            analyses: RefCell::default(),
            analyses_of_spans: RefCell::default(),
        }
    }

    /// The same once more, of which nothing has been found out yet: for passes that take it for something else.
    pub fn twin(&self) -> Target<E> {
        Target::with_spans(Arc::clone(&self.elements), Arc::clone(&self.spans))
    }

    /// The target that takes the place of this one: `candidate`, made from it, as a test saw it.
    /// What is known of this one and holds for the other, the other knows from the beginning.
    pub(crate) fn into_successor(self, candidate: Candidate<E>, seen: Seen<E>) -> Target<E> {
        let Seen { elements, spans } = seen;
        let parts = match &elements {
            Some(read) if !candidate.holds(read) => PartDigests::new(read.len()),
            _ => {
                let (before, behind) = (candidate.same(), candidate.same_behind());
                (self.parts).of_successor(before, behind, candidate.digest)
            }
        };
        let has_same_spans = Arc::ptr_eq(&spans, &self.spans) || spans == self.spans;
        Target {
            elements: elements.unwrap_or_else(|| candidate.built_from(self.elements)),
            parts,
            spans,
            analyses: RefCell::default(),
            analyses_of_spans: match has_same_spans {
                true => self.analyses_of_spans,
                false => RefCell::default(),
            },
        }
    }

    /// The content.
    pub fn elements(&self) -> &[E] {
        &self.elements
    }

    /// The content, for whoever wants nothing else any more.
    pub fn into_elements(self) -> Arc<Vec<E>> {
        self.elements
    }

    /// The spans that came with the content.
    pub fn spans(&self) -> &Arc<Vec<Span>> {
        &self.spans
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Whether there is nothing in the target.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// The identity of the content.
    pub fn identity(&self) -> Identity {
        self.parts.whole(&self.elements).identity()
    }

    /// The digest of a part of the content, in time that does not depend on its length.
    pub fn digest(&self, start: usize, end: usize) -> Digest {
        self.parts.range(&self.elements, start, end)
    }

    /// The variant that `patch` makes. Nothing is built yet.
    pub fn candidate(&self, patch: Patch<E>) -> Candidate<E> {
        Candidate {
            base: Arc::clone(&self.elements),
            digest: patch.digest(&self.elements, &self.parts),
            patch,
        }
    }

    /// What `analyse` finds in the content: computed at the first request, kept as long as the
    /// target stands. There is one result for each result type.
    pub fn analysis<A: 'static>(&self, analyse: impl FnOnce(&Target<E>) -> A) -> Rc<A> {
        found_in(&self.analyses, || analyse(self))
    }

    /// What `analyse` finds in the spans: kept also by later targets, as long as their spans are the
    /// same.
    pub fn analysis_of_spans<A: 'static>(&self, analyse: impl FnOnce(&Target<E>) -> A) -> Rc<A> {
        found_in(&self.analyses_of_spans, || analyse(self))
    }
}

fn found_in<A: 'static>(analyses: &RefCell<Analyses>, analyse: impl FnOnce() -> A) -> Rc<A> {
    let id = TypeId::of::<A>();
    let found = |(known, _): &&(TypeId, Rc<dyn Any>)| *known == id;
    let known = analyses
        .borrow()
        .iter()
        .find(found)
        .map(|known| known.1.clone());
    if let Some(Ok(known)) = known.map(Rc::downcast::<A>) {
        return known;
    }
    let result = Rc::new(analyse());
    analyses.borrow_mut().push((id, result.clone()));
    result
}

impl<E: core::fmt::Debug> core::fmt::Debug for Target<E> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Target")
            .field("elements", &self.elements)
            .field("spans", &self.spans)
            .finish_non_exhaustive()
    }
}

/// A variant of a target that is not yet judged. It is built only when it is to be tested; its
/// identity is known without that. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct Candidate<E> {
    base: Arc<Vec<E>>,
    patch: Patch<E>,
    digest: Digest,
}

impl<E: Element> Candidate<E> {
    /// What the variant does to its base.
    pub fn patch(&self) -> &Patch<E> {
        &self.patch
    }

    /// The content that the patch edits.
    pub fn base(&self) -> &[E] {
        &self.base
    }

    /// Whether both are variants of the very same target.
    pub fn has_base_of(&self, other: &Candidate<E>) -> bool {
        Arc::ptr_eq(&self.base, &other.base)
    }

    /// How many elements stand before the first edit: so far the variant is its base.
    pub fn same(&self) -> usize {
        let extent = self.patch.extent();
        extent.map_or(self.base.len(), |(start, _)| start)
    }

    /// How many elements stand behind the last edit.
    fn same_behind(&self) -> usize {
        let extent = self.patch.extent();
        extent.map_or(self.base.len(), |(_, end)| self.base.len() - end)
    }

    /// The identity of the content.
    pub fn identity(&self) -> Identity {
        self.digest.identity()
    }

    /// The digest of the content.
    pub(crate) fn digest(&self) -> Digest {
        self.digest
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.digest.len()
    }

    /// Whether there is nothing in the candidate.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The content in parts, in order.
    pub fn pieces(&self) -> impl Iterator<Item = &[E]> {
        self.patch.pieces(&self.base)
    }

    /// The content as a whole.
    pub fn build(&self) -> Vec<E> {
        self.patch.applied(&self.base)
    }

    /// Whether `content` is the content.
    fn holds(&self, mut content: &[E]) -> bool {
        self.len() == content.len()
            && self.pieces().all(|piece| {
                let (front, rest) = content.split_at(piece.len());
                content = rest;
                front == piece
            })
    }

    /// The content as a whole, made of its base: in place, where nobody else has that.
    fn built_from(self, mut base: Arc<Vec<E>>) -> Arc<Vec<E>> {
        drop(self.base);
        match Arc::get_mut(&mut base) {
            Some(elements) => self.patch.apply_to(elements),
            None => base = Arc::new(self.patch.applied(&base)),
        }
        base
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_candidates_identity_is_that_of_its_content() {
        let target = Target::new(b"one two one".to_vec());
        let candidate = target.candidate(Patch::cut(3, 7));
        assert_eq!(candidate.build(), b"one one");
        assert_eq!(
            candidate.identity(),
            Target::new(candidate.build()).identity()
        );
        assert_eq!(candidate.len(), 7);
        assert_eq!(
            target.candidate(Patch::cut(0, 4)).identity(),
            target.candidate(Patch::cuts([(0, 3), (3, 4)])).identity()
        );
    }

    #[test]
    fn what_was_found_in_spans_is_known_while_they_are_the_same() {
        struct Count(usize);
        let span = Span {
            start: 0,
            end: 2,
            label: 0,
            depth: 0,
        };
        let spans = alloc::vec![span];
        let count = |target: &Target<u8>, made| target.analysis_of_spans(|_| Count(made)).0;
        let seen = |spans: &Vec<Span>| Seen {
            elements: None,
            spans: spans.clone().into(),
        };
        let mut target = Target::with_spans(b"abc".to_vec(), spans.clone());
        assert_eq!(count(&target, 1), 1);
        for (patch, spans, found) in [
            (Patch::replace(1, 2, b"a"), &spans, 1),
            (Patch::cut(2, 3), &Vec::new(), 3),
        ] {
            let candidate = target.candidate(patch);
            let (identity, content) = (candidate.identity(), candidate.build());
            target = target.into_successor(candidate, seen(spans));
            assert_eq!(target.identity(), identity);
            assert_eq!(target.elements(), content);
            assert_eq!(count(&target, found), found);
        }
    }

    #[test]
    fn an_analysis_is_made_once() {
        struct Length(usize);
        let target = Target::new(b"abc".to_vec());
        assert_eq!(target.analysis(|t| Length(t.len())).0, 3);
        assert_eq!(target.analysis(|_| Length(0)).0, 3);
    }
}
