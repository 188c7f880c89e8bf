//! Deletes everything but a few declarations and what they need, or a few declarations and what only
//! they need.
//!
//! Of a file with a thousand functions, three may matter: the one with the bug, and two that it
//! calls. What a declaration needs is told by the names in it, so one test takes all the rest away at
//! once, and nothing is missing: of `int a; int b; int f() { a; } int g() { b; }` remains
//! `int b; int g() { b; }`.
//!
//! In data a member is a declaration that strings elsewhere name, as `"#/definitions/a"` names the member
//! `a`; so are those beside it, and where data has none of these, the outermost of which there are several.
//!
//! Where the files of a folder import by name what they use of others (`modules/`), those that none imports are
//! what to begin with, together with what they need; then all that no file needs, with the imports that lead there;
//! then halves of the files that none imports, and so on.
//!
//! What stands first and declares nothing, as `package a` does, is kept with any of them, and so is
//! what declares nothing and names a file of the folder.
//!
//! Costs some dozen tests: the declarations that nothing else needs are the ones to begin with, the
//! last of them, the last four, sixteen, and so on; then halves, quarters and smaller parts of all of
//! them, to be kept alone or to be deleted. Where there is only one, it is also deleted alone, as if its names were
//! still used: `main` may matter less than what it calls.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let seen = reductions("keep_reachable", "c", "int a; int b; int f() { a; } int g() { b; }");
//! assert_eq!(seen[0], "int b; int g() { b; }");
//! ```

use std::collections::BTreeSet;
use std::rc::Rc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;
use ablate_passes::formats::folder::{Entries, Mentions};

use crate::items::Items;
use crate::members::Members;
use crate::modules::Links;
use crate::names::Names;
use crate::needs::{Care, Needs, Without};
use crate::passes::add_runs;
use crate::tree::{Syntax, SyntaxTree};

/// Parts of the roots below this share are left to other passes.
const SMALLEST_SHARE: usize = 32;
/// And so are parts below this share of the files that none imports.
const FIRST_FILES_SHARE: usize = 8;

/// Keeps a few declarations and what they need; see the module.
#[derive(Clone, Debug)]
pub struct KeepReachable(pub Rc<Syntax>);

/// A run of roots that is kept, or deleted.
#[derive(Clone, Copy, Debug)]
struct Choice {
    first: u32,
    last: u32,
    of: Of,
    care: Care,
}

/// What becomes of a run of roots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    /// It is kept, with what it needs.
    Kept,
    /// It is deleted, with what only it needs.
    Deleted,
    /// It is deleted, but what it names is kept, with what that needs.
    Named,
}

/// What there is to choose, what is tried first last.
struct Choices {
    all: Vec<Choice>,
    /// The roots, those in files that none imports last.
    roots: Vec<u32>,
}

impl Choices {
    fn of(needs: &Needs, names: &Names, tree: &SyntaxTree) -> Choices {
        let file_of = |root: &u32| {
            let node = needs.items.items[*root as usize].node as usize;
            let start = tree.nodes()[node].start as usize;
            names.links.as_ref()?.first_at(start)
        };
        let mut roots = needs.roots.clone();
        roots.sort_by_cached_key(file_of);
        let of_files: Vec<usize> = roots.iter().filter_map(file_of).collect();
        // Files without any root don't count.
        let files = of_files.chunk_by(|a, b| a == b).enumerate();
        let of_files = files.flat_map(|(file, roots)| roots.iter().map(move |_| file));
        let of_files: Vec<usize> = of_files.collect();
        let mut choices = Choices {
            all: Vec::new(),
            roots,
        };
        let has_bodies = !needs.items.bodies.is_empty();
        choices.add(has_bodies, of_files.is_empty());
        choices.add_files(&of_files, has_bodies);
        choices
    }

