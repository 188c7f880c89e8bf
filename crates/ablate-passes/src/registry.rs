//! The passes on text that there are: their names, what they do, how to make them. A new pass is a
//! file in `passes/` and a line here.

use alloc::boxed::Box;
use alloc::string::String;

use ablate_engine::pass::Pass;
use ablate_engine::passes::{DeletePrefix, DeleteRepeats, DeleteSuffix};

use crate::passes::*;

/// What a pass is called, and what it does.
#[derive(Clone, Copy)]
pub struct Description {
    /// Verb and object, in snake case.
    pub name: &'static str,
    /// The comment that opens the source of the pass, and explains it.
    comment: &'static str,
}

/// How long the comment is that opens a source.
pub const fn comment_len(source: &str) -> usize {
    let bytes = source.as_bytes();
    let mut at = 0;
    while at + 2 < bytes.len()
        && matches!(
            [bytes[at], bytes[at + 1], bytes[at + 2]],
            [b'/', b'/', b'!']
        )
    {
        while at < bytes.len() && bytes[at] != b'\n' {
            at += 1;
        }
        at += 1;
    }
    if at < bytes.len() { at } else { bytes.len() }
}

/// The first bytes of a source.
pub const fn start<const LEN: usize>(source: &str) -> [u8; LEN] {
    let mut bytes = [0; LEN];
    let mut at = 0;
    while at < LEN {
        bytes[at] = source.as_bytes()[at];
        at += 1;
    }
    bytes
}

/// The [`Description`] of the pass of a name, of whose source only the comment that opens it is kept: all
/// sources together are six times as long.
#[macro_export]
macro_rules! description {
    ($name:expr, $source:expr) => {{
        const LEN: usize = $crate::registry::comment_len($source);
        const COMMENT: &[u8; LEN] = &$crate::registry::start($source);
        $crate::registry::Description::new(
            $name,
            match core::str::from_utf8(COMMENT) {
                Ok(comment) => comment,
                Err(_) => panic!("a comment ends within a character"),
            },
        )
    }};
}

impl Description {
    /// The description of the pass of this name whose source this comment opens.
    pub const fn new(name: &'static str, comment: &'static str) -> Description {
        Description { name, comment }
    }

    /// What the pass does, in one sentence.
    pub fn summary(&self) -> String {
        let explanation = self.explanation();
        let paragraph = explanation.split("\n\n").next().unwrap_or_default();
        paragraph.replace('\n', " ")
    }

    /// What the pass does, why that helps, what it costs, with an example: the text of the comment
    /// at the top of its source, in Markdown.
    pub fn explanation(&self) -> String {
        let comment = self.comment.lines().map_while(|l| l.strip_prefix("//!"));
        let mut text = String::new();
        for line in comment {
            text.push_str(line.strip_prefix(' ').unwrap_or(line));
            text.push('\n');
        }
        text
    }
}

impl core::fmt::Debug for Description {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Description").field(&self.name).finish()
    }
}

/// A pass on text, as people see it.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// What it is called, and what it does.
    pub description: Description,
    /// Makes the pass, for text.
    pub make: fn() -> Box<dyn Pass<u8>>,
    /// Makes the pass for binary data, where it has another idea there of what is simple.
    pub make_for_binary: fn() -> Box<dyn Pass<u8>>,
}

macro_rules! entries {
    (@binary $make:expr) => { || Box::new($make) };
    (@binary $make:expr, $binary:expr) => { || Box::new($binary) };
    ($($folder:literal $name:ident: $make:expr $(, in binary $binary:expr)?;)*) => {
        &[$(Entry {
            description: $crate::description!(
                stringify!($name),
                include_str!(concat!($folder, stringify!($name), ".rs"))
            ),
            make: || Box::new($make),
            make_for_binary: entries!(@binary $make $(, $binary)?),
        },)*]
    };
}

