//! Deletes something together with what only it needs, or a name wherever it stands with what is
//! there only for it.
//!
//! A short line can be all that a long library is there for: of `struct a { … }; a b; int main() {}`,
//! `a b;` goes together with `struct a`. What takes most off with it is tried first, whatever its own
//! size. Halves of long lists, their halves, and so on, go in the same way: of a library where each
//! function is there for one statement that exports it, many go at once. In JavaScript, what is put into objects for
//! others to call goes at once where nobody does by its name (`exported.rs`), or half of it.
//!
//! How much goes with something is only estimated, by what is there for nothing else; for names and parts
//! of lists in what nothing needs, such as the statements of `main`, it is found out.
//!
//! Costs one test for each thing that takes something else with it, at least a 2048th of the text,
//! two for each name that does, and one for each part of a list, at least a 64th of the text.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let seen = reductions("delete_with_needs", "c", "struct a { int c; }; struct a b; int d;");
//! assert!(seen.contains(&"int d;".to_owned()));
//! ```

use std::cmp::Reverse;
use std::rc::Rc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::blocks::Functions;
use crate::exported::Exported;
use crate::items::{Item, NONE, Trigger};
use crate::members::Members;
use crate::names::Names;
use crate::needs::{Needs, Without};
use crate::passes::{add_runs, sort_largest_last};
use crate::tree::Syntax;
use crate::weights::Weights;

/// What takes less than this share of the text with it is left to other passes.
const SMALLEST_SHARE: usize = 2048;
/// What takes less than so many times its own size with it is left to other passes.
const WORTH: u64 = 2;
/// Parts of lists that take less than this share with them are left to their members.
const SMALLEST_RUN: usize = 64;
/// So many items are looked at to find out how much goes with something.
const LOOKS_MAX: usize = 2_000_000;
/// Names that stand in more places are not tried.
const PLACES_MAX: usize = 200;

/// Deletes something with what only it needs; see the module.
#[derive(Clone, Debug)]
pub struct DeleteWithNeeds(pub Rc<Syntax>);

/// Something to delete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deletion {
    /// An item.
    Item(u32),
    /// A name wherever it stands, and whether only members of longer lists go for it.
    Name(u32, bool),
    /// Items of one list, by their places in `Deletions::alone`.
    Run(usize, usize),
    /// Members of data, by their places among the declarations, with all that name them.
    Named(usize, usize),
    /// What is there for others to call, by its places among all that is, without what is in use.
    Exported(usize, usize),
}

/// What can be deleted, what takes most with it last.
struct Deletions {
    all: Vec<Deletion>,
    /// Items that nobody names, those of one list together.
    alone: Vec<u32>,
    exported: Exported,
}