    /// Runs of roots that are kept or deleted, and the last of them where these may be what it is all about.
    fn add(&mut self, has_bodies: bool, may_be_last: bool) {
        let choices = &mut self.all;
        let roots = self.roots.len() as u32;
        if roots == 0 {
            return;
        }
        let smallest = (roots as usize / SMALLEST_SHARE).max(1);
        add_runs(0, roots as usize - 1, &mut |first, last| {
            let count = last + 1 - first;
            let (first, last) = (first as u32, last as u32);
            let is_large = count >= smallest;
            if is_large && count < roots as usize {
                choices.extend([Of::Kept, Of::Deleted].map(|of| Choice {
                    first,
                    last,
                    of,
                    care: Care::Little,
                }));
            }
            is_large
        });
        choices.sort_by_cached_key(|choice| (choice.last - choice.first, choice.first));
        let powers = std::iter::successors(Some(1), |count| Some(4 * count));
        let powers = powers.take_while(|&count| may_be_last && count < roots);
        let mut suffixes: Vec<u32> = powers.collect();
        suffixes.insert(0, roots);
        suffixes[1..].reverse();
        if roots == 1 {
            choices.push(Choice {
                first: 0,
                last: 0,
                of: Of::Named,
                care: Care::Little,
            });
        }
        for count in suffixes {
            self.keep(
                roots - count,
                roots - 1,
                has_bodies,
                &[Care::Much, Care::Little],
            );
        }
    }

    /// The roots in all files that none imports, or in all others; or in halves of these files, and so on.
    /// `files` has the file of each of the last roots.
    fn add_files(&mut self, files: &[usize], has_bodies: bool) {
        let before = (self.roots.len() - files.len()) as u32;
        let Some(&last) = files.last() else { return };
        let mut runs = Vec::new();
        add_runs(0, last, &mut |first, last| {
            let from = files.partition_point(|&file| file < first) as u32;
            let to = files.partition_point(|&file| file <= last) as u32;
            runs.push((before + from, before + to - 1));
            last + 1 - first > (files[files.len() - 1] + 1) / FIRST_FILES_SHARE
        });
        runs.sort_by_cached_key(|&(first, last)| (last - first, first));
        if let Some(last) = before.checked_sub(1) {
            runs.insert(runs.len() - 1, (0, last));
        }
        for (first, last) in runs {
            self.keep(first, last, has_bodies, &[Care::Little]);
        }
    }

    fn keep(&mut self, first: u32, last: u32, has_bodies: bool, cares: &[Care]) {
        let without = has_bodies.then_some(Care::NoBodies);
        for care in cares.iter().copied().chain(without) {
            self.all.push(Choice {
                first,
                last,
                of: Of::Kept,
                care,
            });
        }
    }
}

/// The roots that are kept with any others, since these may not be understood without them: those at the
/// head of a text, or of a file of a folder, and those that name another file, that declare nothing.
/// (Those at the head in C and C++ are directives, mostly of no use; data has no head.)
struct Kept(BTreeSet<u32>);

impl Kept {
    fn of(
        target: &Target<u8>,
        needs: &Needs,
        names: &Names,
        syntax: &Syntax,
        tree: &SyntaxTree,
    ) -> Kept {
        let entries = Entries::of(target);
        let mentions = Mentions::of(target);
        let has_heads = !matches!(syntax.language().name, "c" | "cpp" | "json" | "yaml");
        let node = |item: u32| needs.items.items[item as usize].node as usize;
        let declares = |item: u32| !needs.items.declares.at(item).is_empty();
        // An expression is a string that says what the text is.
        let is_clause = |item: u32| tree.kind(node(item)) != "expression_statement";
        let units = (0..).zip(&needs.items.items);
        let units = units
            .filter(|(_, item)| item.is_unit)
            .map(|(number, _)| number);
        let mut kept = BTreeSet::new();
        let mut last_file = None;
        let mut at_head = has_heads;
        for unit in units {
            let range = tree.nodes()[node(unit)].range();
            let file = entries
                .all()
                .partition_point(|it| it.content <= range.start);
            if last_file.replace(file) != Some(file) {
                at_head = has_heads;
            }
            let is_root = needs.roots.binary_search(&unit).is_ok();
            at_head &= !declares(unit) && is_clause(unit);
            // What a file passes on of others is known to be named elsewhere, or not.
            let is_known = names.links.is_some() && tree.kind(node(unit)) == "export_statement";
            let may_matter = at_head || !declares(unit) && mentions.are_in(range);
            if is_root && may_matter && !is_known {
                kept.insert(unit);
            }
        }
        Kept(kept)
    }
}

