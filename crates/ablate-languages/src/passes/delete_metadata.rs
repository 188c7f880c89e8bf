//! Deletes nodes of LLVM's metadata, and forgets them where they were referred to.
//!
//! Debug information is a graph in which everything leads to everything, and most of its nodes are types
//! that could as well not be known. A field or an element that refers to what is gone goes with it, or
//! becomes `null` where it has to be there; attachments and records go; and so does a node that means
//! nothing without one of its fields.
//!
//! Costs up to two tests for each node: all of them, then halves, their halves, down to single ones, the
//! largest first.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let text = "@a = global i32 0, !dbg !0\n!0 = !DIBasicType(name: \"int\")\n";
//! let seen = reductions("delete_metadata", "llvm", text);
//! assert_eq!(seen, ["@a = global i32 0\n"]);
//! ```

use std::ops::Range;
use std::rc::Rc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::metadata::Metadata;
use crate::passes::{add_runs, sort_largest_last};
use crate::tree::Syntax;

/// Deletes nodes of metadata; see the module.
#[derive(Clone, Debug)]
pub struct DeleteMetadata(pub Rc<Syntax>);

/// Runs of nodes, the largest last.
struct Runs(Vec<Range<usize>>);

impl Runs {
    fn of(metadata: &Metadata) -> Runs {
        let mut runs = Vec::new();
        if let Some(last) = metadata.len().checked_sub(1) {
            add_runs(0, last, &mut |first, last| {
                runs.push(first..last + 1);
                true
            });
        }
        sort_largest_last(&mut runs, |run| {
            let start = metadata.range(run.start).start;
            (metadata.range(run.end - 1).end - start, start)
        });
        Runs(runs)
    }
}

impl Pass<u8> for DeleteMetadata {
    fn name(&self) -> &'static str {
        "delete_metadata"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let metadata = Metadata::of(target, &self.0);
        let runs = target.analysis(|_| Runs::of(&metadata));
        let run = &runs.0[chooser.any(0..runs.0.len())?];
        Ok(metadata.without(run.clone()))
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

    /// Checks that `expected` is among what the pass makes of `text`.
    fn check(text: &str, expected: &str) {
        let seen = reductions("delete_metadata", "llvm", text);
        assert!(seen.iter().any(|seen| seen == expected), "{seen:#?}");
    }

    #[test]
    fn a_field_or_an_element_goes_with_it_or_is_null_where_it_has_to_be_there() {
        let kept = "!0 = !{!1, !2, !3}\n!1 = !DIBasicType(name: \"!2, (\", size: 8)\n";
        let text = "!2 = !DIFile(filename: \"a.c\", directory: \"/\")\n\
                    !3 = distinct !DICompositeType(file: !2, tag: DW_TAG_structure_type, elements: !0)\n\
                    !4 = !DIDerivedType(tag: DW_TAG_member, baseType: !3, size: 8)\n";
        let struct_without_file = "!0 = !{!1, !3}\n!1 = !DIBasicType(name: \"!2, (\", size: 8)\n\
                    !3 = distinct !DICompositeType(tag: DW_TAG_structure_type, elements: !0)\n\
                    !4 = !DIDerivedType(tag: DW_TAG_member, baseType: !3, size: 8)\n";
        check(&[kept, text].concat(), struct_without_file);
        let without_struct = "!0 = !{!1, !2}\n!1 = !DIBasicType(name: \"!2, (\", size: 8)\n\
                    !2 = !DIFile(filename: \"a.c\", directory: \"/\")\n\
                    !4 = !DIDerivedType(tag: DW_TAG_member, baseType: null, size: 8)\n";
        check(&[kept, text].concat(), without_struct);
    }

    #[test]
    fn what_means_nothing_without_it_goes_with_its_attachments_and_records() {
        let text = "define void @f(i32 %a) !dbg !1 {\n    #dbg_value(i32 %a, !2, !DIExpression(), !3)\n  \
                    ret void, !dbg !3\n}\n!llvm.dbg.cu = !{!0}\n!0 = distinct !DICompileUnit(file: !4)\n\
                    !1 = distinct !DISubprogram(name: \"f\", unit: !0)\n!2 = !DILocalVariable(scope: !1)\n\
                    !3 = !DILocation(line: 1, scope: !1)\n!4 = !DIFile(filename: \"a\", directory: \"\")\n";
        let file = "define void @f(i32 %a) {\n    ret void\n}\n\
                    !4 = !DIFile(filename: \"a\", directory: \"\")\n";
        check(text, file);
        let without_variable = text.replace("!2 = !DILocalVariable(scope: !1)\n", "");
        let record = "#dbg_value(i32 %a, !2, !DIExpression(), !3)\n  ";
        check(text, &without_variable.replace(record, ""));
    }

    #[test]
    fn a_call_that_computes_nothing_goes_and_another_is_given_nothing() {
        let text = "define i1 @f() {\n  call void @g(metadata !0), !dbg !1\n  %a = call i1 @h(metadata !0)\n  \
                    ret i1 %a\n}\n!0 = !{!\"a\", i32 1}\n!1 = !{}\n";
        let expected =
            "define i1 @f() {\n  %a = call i1 @h(metadata !{})\n  ret i1 %a\n}\n!1 = !{}\n";
        check(text, expected);
        let unattached = text.replace(", !dbg !1", "").replace("!1 = !{}\n", "");
        check(text, &unattached);
    }
}
