//! Exchanges two values wherever they stand, when the simpler one first stands behind the other.
//!
//! Where values are only names, of nodes or keys, their order says nothing: the edges
//! `[(0, 2), (2, 1)]` become `[(0, 1), (1, 2)]`, which no single change comes to.
//!
//! Costs a test for each two values of a kind of which one stands at several places, where there are
//! few; a last resort.
//!
//! ```
//! use ablate_check::passes::reductions;
//! use ablate_check::prelude::*;
//!
//! let edges = "1.t.0.2.t.2.1.f";
//! let tried = reductions("exchange_values", vec((0..9u8, 0..9u8)), edges);
//! assert_eq!(tried, ["[(0, 1), (1, 2)]"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::order::ElementOrder;
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::shape::kinds;
use crate::choice::{Choice, Constraint, Simplicity};

/// There may be so many different values of a kind: among more, hardly any is a name.
const FEW: usize = 8;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct ExchangeValues;

/// The places of a value, in order.
type Places = Vec<usize>;

/// Pairs of values, by their places.
struct Pairs(Vec<(Places, Places)>);

impl Pairs {
    fn found(target: &Target<Choice>) -> Pairs {
        let elements = target.elements();
        let is_name = |choice: &Choice| {
            matches!(
                choice.constraint(),
                Constraint::Integer(_) | Constraint::Text(..)
            )
        };
        let mut pairs = Vec::new();
        for places in kinds(elements, is_name) {
            let mut values: Vec<Places> = Vec::new();
            for at in places {
                let same = |known: &&mut Places| elements[known[0]].has_value_of(&elements[at]);
                match values.iter_mut().find(same) {
                    Some(known) => known.push(at),
                    None => values.push(vec![at]),
                }
                if values.len() > FEW {
                    break;
                }
            }
            if values.len() <= FEW {
                pairs.extend(exchangeable(elements, &values));
            }
        }
        pairs.sort_unstable();
        Pairs(pairs)
    }
}

/// Those of which the first to come is the less simple one.
fn exchangeable<'a>(
    elements: &'a [Choice],
    values: &'a [Places],
) -> impl Iterator<Item = (Places, Places)> + 'a {
    let pairs = values
        .iter()
        .enumerate()
        .flat_map(|(at, first)| values[at + 1..].iter().map(move |second| (first, second)));
    pairs
        .filter(|(first, second)| {
            // Two that stand once are exchanged by others.
            first.len() + second.len() > 2
                && Simplicity
                    .compare(&elements[first[0]], &elements[second[0]])
                    .is_gt()
        })
        .map(|(first, second)| (first.clone(), second.clone()))
}

impl Pass<Choice> for ExchangeValues {
    fn name(&self) -> &'static str {
        "exchange_values"
    }

    fn is_last_resort(&self) -> bool {
        true
    }

    fn step(
        &self,
        target: &Target<Choice>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<Choice>, DeadBranch> {
        let pairs = target.analysis(Pairs::found);
        let (first, second) = &pairs.0[chooser.prefer(pairs.0.len())?];
        let elements = target.elements();
        let values = [elements[first[0]].value(), elements[second[0]].value()];
        let mut places: Vec<usize> = first.iter().chain(second).copied().collect();
        places.sort_unstable();
        Ok(Patch::change(elements, &places, |choice| {
            let other = usize::from(choice.value() == values[0]);
            choice.set(values[other].clone());
        }))
    }
}