/// The names that a unit uses, and whether as such.
fn named(items: &Items, tree: &SyntaxTree, unit: u32) -> Vec<(u32, bool)> {
    let end = tree.nodes()[items.items[unit as usize].node as usize].next;
    let behind = items.items.partition_point(|item| item.node < end) as u32;
    let inside = unit..behind;
    let free = inside.clone().flat_map(|item| items.uses.at(item));
    let members = inside.flat_map(|item| items.member_uses.at(item));
    let members = members.map(|&name| (name, false));
    free.map(|&name| (name, true)).chain(members).collect()
}

/// The units by which files with these units in them are read.
fn leading_to(units: &[u32], items: &Items, tree: &SyntaxTree, links: &Links) -> Vec<u32> {
    let node = |unit: u32| items.items[unit as usize].node as usize;
    let starts = units
        .iter()
        .map(|&unit| tree.nodes()[node(unit)].start as usize);
    let statements = links.leading_to(starts).into_iter();
    let at = |statement: u32| items.items.partition_point(|item| item.node < statement);
    let units = statements.map(|statement| (statement, at(statement)));
    let units = units.filter(|&(statement, at)| {
        let item = items.items.get(at);
        item.is_some_and(|item| item.node == statement && item.is_unit)
    });
    units.map(|(_, at)| at as u32).collect()
}

/// The names that imports can't be without, and that they are used as such.
fn leading_names(units: &[u32], items: &Items, tree: &SyntaxTree) -> Vec<(u32, bool)> {
    let is_named = |&unit: &u32| {
        let node = items.items[unit as usize].node as usize;
        let mut parts = tree.children(node);
        let clause = parts.find(|&part| tree.kind(part) == "import_clause");
        clause.is_some_and(|clause| {
            let mut parts = tree.children(clause);
            parts.any(|part| tree.kind(part) != "named_imports")
        })
    };
    let units = units.iter().copied().filter(is_named);
    let names = units.flat_map(|unit| items.declares.at(unit));
    names.map(|&name| (name, true)).collect()
}

