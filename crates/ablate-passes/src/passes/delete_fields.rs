//! Deletes the same field of every row of a table.
//!
//! A row of another length than the others is an error for most that read a table, and no row can lose
//! a field alone: of `a,b,c` and `1,2,3` remains `a,c` and `1,3`. Nothing is known of formats here: where
//! three of four lines have as many commas (or semicolons, tabs, bars), the text is a table.
//!
//! Costs one test for each half of the columns, for each half of these, and so on down to one for each
//! column.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteFields;
//!
//! assert_eq!(reductions(&DeleteFields, "a,b\n1,2\n"), ["a\n1\n", "b\n2\n"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::tables::Table;

/// Deletes fields of all rows; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteFields;

impl Pass<u8> for DeleteFields {
    fn name(&self) -> &'static str {
        "delete_fields"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let table = Table::of(target);
        // Runs of 1, 2, 4… columns: sweeps go backwards.
        let largest = table.columns.next_power_of_two() / 2;
        let sizes = largest
            .checked_ilog2()
            .map_or(0, |power| power as usize + 1);
        let size = 1 << chooser.any(0..sizes)?;
        let run = chooser.any(0..table.columns.div_ceil(size))?;
        let last = (run * size + size).min(table.columns) - 1;
        Ok(Patch::cuts(table.cuts(run * size, last)))
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn is_largest_first(&self) -> bool {
        true
    }

    fn rank(&self) -> u8 {
        7
    }
}

#[cfg(test)]
mod tests {
    use crate::explain::reductions;
    use crate::passes::DeleteFields;

    #[test]
    fn halves_of_the_columns_are_tried_first() {
        let seen = reductions(&DeleteFields, "a;b;c\n1;2;3\n");
        assert_eq!(seen, ["a;b\n1;2\n", "c\n3\n", "a;c\n1;3\n", "b;c\n2;3\n"]);
    }
}