impl Deletions {
    fn of(
        target: &Target<u8>,
        members: &Members,
        names: &Names,
        needs: &Needs,
        functions: &Functions,
        weights: &Weights,
    ) -> Deletions {
        let (retained, is_kept) = (&weights.retained.sizes, &weights.kept.is_kept);
        let items = &needs.items;
        let smallest = (target.len() / SMALLEST_SHARE).max(1) as u64;
        let nodes = members.tree().nodes();
        let mut all = Vec::new();
        let mut alone = Vec::new();
        // Parts of instructions, and what these compute, are left to those who know what stays well-formed.
        let is_in_body = |node: usize| functions.has_in_body(nodes[node].start as usize);
        let is_whole = |node: usize| members.tree().kind(node) == "instruction";
        let is_member = |(_, item): &(u32, &Item)| item.member != NONE;
        for (number, item) in (0..).zip(&items.items).filter(is_member) {
            let node = &nodes[item.node as usize];
            let size = retained[number as usize];
            // What is used elsewhere by its name can't go without its uses.
            let is_unused = |name: &u32| names.by_name[*name as usize].len() < 2;
            let is_stray = || needs.strays.binary_search(&number).is_ok();
            let is_alone = (item.trigger == Trigger::Always || is_stray())
                && items.declares.at(number).iter().all(is_unused)
                || needs.roots.binary_search(&number).is_ok();
            let is_all = whole(members, needs, number) != number;
            let at = item.node as usize;
            if is_alone && !is_all && (is_whole(at) || !is_in_body(at)) {
                alone.push(number);
                if size > WORTH * node.len() as u64 && size >= smallest {
                    all.push((Deletion::Item(number), size, node.start));
                }
            }
        }
        let node = |number: u32| &nodes[items.items[number as usize].node as usize];
        let list = |number: u32| members.list_of(items.items[number as usize].member as usize);
        alone.sort_by_cached_key(|&number| (list(number).first, number));
        let within = within_roots(needs);
        let mut in_roots = Vec::new();
        let mut first = 0;
        for of_list in alone.chunk_by(|&a, &b| list(a) == list(b)) {
            let last = first + of_list.len() - 1;
            let is_in_root = within[of_list[0] as usize];
            add_runs(first, last, &mut |first, last| {
                let run = &alone[first..=last];
                let own: usize = run.iter().map(|&item| node(item).len()).sum();
                let size: u64 = run.iter().map(|&item| retained[item as usize]).sum();
                let is_large = size >= (target.len() / SMALLEST_RUN) as u64;
                if is_large && first < last && size > WORTH * own as u64 {
                    all.push((Deletion::Run(first, last), size, node(alone[last]).start));
                }
                if is_in_root {
                    let start = node(alone[last]).start;
                    in_roots.push((own as u64, start, Deletion::Run(first, last), size));
                }
                is_large || is_in_root
            });
            first = last + 1;
        }
        let declared = names
            .declarations
            .iter()
            .filter(|d| !is_in_body(d.0 as usize));
        let mut declared: Vec<u32> = declared.map(|d| d.1).collect();
        declared.sort_unstable();
        declared.dedup();
        let count = items.items.len() as u32;
        for name in declared {
            let places = &names.by_name[name as usize];
            if places.len() > PLACES_MAX {
                continue;
            }
            let mut owners: Vec<u32> = places.iter().map(|&at| items.around[at as usize]).collect();
            owners.sort_unstable();
            owners.dedup();
            let is_free = owners.iter().all(|&owner| owner != NONE);
            let sizes = owners
                .iter()
                .filter_map(|&owner| retained.get(owner as usize));
            let own = owners
                .iter()
                .filter_map(|&owner| items.items.get(owner as usize));
            let own: u64 = own.map(|item| u64::from(item.own)).sum();
            let size = sizes.sum::<u64>() + retained[(count + name) as usize];
            let size = size.min(target.len() as u64);
            let last = places
                .last()
                .map_or(0, |&at| names.occurrences[at as usize].node);
            let start = nodes[last as usize].start;
            if is_free && size > WORTH * own && size >= smallest {
                let of = |is_listed| (Deletion::Name(name, is_listed), size, start);
                all.extend([true, false].map(of));
            }
            if is_free && owners.iter().all(|&owner| within[owner as usize]) {
                in_roots.push((own, start, Deletion::Name(name, true), size));
            }
        }
        let last = names.declarations.len().checked_sub(1);
        let last = last.filter(|_| !names.collections.is_empty());
        let mut add_named = |first: usize, last: usize| {
            let gone = naming(names, needs, (first, last));
            let gone = gone.iter().flatten().zip(0..);
            let units = gone.filter(|(is_gone, _)| **is_gone);
            let size: u64 = units.map(|(_, item)| node(item).len() as u64).sum();
            let is_large = first < last && size >= (target.len() / SMALLEST_RUN) as u64;
            if is_large {
                let start = node(0).start;
                all.push((Deletion::Named(first, last), size, start));
            }
            is_large
        };
        if let Some(last) = last {
            add_runs(0, last, &mut add_named);
        }
        let exported = Exported::of(target.elements(), members.tree(), names, needs);
        if let Some(last) = exported.items.len().checked_sub(1) {
            let blocked = exported.unneeded(needs, 0, last);
            let size = blocked.map_or(0, |blocked| removed(needs, blocked, is_kept));
            // As much of it as of them, since it takes long to find out.
            let share = |count: usize| size * count as u64 / (last as u64 + 1);
            add_runs(0, last, &mut |first, last| {
                let size = share(last + 1 - first);
                let is_large = size >= (target.len() / SMALLEST_RUN).max(1) as u64;
                if is_large && first < last {
                    let start = node(exported.items[last]).start;
                    all.push((Deletion::Exported(first, last), size, start));
                }
                is_large
            });
        }
        // The largest first, and of these the last.
        in_roots.sort_unstable_by_key(|&(own, start, ..)| Reverse((own, start)));
        in_roots.truncate(LOOKS_MAX / items.items.len().max(1));
        for (own, start, deletion, estimate) in in_roots {
            let is_one = !matches!(deletion, Deletion::Run(first, last) if first < last);
            let least = if is_one { SMALLEST_SHARE } else { SMALLEST_RUN };
            let blocked = blocked(deletion, &alone, &exported, members, names, needs);
            let size = blocked.map_or(0, |blocked| removed(needs, blocked, is_kept));
            let is_large = size >= (target.len() / least).max(1) as u64;
            // What is about as large as it was taken for is there already.
            if is_large && size > WORTH * own && size / 2 > estimate {
                all.push((deletion, size, start));
            }
        }
        sort_largest_last(&mut all, |&(_, size, start)| {
            (size as usize, start as usize)
        });
        Deletions {
            all: all.into_iter().map(|(deletion, ..)| deletion).collect(),
            alone,
            exported,
        }
    }
}