impl Pass<u8> for KeepReachable {
    fn name(&self) -> &'static str {
        "keep_reachable"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let members = Members::of(target, &self.0);
        let needs = Needs::of(target, &self.0);
        let names = Names::of(target, &self.0);
        let choices = target.analysis(|_| Choices::of(&needs, &names, members.tree()));
        let choice = choices.all[chooser.any(0..choices.all.len())?];
        let chosen = choice.first as usize..=choice.last as usize;
        let mut without = Without::default();
        let mut roots = choices.roots.clone();
        if choice.of == Of::Kept {
            roots = roots[chosen].to_vec();
            if let Some(links) = &names.links {
                let leading = leading_to(&roots, &needs.items, members.tree(), links);
                without.still_used = leading_names(&leading, &needs.items, members.tree());
                roots.extend(leading);
            }
            let kept =
                target.analysis(|target| Kept::of(target, &needs, &names, &self.0, members.tree()));
            roots.extend(&kept.0);
        } else {
            roots.drain(chosen);
        }
        roots.sort_unstable();
        roots.dedup();
        if choice.of == Of::Named {
            let root = choices.roots[choice.first as usize];
            without.still_used = named(&needs.items, members.tree(), root);
        }
        let mut is_hollow = Vec::new();
        if choice.care == Care::NoBodies {
            is_hollow = needs.hollow(&roots);
            without.is_blocked = needs.in_bodies(&is_hollow);
        }
        let kept = needs.kept(roots.iter().copied(), &without, choice.care);
        let patch = needs.removal(&members, |_| true, &kept.is_kept, &is_hollow);
        if patch.is_empty() {
            Err(DeadBranch)
        } else {
            Ok(patch)
        }
    }

    fn is_for_chaos(&self) -> bool {
        false
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
    use crate::languages::find;

    fn check(language: &str, text: &str, expected: &[&str]) {
        if find(language).is_none() {
            return;
        }
        let seen = reductions("keep_reachable", language, text);
        for candidate in expected {
            assert!(seen.iter().any(|seen| seen == candidate), "{seen:#?}");
        }
    }

    /// Some candidate is there, and none is as `is_wrong` says.
    fn check_never(language: &str, text: &str, is_wrong: impl Fn(&str) -> bool) {
        if find(language).is_none() {
            return;
        }
        let seen = reductions("keep_reachable", language, text);
        assert!(!seen.is_empty());
        assert_eq!(seen.iter().find(|seen| is_wrong(seen)), None);
    }

    #[test]
    fn members_that_nobody_names_go_with_their_definitions() {
        let text = "struct A { int m(); int n(); }; int A::m() { return 1; } int A::n() { return 2; } \
                    int b; int main() { A a; return a.m(); }";
        let without_bodies = "struct A { int m(); }; int main() { A a; return a.m(); }";
        let with_bodies =
            "struct A { int m(); }; int A::m() { return 1; } int main() { A a; return a.m(); }";
        check("cpp", text, &[without_bodies, with_bodies]);
    }

    #[test]
    fn what_the_only_root_names_can_stay_without_it() {
        let text = "struct A { int m(); int n(); }; int main() { A a; return a.m(); }";
        check("cpp", text, &["struct A { int m(); };"]);
        let text = "def f(): pass\ndef g(): f()\ndef h(): g()\n";
        check("python", text, &["def f(): pass\ndef g(): f()\n"]);
    }

    #[test]
    fn what_is_only_declared_is_not_static() {
        let text = "static int f(int a);\nint g() { return f(1); }\nstatic inline int f(int a) { return a; }\n\
                    int b;\nint h() { return f(2); }\n";
        let expected = " int f(int a);\n  int f(int a) ;\nint h() { return f(2); }\n";
        check("c", text, &[expected]);
    }

    #[test]
    fn what_the_text_of_a_macro_names_stays() {
        let text = "int a;\nint b;\n#define c(d) \\\n a + d\nint f() { return c(1); }\n";
        let expected = "int a;\n#define c(d) \\\n a + d\nint f() { return c(1); }\n";
        check("c", text, &[expected]);
    }

    #[test]
    fn what_shaders_name_stays() {
        let text = "struct A { b: i32, c: i32 }\nstruct D { b: i32 }\nvar<private> e: A;\nconst h = 1 + 2;\n\
                    fn f(d: D) -> i32 { i(); return e.b + h; }\nfn g() {}\nfn i() {}\n";
        let expected = "struct A { b: i32, c: i32 }\nstruct D { b: i32 }\nvar<private> e: A;\nconst h = 1 + 2;\n\
                        fn f(d: D) -> i32 { i(); return e.b + h; }\nfn i() {}\n";
        check("wgsl", text, &[expected]);
    }

    #[test]
    fn what_is_shown_or_imported_goes_with_what_it_names() {
        let text = "module A (f, g, C(..), D(D1)) where\nimport B (h, k)\nimport C (m)\nf = h\ng = k\n\
                    data C = C1\ndata D = D1 | D2\n";
        let expected = "module A (g) where\nimport B (k)\nimport C ()\ng = k\n";
        check("haskell", text, &[expected]);
        let text = "module A (f, g) where\nimport B (h)\nf = h\ng = 1\nh = 2\ni = f\nj = 3\n";
        check_never("haskell", text, |seen| {
            let is_there = seen.contains("f = h");
            ["(f", "(h)"].iter().any(|it| seen.contains(it) != is_there)
        });
        let text = "package p;\nimport p.A;\nimport p.B;\nclass C { B b; }\nclass D {}\n";
        check_never("java", text, |seen| seen.contains("import p.A"));
        check(
            "java",
            text,
            &["package p;\nimport p.B;\nclass C { B b; }\n"],
        );
    }

    #[test]
    fn what_is_assigned_is_declared_elsewhere() {
        let text = "lateinit var a: String\nfun f() { a = \"b\" }\nfun g() { a = \"c\" }\nfun h() { g() }\n";
        check_never("kotlin", text, |seen| {
            seen.contains("a =") && !seen.contains("var a")
        });
    }

    #[test]
    fn annotations_with_arguments_keep_their_classes() {
        let text = "annotation class A(val b: String)\n@A(\"c\")\nclass D\nclass E\n";
        check_never("kotlin", text, |seen| {
            seen.contains("@A") && !seen.contains("class A")
        });
    }

    #[test]
    fn line_markers_stay_whole() {
        let text =
            "# 1 \"a\"\nint b;int c;\n# 2 \"a\"\nint d;int e\n# 3 \"b\"\n=1;int f(){return e+c;}\n";
        let expected = "# 1 \"a\"\nint c;\n# 2 \"a\"\nint e\n# 3 \"b\"\n=1;int f(){return e+c;}\n";
        check("c", text, &[expected]);
        let text =
            "# 1 \"a\"\nint b;\n# 2 \"a\"\nint c;\n# 3 \"a\"\nint d(){return b;}\n# 4 \"a\"\n";
        let expected = "# 1 \"a\"\nint b;\n# 2 \"a\"\n\n# 3 \"a\"\nint d(){return b;}\n# 4 \"a\"\n";
        check("c", text, &[expected]);
    }

    #[test]
    fn pragmas_stay_in_pairs() {
        let text =
            "#pragma pack(push, 1)\nint a;\nint b;\n#pragma pack(pop)\nint f() { return b; }\n";
        let expected =
            "#pragma pack(push, 1)\n\nint b;\n#pragma pack(pop)\nint f() { return b; }\n";
        check("c", text, &[expected]);
    }

    #[test]
    fn the_clause_that_a_file_begins_with_stays() {
        let text =
            "package a\nimport \"x/b\"\nimport \"c\"\nfunc f() { b.d() }\nfunc g() { c.d() }\n";
        let expected = "package a\nimport \"c\"\nfunc g() { c.d() }\n";
        check("go", text, &[expected]);
    }

    #[test]
    fn members_of_data_go_with_what_only_they_name() {
        let text = r#"{"v":1,"o":{"c":{"in":"A"},"d":{"in":"B"}},"s":{"A":["B"],"B":["D"],"D":{},"E":{}}}"#;
        let expected = r#"{"v":1,"o":{"d":{"in":"B"}},"s":{"B":["D"],"D":{}}}"#;
        check("json", text, &[expected]);
        let text = "a: 1\njobs:\n  b:\n    x: y\n  c:\n    needs: b\n  d:\n    needs: e\n  e: {}\n";
        let expected = "a: 1\njobs:\n  d:\n    needs: e\n  e: {}\n";
        check("yaml", text, &[expected]);
    }

    #[test]
    fn a_variable_that_is_only_assigned_is_wanted_where_it_is_used() {
        let text = "<?php $a = new A; $b = new B; $a->c(); $b->d();";
        check("php", text, &["<?php $b = new B; $b->d();"]);
    }

    #[test]
    fn what_is_in_a_table_is_wanted_where_its_own_name_is_used() {
        let text = "local m, n = {}, 1\nfunction m.a() m.b() end\nfunction m.b() end\n\
                    m.c = n\nm.b()\nlocal d = 1\nprint(m.c)\n";
        let expected = "local m, n = {}, 1\nm.c = n\nprint(m.c)\n";
        check("lua", text, &[expected]);
    }

    #[test]
    fn a_namespace_keeps_its_name() {
        let text = "<?php namespace a { class B {} class C {} } namespace { new \\a\\C; }";
        let expected = "<?php namespace a { class C {} } namespace { new \\a\\C; }";
        check("php", text, &[expected]);
    }

    #[test]
    fn parts_of_groups_go_each_for_itself() {
        let text = "package a\nimport (\n\"b\"\n\"c\"\n)\ntype (\nd int\ne int\n)\n\
                    func (x d) m() { b.f() }\nfunc (x e) n() { c.g() }\nfunc h(x e) { x.n() }\n";
        let expected = "package a\nimport (\n\"c\"\n)\ntype (\ne int\n)\n\
                        func (x e) n() { c.g() }\nfunc h(x e) { x.n() }\n";
        check("go", text, &[expected]);
    }

    #[test]
    fn methods_that_nobody_names_stay_with_their_types() {
        let text = "package a\ntype b int\nfunc (x b) Error() {}\ntype c int\n\
                    func (x c) Error() {}\nfunc (x c) n() { x.n() }\nfunc h(x c) {}\n";
        let expected = "package a\ntype c int\nfunc (x c) Error() {}\nfunc h(x c) {}\n";
        check("go", text, &[expected]);
    }

    #[test]
    fn wires_stay_with_what_drives_and_uses_them() {
        let text = "module a(x, y, z);\n input x; output y, z;\n wire b, c;\n reg d;\n assign b = x;\n \
                    assign y = b;\n assign c = !x;\n always @(posedge c) d <= x;\n assign z = d;\nendmodule\n";
        let first = "module a(x, y, z);\n input x; output y, z;\n wire b;\n assign b = x;\n \
                     assign y = b;\nendmodule\n";
        let second = "module a(x, y, z);\n input x; output y, z;\n wire c;\n reg d;\n assign c = !x;\n \
                      always @(posedge c) d <= x;\n assign z = d;\nendmodule\n";
        check("verilog", text, &[first, second]);
        let text = "package p; typedef enum {A, B} s; typedef enum {C} t; endpackage\n\
                    module m #(parameter K = 1, L = 2)(input i, output o, q);\n function f; input v; f = v ^ L; \
                    endfunction\n p::s e;\n assign o = f(i) & (e == p::A);\n assign q = i;\nendmodule\n";
        check_never("verilog", text, |seen| {
            let lacks = |name: &str, uses: &str| seen.contains(uses) && !seen.contains(name);
            lacks("function f", "= f(")
                || lacks("L = 2", "^ L")
                || lacks("e;", "(e ==")
                || lacks("{A", "::A")
        });
    }

    #[test]
    fn variables_with_a_value_stay_with_their_uses() {
        let text = "int b; int f(int v) { int a = v, c = a; return c; }";
        let expected = "int f(int v) { int a = v, c = a; return c; }";
        check("c", text, &[expected]);
    }

    #[test]
    fn of_those_that_only_want_each_other_one_is_there_for_itself() {
        let text = "def f(): g()\ndef g(): f()\ndef h(): pass\n";
        check("python", text, &["def f(): g()\ndef g(): f()\n"]);
    }

    #[test]
    fn namespaces_only_hold_what_is_in_them() {
        let text = "namespace A { class B {} class C { int D(B b) { return 1; } } class E {} }";
        let expected = "namespace A { class B {} class C { int D(B b) { return 1; } } }";
        check("c-sharp", text, &[expected]);
        let text = "package A { class B; class C(b: B); class E }";
        check("scala", text, &["package A { class B; class C(b: B); }"]);
        let text = "module A\n class B\n end\n class C < B\n end\n class E\n end\nend\n";
        let expected = "module A\n class B\n end\n class C < B\n end\nend\n";
        check("ruby", text, &[expected]);
    }

    #[test]
    fn pieces_of_a_definition_stay_together() {
        let text = "a :: Int\na = 1\nb :: Int -> Int\nb 0 = 1\nb c = c\n";
        let expected = ["b :: Int -> Int\nb 0 = 1\nb c = c\n", "a :: Int\na = 1\n"];
        check("haskell", text, &expected);
        let text = "type A = Int\nnewtype B = C A\nd = C 1\ne = 1\n";
        let expected = "type A = Int\nnewtype B = C A\nd = C 1\n";
        check("haskell", text, &[expected]);
    }

    #[test]
    fn instances_do_not_wait_for_what_is_in_them() {
        let text = "data A = A\ninstance B A where\n  c A = d\nd = 1\ne :: A -> Int\ne f = 1\n";
        check("haskell", &format!("{text}g = d\n"), &[text]);
    }

    #[test]
    fn instances_stay_with_their_classes_and_types() {
        let text = "data A = A\nclass B b where\n  c :: b -> Int\ninstance B A where\n  c A = 1\n\
                    d = c A\ne = 1\n";
        let expected = "data A = A\nclass B b where\n  c :: b -> Int\n\
                        instance B A where\n  c A = 1\nd = c A\n";
        check("haskell", text, &[expected]);
    }

    #[test]
    fn names_count_where_the_grammar_does_not_say_that_they_are_some() {
        let text = "const a = 1;\nconst b = a;\nconst c = 2;\n";
        check("zig", text, &["const a = 1;\nconst b = a;\n"]);
        let text = "type A { b: B }\nscalar B\nscalar C\ntype D { c: C }\n";
        check("graphql", text, &["scalar C\ntype D { c: C }\n"]);
        let text = "message A {}\nmessage B {}\nmessage C { A a = 1; }\n";
        check("proto", text, &["message A {}\nmessage C { A a = 1; }\n"]);
    }

    #[test]
    fn macros_stay_for_keywords_that_they_define_anew() {
        let text = "#define inline\n#define b\nint c;\ninline int f() { return 0; }\n";
        let expected = "#define inline\n\ninline int f() { return 0; }\n";
        check("c", text, &[expected]);
    }

    #[test]
    fn directives_keep_their_lines() {
        let text = "int a() { return 1; }\n#define B\n#define C 1\nint d() { return a() + C; }\n";
        let expected = "int a() { return 1; }\n#define C 1\nint d() { return a() + C; }\n";
        check("c", text, &[expected]);
        let text = "#ifdef A\nint a;\n#endif\nint b;int c;int d() { return c; }\n";
        let expected = "#ifdef A\n#endif\nint c;int d() { return c; }\n";
        check("c", text, &[expected]);
        let text =
            "int a;int b;\n#ifdef A\nint c;static int d;\n#endif\nint e() { return b + d; }\n";
        let expected = "int b;\n#ifdef A\nstatic int d;\n#endif\nint e() { return b + d; }\n";
        check("c", text, &[expected]);
    }

    #[test]
    fn a_shader_keeps_its_version() {
        let text = "#version 300 es\nuniform int a;\nlowp vec2 f(const in vec2 b) { return b; }\n";
        let expected = "#version 300 es\n\nlowp vec2 f(const in vec2 b) { return b; }\n";
        check("glsl", text, &[expected]);
    }

    #[test]
    fn attributes_stay_and_go_with_what_they_are_about() {
        let text = "#![a]\n#[b] struct C; /// D.\n#[e]\n#[f]\nfn d() {}\n#[g]\nfn h() { C; }\n";
        let expected = [
            "#![a]\n#[b] struct C;\n#[g]\nfn h() { C; }\n",
            "#![a] /// D.\n#[e]\n#[f]\nfn d() {}\n",
        ];
        check("rust", text, &expected);
    }

    #[test]
    fn names_count_in_formats() {
        let text = "const A: u8 = 1;\nconst B: u8 = 2;\n\
                    fn c() { println!(\"{A:?} {{B}} {0}\", 3); }\nfn d() {}\n";
        let expected = "const A: u8 = 1;\nfn c() { println!(\"{A:?} {{B}} {0}\", 3); }\n";
        check("rust", text, &[expected]);
    }

    #[test]
    fn bodies_stay_that_are_as_short_as_what_would_take_their_place() {
        let text = "trait A { fn b() -> Option<()> {None} fn c() -> u8 { let d = 1; d + 2 } }\n\
                    fn e() {}\nfn f() { A::b() }\n";
        let expected =
            "trait A { fn b() -> Option<()> {None} fn c() -> u8 {panic!()} }\nfn f() { A::b() }\n";
        check("rust", text, &[expected]);
    }

    #[test]
    fn parts_of_types_are_not_what_is_called_the_same_outside() {
        let text = "trait A { type E; } trait E { fn b(); } enum F { E } fn g<T: A>() -> T::E { F::E } mod h;";
        let expected = "trait A { type E; } enum F { E } fn g<T: A>() -> T::E { F::E } mod h;";
        check("rust", text, &[expected]);
    }

    #[test]
    fn modules_stay_visible() {
        let text = "pub mod a { pub fn b() {} fn c() {} }\npub mod d { pub fn e() {} }\nfn f() { a::b(); }\n";
        let expected = "pub mod a { pub fn b() {} }\npub mod d { }\nfn f() { a::b(); }\n";
        check("rust", text, &[expected]);
    }

    #[test]
    fn a_class_stays_for_the_methods_that_others_seem_to_have() {
        let text = "class A { void B(int c) { c.D(); } } static class E { static int D(this int c) { return 1; } } class G { }";
        let expected = "class A { void B(int c) { c.D(); } } static class E { static int D(this int c) { return 1; } }";
        check("c-sharp", text, &[expected]);
    }

    #[test]
    fn properties_and_what_is_imported_are_declared() {
        let text = "import a.b.C\nimport a.b.D\nclass E { private var f: C? = null\n fun h(i: Int) = f }\nfun j() = E().h(1)\nfun k() = D()\n";
        let expected = "import a.b.C\nclass E { private var f: C? = null\n fun h(i: Int) = f }\nfun j() = E().h(1)\n";
        check("kotlin", text, &[expected]);
    }

    #[test]
    fn exports_go_as_a_whole() {
        let text = "export type A = 1; export type B = 2; export const c: B = 2;";
        check(
            "typescript",
            text,
            &["export type B = 2; export const c: B = 2;"],
        );
    }

    #[test]
    fn values_with_signs_are_names() {
        let text = "@a = global i32 0\n@b = global i32 0\ndefine i32 @f() {\n\
                    %1 = load i32, ptr @a\nret i32 %1\n}\ndefine ptr @g() {\nret ptr @b\n}\n";
        check(
            "llvm",
            text,
            &["@b = global i32 0\ndefine ptr @g() {\nret ptr @b\n}\n"],
        );
    }

    #[test]
    fn members_wait_for_their_classes() {
        let text = "struct A { int m(); A operator+(int); }; int A::m() { return 1; } struct B { int m(); }; \
                    struct C {}; struct D { C operator()(B); int m(C); }; C D::operator()(B) { return C(); } \
                    int D::m(C) { return 2; } int main() { B b; C c; return b.m(); }";
        let expected = "struct B { int m(); }; struct C {}; int main() { B b; C c; return b.m(); }";
        check("cpp", text, &[expected]);
    }

    #[test]
    fn operators_wait_for_their_types() {
        let text = "struct A {}; struct B {}; bool operator<(A, A); bool operator<(B, B); int b; \
                    int main() { A a; }";
        let expected = "struct A {}; bool operator<(A, A); int main() { A a; }";
        check("cpp", text, &[expected]);
    }

    #[test]
    fn what_a_coroutine_asks_for_without_naming_it_stays() {
        let text = "struct W { bool await_ready(); int n(); }; int b; \
                    struct A { struct promise_type { A get_return_object(); int m(); }; }; \
                    A f() { co_await W(); }";
        let expected = "struct W { bool await_ready(); }; \
                        struct A { struct promise_type { A get_return_object(); }; }; \
                        A f() { co_await W(); }";
        check("cpp", text, &[expected]);
    }

    #[test]
    fn implementations_wait_for_their_types() {
        let text = "struct A; impl A { fn m() {} fn n() {} } struct B; impl Clone for B {} \
                    fn g() { let b: B; } fn main() { A::m(); }";
        check(
            "rust",
            text,
            &["struct A; impl A { fn m() {} } fn main() { A::m(); }"],
        );
    }
}