/// Every pass on text, those that stand first in a reduction first.
pub const PASSES: &[Entry] = entries![
    "passes/" delete_unread_files: DeleteUnreadFiles::default();
    "passes/" keep_included_files: KeepIncludedFiles;
    "passes/" delete_files: DeleteFiles;
    "passes/" delete_included_files: DeleteIncludedFiles;
    "passes/" empty_files: EmptyFiles;
    "passes/" inline_files: InlineFiles;
    "passes/" resolve_conditionals: ResolveConditionals;
    "passes/" delete_empty_macros: DeleteEmptyMacros;
    "../../ablate-engine/src/passes/" delete_prefix: DeletePrefix;
    "../../ablate-engine/src/passes/" delete_suffix: DeleteSuffix;
    "passes/" delete_onnx_nodes: DeleteOnnxNodes;
    "passes/" delete_large_parts: InContainer(DeleteLargeParts);
    "passes/" stub_parts: InContainer(StubParts);
    "passes/" delete_parts: InContainer(DeleteParts);
    "passes/" delete_part_bytes: InContainer(DeletePartBytes);
    "passes/" delete_packed_bytes: InContainer(DeletePackedBytes);
    "passes/" delete_variables: DeleteVariables;
    "passes/" delete_large_clause_runs: DeleteLargeClauseRuns;
    "passes/" delete_clauses: DeleteClauses;
    "passes/" delete_pure_clauses: DeletePureClauses;
    "passes/" propagate_units: PropagateUnits;
    "passes/" force_literals: ForceLiterals;
    "passes/" delete_literals: DeleteLiterals;
    "passes/" resolve_clauses: ResolveClauses;
    "passes/" merge_variables: MergeVariables;
    "passes/" flip_signs: FlipSigns;
    "passes/" renumber_variables: RenumberVariables;
    "passes/" sort_clauses: SortClauses;
    "passes/" delete_levels: DeleteLevels;
    "passes/" delete_terms: DeleteTerms;
    "passes/" delete_symbols: DeleteSymbols;
    "passes/" delete_symbol_parameters: DeleteSymbolParameters;
    "passes/" delete_datatypes: DeleteDatatypes;
    "passes/" replace_terms_by_parts: ReplaceTermsByParts;
    "passes/" replace_terms_by_constants: ReplaceTermsByConstants;
    "passes/" introduce_symbols: IntroduceSymbols;
    "passes/" inline_symbols: InlineSymbols;
    "passes/" simplify_terms: SimplifyTerms;
    "passes/" simplify_queries: SimplifyQueries;
    "passes/" simplify_commands: SimplifyCommands;
    "passes/" fold_bit_vectors: FoldBitVectors;
    "passes/" narrow_bit_vectors: NarrowBitVectors;
    "passes/" narrow_floats: NarrowFloats;
    "passes/" rename_symbols: RenameSymbols;
    "passes/" delete_rtlil_cells: DeleteRtlilCells;
    "passes/" delete_spirv_instructions: InModule(DeleteSpirvInstructions);
    "passes/" replace_spirv_values: InModule(ReplaceSpirvValues);
    "passes/" delete_spirv_branches: InModule(DeleteSpirvBranches);
    "passes/" delete_spirv_parameters: InModule(DeleteSpirvParameters);
    "passes/" inline_spirv_calls: InModule(InlineSpirvCalls);
    "passes/" merge_spirv_blocks: InModule(MergeSpirvBlocks);
    "passes/" delete_machine_functions: DeleteMachineFunctions;
    "passes/" delete_machine_instructions: DeleteMachineInstructions;
    "passes/" stub_wat_code: StubWatCode;
    "passes/" delete_wat_functions: DeleteWatFunctions;
    "passes/" delete_elements: DeleteElements;
    "passes/" lift_elements: LiftElements;
    "passes/" unwrap_elements: UnwrapElements;
    "passes/" delete_attributes: DeleteAttributes;
    "passes/" delete_hunk_lines: DeleteHunkLines;
    "passes/" delete_carriage_returns: DeleteCarriageReturns;
    "passes/" delete_tagged_blocks: DeleteTaggedBlocks;
    "passes/" delete_worded_blocks: DeleteWordedBlocks;
    "passes/" delete_large_items: DeleteLargeItems;
    "passes/" delete_large_words: DeleteLargeWords;
    "passes/" keep_named_items: KeepNamedItems;
    "passes/" keep_named_paragraphs: KeepNamedParagraphs;
    "passes/" delete_named_paragraphs: DeleteNamedParagraphs;
    "passes/" delete_mentions: DeleteMentions;
    "passes/" delete_named_blocks: DeleteNamedBlocks;
    "passes/" bypass_definitions: BypassDefinitions;
    "passes/" hollow_bodies: HollowBodies;
    "passes/" delete_comments: DeleteComments;
    "passes/" delete_lines: DeleteLines;
    "passes/" delete_indented_blocks: DeleteIndentedBlocks;
    "passes/" lift_indented_blocks: LiftIndentedBlocks;
    "passes/" delete_items: DeleteItems;
    "passes/" delete_two_items: DeleteTwoItems;
    "passes/" delete_counted_items: DeleteCountedItems;
    "passes/" delete_unreferenced_items: DeleteUnreferencedItems;
    "passes/" delete_arguments_everywhere: DeleteArgumentsEverywhere;
    "passes/" hollow_brackets: HollowBrackets;
    "passes/" delete_brackets: DeleteBrackets;
    "passes/" unwrap_brackets: UnwrapBrackets;
    "passes/" lift_brackets: LiftBrackets;
    "passes/" hoist_members: HoistMembers;
    "passes/" merge_brackets: MergeBrackets;
    "passes/" delete_keys_everywhere: DeleteKeysEverywhere;
    "passes/" delete_fields: DeleteFields;
    "passes/" delete_duplicate_lines: DeleteDuplicateLines;
    "passes/" hollow_quoted: HollowQuoted;
    "passes/" delete_quoted: DeleteQuoted;
    "passes/" delete_between_ngrams: delete_between_ngrams();
    "../../ablate-engine/src/passes/" delete_repeats: DeleteRepeats;
    "passes/" delete_tokens_everywhere: DeleteTokensEverywhere;
    "passes/" delete_tokens: DeleteTokens;
    "passes/" delete_between_tokens: DeleteBetweenTokens;
    "passes/" delete_blanks_everywhere: DeleteBlanksEverywhere;
    "passes/" merge_strings: MergeStrings;
    "passes/" delete_whitespace: DeleteWhitespace;
    "passes/" reduce_indentation: ReduceIndentation;
    "passes/" delete_short_runs: delete_short_runs();
    "passes/" simplify_literals: SimplifyLiterals;
    "passes/" replace_with_zero: ReplaceWithZero;
    "passes/" fold_constants: FoldConstants;
    "passes/" rename_identifiers: RenameIdentifiers;
    "passes/" replace_identifiers: ReplaceIdentifiers;
    "passes/" substitute_parts: SubstituteParts;
    "passes/" lower_integers: LowerIntegers;
    "passes/" lower_addends: LowerAddends;
    "passes/" lower_integers_everywhere: LowerIntegersEverywhere;
    "passes/" sort_lines: SortLines;
    "passes/" simplify_brackets: SimplifyBrackets;
    "passes/" lower_bytes_everywhere: lower_bytes_everywhere(), in binary lower_bytes_everywhere_in_binary();
    "passes/" lower_bytes: lower_bytes(), in binary lower_bytes_in_binary();
    "passes/" lift_parts: InContainer(LiftParts);
    "passes/" replace_runs_with_zeros: replace_runs_with_zeros(), in binary replace_runs_with_zeros_in_binary();
];