/// For each item whether it is one of those to delete; `None` if they can't be deleted. `alone` are items
/// that nobody names.
fn blocked(
    deletion: Deletion,
    alone: &[u32],
    exported: &Exported,
    members: &Members,
    names: &Names,
    needs: &Needs,
) -> Option<Vec<bool>> {
    let mut blocked = vec![false; needs.items.items.len()];
    match deletion {
        Deletion::Item(item) => blocked[item as usize] = true,
        Deletion::Run(first, last) => {
            for &item in &alone[first..=last] {
                blocked[item as usize] = true;
            }
        }
        Deletion::Named(first, last) => return naming(names, needs, (first, last)),
        Deletion::Exported(first, last) => return exported.unneeded(needs, first, last),
        Deletion::Name(name, is_listed) => {
            for &place in &names.by_name[name as usize] {
                let mut item = needs.items.around[place as usize];
                if is_listed {
                    item = listed(members, needs, item)?;
                }
                if item != NONE {
                    item = whole(members, needs, item);
                }
                *blocked.get_mut(item as usize)? = true;
            }
        }
    }
    Some(blocked)
}

/// For each item whether it is within one that nothing needs. An item stands behind the one around it.
fn within_roots(needs: &Needs) -> Vec<bool> {
    let mut within: Vec<bool> = Vec::with_capacity(needs.items.items.len());
    for item in &needs.items.items {
        let is_around = within.get(item.parent as usize);
        let is_in_root = is_around
            .is_some_and(|&is_within| is_within || needs.roots.binary_search(&item.parent).is_ok());
        within.push(is_in_root);
    }
    within
}

/// How many bytes go when the items go that are blocked.
fn removed(needs: &Needs, is_blocked: Vec<bool>, was_kept: &[bool]) -> u64 {
    let kept = needs.left(&Without {
        is_blocked,
        ..Without::default()
    });
    let items = needs.items.items.iter().zip(was_kept).zip(&kept.is_kept);
    let gone = items.filter(|((_, was_kept), is_kept)| **was_kept && !**is_kept);
    gone.map(|((item, _), _)| u64::from(item.own)).sum()
}

