//! What a language does not let stand when nothing uses it: in Go imports, variables of functions, and
//! labels. An edit that takes the last use of one takes it as well, and what only that has used.

mod walk;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use ablate_engine::pass::{Amend, Amended, Pass};
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::tree::Syntax;
use walk::Walk;

/// Languages in which it is an error that something is not used.
const STRICT: &[&str] = &["go"];

/// `pass`, with edits that leave nothing unused in a language that is strict about it.
pub fn without_unused(syntax: &Rc<Syntax>, pass: Box<dyn Pass<u8>>) -> Box<dyn Pass<u8>> {
    if !STRICT.contains(&syntax.language().name) {
        return pass;
    }
    let by = WithoutUnused(Rc::clone(syntax));
    Box::new(Amended { pass, by })
}

struct WithoutUnused(Rc<Syntax>);

impl Amend<u8> for WithoutUnused {
    fn amended(&self, target: &Target<u8>, patch: Patch<u8>) -> Option<Patch<u8>> {
        let unused = Unused::of(target, &self.0);
        Some(unused.without(target.elements(), &patch).unwrap_or(patch))
    }

    fn bare(&self, target: &Target<u8>, patch: &Patch<u8>) -> Patch<u8> {
        let unused = Unused::of(target, &self.0);
        let own = patch.edits().iter().filter(|edit| !unused.may_add(edit));
        let bare = Patch::edits_of(own.cloned()).unwrap_or_default();
        let again = unused.without(target.elements(), &bare);
        if again.is_some_and(|again| again == *patch) {
            bare
        } else {
            patch.clone()
        }
    }
}

/// What is declared in a text and must be used.
#[derive(Debug, Default)]
struct Unused {
    declared: Vec<Declared>,
    /// Where each use is, with the number of what is declared, in the order of the text.
    uses: Vec<(u32, u32, u32)>,
    /// What declares or sets names.
    holders: Vec<Holder>,
    /// Where they can go.
    cuts: BTreeSet<(u32, u32)>,
}

#[derive(Debug, Default)]
struct Declared {
    /// Where it is used.
    uses: Vec<(u32, u32)>,
    /// What declares or sets it.
    holders: Vec<u32>,
}

/// What declares or sets names.
#[derive(Debug)]
struct Holder {
    /// What goes where none of its names is needed, unless it can't.
    cut: Option<Cut>,
    /// The names.
    names: Vec<Name>,
    /// The sign that says that some of them are new.
    sign: Option<(u32, u32)>,
    /// What goes when all those in it go.
    list: Option<Rc<List>>,
}

/// A name where it is declared or set.
#[derive(Clone, Copy, Debug)]
struct Name {
    range: (u32, u32),
    /// What it names; `None` for what need not be used.
    declared: Option<u32>,
    /// Whether it is declared here.
    is_new: bool,
    /// Whether it stands for nothing.
    is_blank: bool,
}

/// What goes as a whole.
#[derive(Clone, Copy, Debug)]
struct Cut {
    start: u32,
    end: u32,
    /// The end with what ends its line or the statement.
    behind: u32,
}

/// Several holders that are one declaration.
#[derive(Debug)]
struct List {
    cut: Cut,
    holders: std::ops::Range<u32>,
}

impl Unused {
    fn of(target: &Target<u8>, syntax: &Syntax) -> Rc<Unused> {
        let tree = syntax.tree(target);
        target.analysis(|target| Walk::new(target.elements(), &tree).run())
    }

    /// Whether an edit is one that is made here.
    fn may_add(&self, edit: &Edit<u8>) -> bool {
        match edit.insert.as_deref() {
            None => self.cuts.contains(&(edit.start as u32, edit.end as u32)),
            Some(insert) => matches!(insert, b"_" | b"="),
        }
    }

    /// An edit that does what `patch` does and takes what is not used then; `None` if that is nothing, or
    /// can't go.
    fn without(&self, text: &[u8], patch: &Patch<u8>) -> Option<Patch<u8>> {
        let mut going = Going::new(self, text, patch);
        going.run();
        going.patch(patch)
    }
}

/// What goes with an edit, as far as it is known.
struct Going<'a> {
    unused: &'a Unused,
    text: &'a [u8],
    /// What goes: ranges, with what takes their place.
    gone: BTreeMap<u32, (u32, &'a [u8])>,
    /// Ranges of which it is not yet known what goes with them.
    open: Vec<(u32, u32)>,
    /// Which declared names are no longer used.
    dead: BTreeSet<u32>,
    /// Which holders go as a whole.
    cut: BTreeSet<u32>,
}