/// The item around an item of which nothing would be left without it but a word or a sign, as of
/// `: a` in `struct b : a {};`, or the head of a template, or of which nothing is declared any more, as
/// of `int a;` without `a`; or the item itself.
fn whole(members: &Members, needs: &Needs, mut number: u32) -> u32 {
    let tree = members.tree();
    loop {
        let item = &needs.items.items[number as usize];
        let Some(around) = needs.items.items.get(item.parent as usize) else {
            return number;
        };
        let ends = tree.nodes()[item.node as usize].end == tree.nodes()[around.node as usize].end;
        let parts = tree.children(around.node as usize);
        let named = parts.filter(|&part| tree.nodes()[part].is_named);
        let is_part = tree.nodes()[item.node as usize].parent == around.node;
        let is_head = tree.kind_name(&tree.nodes()[around.node as usize]) == "template_declaration";
        let is_all = is_part && ends && (is_head || named.count() <= 1);
        let must_stay = item.member == NONE || members.is_indispensable(item.member as usize);
        if !is_all && !must_stay {
            return number;
        }
        number = item.parent;
    }
}

/// The units of data that are some of its members or name them, or name what does, and so on; `None` if
/// something else names them.
fn naming(names: &Names, needs: &Needs, (first, last): (usize, usize)) -> Option<Vec<bool>> {
    let items = &needs.items;
    let mut is_gone = vec![false; items.items.len()];
    let declared = names.declarations[first..=last].iter();
    let mut open: Vec<u32> = declared.map(|declaration| declaration.1).collect();
    while let Some(name) = open.pop() {
        for &place in &names.by_name[name as usize] {
            let mut at = items.around[place as usize];
            let mut unit = items.items.get(at as usize)?;
            while !unit.is_unit {
                at = unit.parent;
                unit = items.items.get(at as usize)?;
            }
            if !std::mem::replace(&mut is_gone[at as usize], true) {
                open.extend(items.declares.at(at));
            }
        }
    }
    Some(is_gone)
}

/// The innermost member of a list with others around an item.
fn listed(members: &Members, needs: &Needs, mut item: u32) -> Option<u32> {
    // Tags stand beside what is between them, but are not there for themselves.
    const TAGS: &[&str] = &["STag", "ETag", "start_tag", "end_tag"];
    loop {
        let around = needs.items.items.get(item as usize)?;
        if around.member == NONE {
            item = around.parent;
            continue;
        }
        let list = members.list_of(around.member as usize);
        let is_tag = TAGS.contains(&members.tree().kind(around.node as usize));
        if list.first < list.last && !is_tag {
            return Some(item);
        }
        item = around.parent;
    }
}

impl Pass<u8> for DeleteWithNeeds {
    fn name(&self) -> &'static str {
        "delete_with_needs"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let members = Members::of(target, &self.0);
        let names = Names::of(target, &self.0);
        let needs = Needs::of(target, &self.0);
        let weights = Weights::of(target, &self.0);
        let functions = Functions::of(target, &self.0);
        let deletions = target.analysis(|target| {
            Deletions::of(target, &members, &names, &needs, &functions, &weights)
        });
        let deletion = deletions.all[chooser.any(0..deletions.all.len())?];
        let (alone, exported) = (&deletions.alone, &deletions.exported);
        let is_blocked = blocked(deletion, alone, exported, &members, &names, &needs);
        let without = Without {
            is_blocked: is_blocked.ok_or(DeadBranch)?,
            ..Without::default()
        };
        let kept = needs.left(&without);
        let was_kept = |item: u32| weights.kept.is_kept[item as usize];
        let patch = needs.removal(&members, was_kept, &kept.is_kept, &[]);
        if patch.is_empty() {
            Err(DeadBranch)
        } else {
            Ok(patch)
        }
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn is_largest_first(&self) -> bool {
        true
    }

    fn keeps_form(&self) -> bool {
        true
    }

    fn rank(&self) -> u8 {
        9
    }
}

#[cfg(test)]
mod tests {
    use crate::explain::reductions;

    #[test]
    fn what_a_document_type_declares_goes_with_its_elements_and_references() {
        let text =
            "<!DOCTYPE r [<!ENTITY e 'long enough'><!ELEMENT r (a-b,c)><!ELEMENT a-b (#PCDATA)>
            <!ELEMENT c (#PCDATA)>]><r><a-b>some text</a-b><c>&e;</c></r>";
        let expected = "<!DOCTYPE r [<!ENTITY e 'long enough'><!ELEMENT r (c)>
            <!ELEMENT c (#PCDATA)>]><r><c>&e;</c></r>";
        let seen = reductions("delete_with_needs", "xml", text);
        assert!(seen.iter().any(|seen| seen == expected), "{seen:#?}");
    }

    #[test]
    fn a_type_goes_with_the_fields_and_the_places_in_lists_that_name_it() {
        let text = "type Query {\n  a: [Long!]!\n  u: U\n}\ntype Long implements I {\n  id: ID!\n  some: String\n}\n\
                    interface I {\n  id: ID!\n}\ntype B implements I & J {\n  id: ID!\n  long(a: Int): Long!\n}\n\
                    interface J {\n  id: ID!\n}\nunion U = Long | B\n";
        let expected = "type Query {\n  u: U\n}\ninterface I {\n  id: ID!\n}\ntype B implements I & J {\n  id: ID!\n}\n\
                        interface J {\n  id: ID!\n}\nunion U = B\n";
        let seen = reductions("delete_with_needs", "graphql", text);
        assert!(seen.iter().any(|seen| seen == expected), "{seen:#?}");
        let nothing = ["a:\n", "a: }", ": !", "[]", "type {", "= |"];
        let is_torn = |seen: &&String| nothing.iter().any(|part| seen.contains(part));
        assert_eq!(seen.iter().find(is_torn), None);
        let text = "message Long {\n  int32 number = 1;\n  string text = 2;\n}\nmessage B {\n  repeated Long a = 1;\n  \
                    map<int32, Long> b = 2;\n  oneof c {\n    Long d = 3;\n    int32 e = 4;\n  }\n}\n";
        let expected = "message B {\n  oneof c {\n    int32 e = 4;\n  }\n}\n";
        let seen = reductions("delete_with_needs", "proto", text);
        assert!(seen.iter().any(|seen| seen == expected), "{seen:#?}");
    }

    #[test]
    fn what_an_instruction_computes_does_not_go_from_others() {
        let text = "declare i32 @long_name(i32)\ndefine i32 @f() {\n  %1 = call i32 @long_name(i32 234567890)\n  \
                    %2 = add i32 %1, 234567890\n  %3 = mul i32 %2, 234567890\n  ret i32 7\n}\n";
        let seen = reductions("delete_with_needs", "llvm", text);
        let is_whole =
            |line: &str| text.lines().any(|whole| whole == line) || line.trim().is_empty();
        let others = ["  %2", "  %3", "  ret"];
        let is_other = |line: &&str| others.iter().any(|other| line.starts_with(other));
        let in_body = |seen: &String| seen.lines().filter(is_other).all(is_whole);
        assert!(
            seen.iter().any(|seen| !seen.contains("long_name")),
            "{seen:#?}"
        );
        assert!(seen.iter().all(in_body), "{seen:#?}");
    }

    #[test]
    fn what_only_wants_each_other_keeps_what_it_needs() {
        let text = "struct M { int a; int b; int c; int d; }; struct N { int e; }; struct B; \
                    struct A { B *b; N n; }; struct B { A *a; }; int f(N, M);";
        let expected =
            "struct N { int e; }; struct B; struct A { B *b; N n; }; struct B { A *a; };";
        let seen = reductions("delete_with_needs", "cpp", text);
        assert!(seen.iter().any(|seen| seen == expected), "{seen:#?}");
    }

    #[test]
    fn statements_of_what_nothing_needs_go_with_what_only_they_need_together() {
        let text = "void c() { first_of_all(1, 2, 3); second_of_all(4, 5, 6); third_of_all(7, 8, 9); \
                    fourth_of_all(10, 11, 12); fifth_of_all(13, 14, 15); sixth_of_all(16, 17, 18); \
                    seventh_of_all(19, 20, 21); } void a(char *) { c(); } void b(char *) { c(); } void d(); \
                    int main() { a(\"some long text to begin with\"); b(\"some other text, as long\"); \
                    d(1); d(2); }";
        let seen = reductions("delete_with_needs", "c", text);
        let expected = "void d(); int main() { d(1); d(2); }";
        assert!(seen.iter().any(|seen| seen == expected), "{seen:#?}");
    }

    #[test]
    fn a_declaration_goes_with_all_that_it_declares() {
        let text = "struct B { int c; int d; int e; }; struct A; struct A *f(struct B); typedef struct B T; \
                    int g() { f(0); return 0; } int h;";
        let seen = reductions("delete_with_needs", "c", text);
        let expected = "struct A; struct A *f(); int g() { f(0); return 0; } int h;";
        assert!(seen.iter().any(|seen| seen == expected), "{seen:#?}");
        let nothing = ["typedef struct T", "struct *f", "(struct)", "A ;", "B ;"];
        let is_empty = |seen: &&String| nothing.iter().any(|part| seen.contains(part));
        assert_eq!(seen.iter().find(is_empty), None);
    }

    #[test]
    fn a_name_goes_with_what_says_where_it_is() {
        let text = "namespace n { struct B { int c; int d; int e; int f; }; template<class T> T *g(int); } \
                    int h() { auto i = n::g<n::B>(1234); return 0; }";
        let seen = reductions("delete_with_needs", "cpp", text);
        let is_torn = |seen: &&String| ["::(", "::<", "::>"].iter().any(|it| seen.contains(it));
        assert_eq!(seen.iter().find(is_torn), None);
    }

    #[test]
    fn what_is_there_for_others_to_call_goes_together_where_nobody_does() {
        let text = "function f() { function a() { return b(); } function b() { return 12345678; }\n\
                    function c() { return d.named(); } function d() { return 'said'; }\n\
                    d.named = a; d.first = b; d.second = c; d.said = c; d.third = () => 1234567890;\n\
                    e({ first, fourth() { return 1234567890; }, fifth: 1 }); return d; }\nf().named();\n";
        let expected = "function f() { function a() { return b(); } function b() { return 12345678; }\n\
                        function c() { return d.named(); } function d() { return 'said'; }\n\
                        d.named = a;   d.said = c; \n\
                        e({   fifth: 1 }); return d; }\nf().named();\n";
        let spaceless = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let seen = reductions("delete_with_needs", "javascript", text);
        let is_it = |seen: &String| spaceless(seen) == spaceless(expected);
        assert!(seen.iter().any(is_it), "{seen:#?}");
    }

    #[test]
    fn what_is_named_alike_elsewhere_in_minified_code_is_something_else() {
        let text = "!function(t){function n(e){return e(12345678)}function e(n){return n+12345678}\
                    function r(e,n){return e.u=n,12345678}t.a=n,t.b=e,t.c=r}(this),a(1);";
        let expected = "!function(t){function n(e){return e(12345678)}t.a=n}(this),a(1);";
        let seen = reductions("delete_with_needs", "javascript", text);
        assert!(seen.iter().any(|seen| seen == expected), "{seen:#?}");
    }

    #[test]
    fn what_an_object_takes_from_a_scope_stays_where_it_is_called_as_a_part_of_that() {
        let text = "function f() { function a() { return 1234567890 } function b() { return 1234567890 } \
                    function c() { return 1234567890 } return { a, b, c } } f().a();";
        let expected = "function f() { function a() { return 1234567890 } return { a } } f().a();";
        let spaceless = |text: &str| text.split_whitespace().collect::<String>();
        let seen = reductions("delete_with_needs", "javascript", text);
        let is_it = |seen: &String| spaceless(seen) == spaceless(expected);
        assert!(seen.iter().any(is_it), "{seen:#?}");
    }

    #[test]
    fn members_of_data_go_with_all_that_name_them() {
        let text = r#"{"n":[{"id":"a"},{"id":"b"},{"id":"c"},{"id":"d"}],
            "e":[{"s":"a","t":"c"},{"s":"b","t":"a"},{"s":"c","t":"d"}]}"#;
        let expected = r#"{"n":[{"id":"c"},{"id":"d"}],
            "e":[{"s":"c","t":"d"}]}"#;
        let seen = reductions("delete_with_needs", "json", text);
        assert!(seen.iter().any(|seen| seen == expected), "{seen:#?}");
    }
}