impl<'a> Going<'a> {
    fn new(unused: &'a Unused, text: &'a [u8], patch: &'a Patch<u8>) -> Going<'a> {
        let edits = patch.edits().iter();
        let edits = edits.map(|edit| (edit.start as u32, edit.end as u32, edit.insert.as_deref()));
        let ranges = edits.clone().map(|(start, end, _)| (start, end));
        Going {
            unused,
            text,
            open: ranges.collect(),
            gone: edits
                .filter(|(start, end, _)| start < end)
                .map(|(start, end, insert)| (start, (end, insert.unwrap_or_default())))
                .collect(),
            dead: BTreeSet::new(),
            cut: BTreeSet::new(),
        }
    }

    /// Whether nothing is left of a range, nor of the name that stands there.
    fn is_gone(&self, (start, end): (u32, u32)) -> bool {
        let around = self.gone.range(..=start).next_back();
        around.is_some_and(|(_, (to, insert))| {
            let name = &self.text[start as usize..end as usize];
            // What is missing has an empty name.
            let is_new = !name.is_empty() && insert.windows(name.len()).any(|it| it == name);
            end <= *to && !is_new
        })
    }

    /// Whether an edit reaches into a range, but not over all of it, or has something in it take its place.
    fn is_torn(&self, (start, end): (u32, u32)) -> bool {
        let before = self.gone.range(..start).next_back();
        let inside = self.gone.range(start..end);
        before.is_some_and(|(_, (to, _))| *to > start) || { inside }
            .any(|(_, (to, insert))| *to > end || !insert.is_empty())
    }

    fn run(&mut self) {
        while let Some((start, end)) = self.open.pop() {
            let uses = &self.unused.uses;
            let from = uses.partition_point(|of| of.0 < start);
            let inside = uses[from..].iter().take_while(|of| of.1 <= end);
            let mut touched: Vec<u32> = inside.map(|of| of.2).collect();
            touched.sort_unstable();
            touched.dedup();
            for declared in touched {
                let uses = &self.unused.declared[declared as usize].uses;
                if !self.dead.contains(&declared) && uses.iter().all(|&of| self.is_gone(of)) {
                    self.dead.insert(declared);
                    for &holder in &self.unused.declared[declared as usize].holders {
                        self.look_at(holder);
                    }
                }
            }
        }
    }

    /// Lets a holder go if none of its names is needed.
    fn look_at(&mut self, number: u32) {
        let holder = &self.unused.holders[number as usize];
        let is_needless = holder.names.iter().all(|name| self.is_needless(name));
        let Some(cut) = holder.cut.filter(|_| is_needless) else {
            return;
        };
        if !self.can_take(cut) || !self.cut.insert(number) {
            return;
        }
        self.take(cut);
        if let Some(list) = &holder.list {
            let is_cut = |holder: u32| {
                let cut = self.unused.holders[holder as usize].cut;
                self.cut.contains(&holder)
                    || cut.is_some_and(|cut| self.is_gone((cut.start, cut.end)))
            };
            if { list.holders.clone() }.all(is_cut) && self.can_take(list.cut) {
                self.take(list.cut);
            }
        }
    }

    fn is_needless(&self, name: &Name) -> bool {
        let is_dead = |declared: u32| self.dead.contains(&declared);
        name.is_blank || name.declared.is_some_and(is_dead)
    }

    fn can_take(&self, cut: Cut) -> bool {
        !self.is_torn((cut.start, cut.end))
    }

    fn take(&mut self, cut: Cut) {
        let start = cut.start;
        let end = if self.is_torn((cut.end, cut.behind)) {
            cut.end
        } else {
            cut.behind
        };
        // What is in it goes with it.
        let inside: Vec<u32> = { self.gone.range(start..end) }.map(|(at, _)| *at).collect();
        for at in inside {
            self.gone.remove(&at);
        }
        if !self.is_gone((start, end)) {
            self.gone.insert(start, (end, b""));
            self.open.push((start, end));
        }
    }

    /// The edit, if it is another one than `patch`.
    fn patch(mut self, patch: &Patch<u8>) -> Option<Patch<u8>> {
        if self.dead.is_empty() {
            return None;
        }
        let holders = self.dead.iter();
        let holders = holders.flat_map(|&it| &self.unused.declared[it as usize].holders);
        let holders: BTreeSet<u32> = holders.copied().collect();
        for &number in holders.difference(&self.cut) {
            let holder = &self.unused.holders[number as usize];
            let (dead, rest): (Vec<&Name>, Vec<&Name>) =
                holder.names.iter().partition(|name| self.is_needless(name));
            for name in dead {
                if !name.is_blank && !self.is_gone(name.range) && !self.is_torn(name.range) {
                    self.gone.insert(name.range.0, (name.range.1, b"_"));
                }
            }
            let sign = holder.sign.filter(|_| !rest.iter().any(|name| name.is_new));
            if let Some(sign) = sign.filter(|&sign| !self.is_gone(sign) && !self.is_torn(sign)) {
                self.gone.insert(sign.0, (sign.1, b"="));
            }
        }
        let of_patch = patch.edits().iter();
        let insertions = of_patch.filter(|edit| {
            edit.start == edit.end && !self.is_torn((edit.start as u32, edit.end as u32))
        });
        let edits = self.gone.iter().map(|(&start, &(end, insert))| {
            let (start, end) = (start as usize, end as usize);
            Patch::replace(start, end, insert)
        });
        let edits: Vec<Edit<u8>> = edits.flat_map(|edit| edit.edits().to_vec()).collect();
        Patch::edits_of(insertions.cloned().chain(edits)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find;

    /// What is left of a Go function with this body, after an import, without `part`.
    fn left(text: &str, part: &str) -> String {
        let target = Target::new(text.as_bytes().to_vec());
        let syntax = Syntax::new(find("go").unwrap());
        let by = WithoutUnused(syntax);
        let start = text.find(part).unwrap();
        let cut = Patch::cut(start, start + part.len());
        let amended = by.amended(&target, cut).unwrap();
        String::from_utf8(amended.applied(target.elements())).unwrap()
    }

    fn check(body: &str, part: &str, expected: &str) {
        let within = |body: &str| format!("package a\nfunc f() {{\n{body}\n}}\n");
        assert_eq!(
            left(&within(body), part),
            within(expected),
            "{body} without {part}"
        );
    }

    #[test]
    fn imports_go_with_their_last_use_in_the_file() {
        let text = "package a\nimport (\n\"fmt\"\nb \"x/y\"\n\"m/c/v2\"\n)\nvar d = b.E\nfunc f() { fmt.Print(); c.C() }\n";
        let expected = text.replace("\"fmt\"\n", "").replace("fmt.Print();", "");
        assert_eq!(left(text, "fmt.Print();"), expected);
        let expected = "package a\nfunc f() {}\n";
        let text = "package a\nimport \"fmt\"\nfunc f() {fmt.Print()}\n";
        assert_eq!(left(text, "fmt.Print()"), expected);
        let text = text.to_owned() + "package b\nimport \"fmt\"\nfunc g() {fmt.Print()}\n";
        let expected = expected.to_owned() + "package b\nimport \"fmt\"\nfunc g() {fmt.Print()}\n";
        assert_eq!(left(&text, "fmt.Print()"), expected);
    }

    #[test]
    fn variables_go_with_their_last_use_and_take_others_with_them() {
        check("a := 1\nb := a\nb = 2\ng(b)", "g(b)", "");
        check("a, b := g()\nh(a)\nh(b)\n", "h(a)\n", "_, b := g()\nh(b)\n");
        check("a, b := g(); a = 1; h(b)", "h(b)", "a, _ := g(); a = 1; ");
        check(
            "a, err := g()\nb, err := h(a)\ng(err, b)\nh(a)",
            ", b",
            "a, err := g()\n_, err = h(a)\ng(err)\nh(a)",
        );
        check(
            "var a int\nif a := 1; a > 0 {}\ng(a)",
            "g(a)",
            "if a := 1; a > 0 {}\n",
        );
        check("if a := 1; a > 0 {}", "a > 0", "if   {}");
    }

    #[test]
    fn what_was_added_is_known() {
        let text = b"package a\nfunc f() { a, b := g(); c := b; h(); j(a, c) }";
        let target = Target::new(text.to_vec());
        let by = WithoutUnused(Syntax::new(find("go").unwrap()));
        let start = text.len() - 6;
        let cut = Patch::cut(start, start + 3);
        let amended = by.amended(&target, cut.clone()).unwrap();
        let expected = "package a\nfunc f() { a, _ := g();  h(); j(a) }";
        assert_eq!(amended.applied(text), expected.as_bytes());
        assert_eq!(by.bare(&target, &amended), cut);
    }

    #[test]
    fn what_need_not_be_used_stays() {
        check("func(a int) { g(a) }", "g(a)", "func(a int) {  }");
        check("const a = 1\ng(a)", "g(a)", "const a = 1\n");
        check("a := 1\ng(a)\ng(a)", "g(a)\n", "a := 1\ng(a)");
    }

    #[test]
    fn loops_switches_and_labels_lose_their_names() {
        check(
            "for i, x := range b { g(i, x) }",
            "g(i, x)",
            "for range b {  }",
        );
        check(
            "for i, x := range b { g(i); h(x) }",
            "g(i);",
            "for _, x := range b {  h(x) }",
        );
        check(
            "switch a := b.(type) { case int: g(a) }",
            "g(a)",
            "switch b.(type) { case int:  }",
        );
        check(
            "select { case a := <-b: g(a) }",
            "g(a)",
            "select { case <-b:  }",
        );
        check("a: for { g(); break a }", "break a", "for { g();  }");
    }
}
