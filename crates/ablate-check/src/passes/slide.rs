//! Moving numbers: towards the simplest value, several at once, up or down together.
//!
//! A *slide* moves the number of each of its edits by the same amount, each up or down. How far a
//! slide can go is found as in `shrink_integer` of "Designing a better simplifier" (D. R. MacIver,
//! 2017), upwards from the simplest value, but in steps that square; then by halves, each of the rest.
//! Where the first half is too far, by steps that double, and halves of these. Where there is little
//! left it is only halved.

use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use super::shape::{Numbers, bounds, distance, number, with_number};
use crate::choice::Choice;

/// Distances that are tried from below, before the rest is halved.
const SMALL: [u128; 5] = [3, 15, 255, 65_535, 0xffff_ffff];
/// The direction of half the way, half of the rest, and so on.
const HALF: usize = SMALL.len();
/// The direction of steps that double.
const DOUBLE: usize = HALF + 1;
/// The powers of two that are less than some distance; the greatest has a direction first.
const POWERS: usize = 128;
/// In so many directions a slide can be grown: the two, and powers of two besides.
pub(super) const DIRECTIONS: usize = DOUBLE + 1 + POWERS;

/// Where a number is to move when it moves towards the simplest: −1 down, 1 up, 0 not at all.
pub(super) fn inward(choice: &Choice) -> i128 {
    // By far the most.
    if let Some((value, origin)) = choice.small_permitted() {
        return i128::from(origin > value) - i128::from(origin < value);
    }
    match (bounds(choice), number(choice)) {
        (Some(range), Some(value)) => toward(value.clamp(range.min, range.max), range.origin),
        _ => 0,
    }
}

/// The direction from one number to another: −1 down, 1 up, 0 where they are the same.
fn toward(from: i128, to: i128) -> i128 {
    i128::from(to > from) - i128::from(to < from)
}

/// A number moved in a direction; the amount may be greater than any number.
pub(super) fn moved(value: i128, sign: i128, amount: u128) -> Option<i128> {
    match sign {
        ..0 => value.checked_sub_unsigned(amount),
        0 => Some(value),
        _ => value.checked_add_unsigned(amount),
    }
}

/// How far the number at a place can move in a direction before it leaves its bounds, or, where
/// that is inward, passes the simplest value.
pub(super) fn room(choice: &Choice, sign: i128) -> u128 {
    let (Some(value), Some(range)) = (number(choice), bounds(choice)) else {
        return 0;
    };
    if sign == inward(choice) {
        value.abs_diff(range.origin)
    } else if sign > 0 {
        value.abs_diff(range.max)
    } else {
        value.abs_diff(range.min)
    }
}

/// Moves the numbers at these places by `amount`, each in its direction.
pub(super) fn slide(
    target: &Target<Choice>,
    places: &[(usize, i128)],
    amount: u128,
) -> Option<Patch<Choice>> {
    if amount == 0 {
        return None;
    }
    let edits = places.iter().map(|&(at, sign)| {
        let choice = &target.elements()[at];
        let value = moved(number(choice)?, sign, amount)?;
        Some(Edit {
            start: at,
            end: at + 1,
            insert: Some([with_number(choice, value)].into()),
        })
    });
    Patch::edits_of(edits.collect::<Option<Vec<_>>>()?).ok()
}

/// Of more numbers than these each costs one test more: they have something in common more often,
/// such as to be odd, and as long as they are high each turn of the other passes costs far more.
const FEW: usize = 16;

/// From so far on a number is lowered to a small one before it is lowered by one: where that works,
/// the way between the two is done.
const FAR: u128 = 64;
/// How far from the simplest value it is then.
pub(super) const CLOSE: u128 = SMALL[1];

/// The amount that leaves the lead close to its simplest value, if that is worth trying first.
pub(super) fn but_close(room: u128, lead: u128) -> Option<u128> {
    let amount = lead.checked_sub(CLOSE)?;
    (lead >= FAR && amount <= room).then_some(amount)
}

/// The amounts worth trying at first, the most wanted one first: all there is; all but one, where
/// the simplest value may be taken as it stands elsewhere, or there are many numbers; nearly all,
/// where that is much; one.
pub(super) fn amounts(numbers: &Numbers, room: u128) -> Vec<u128> {
    let is_taken = numbers.lowerable.len() < numbers.all.len();
    let but_one = (is_taken || numbers.lowerable.len() > FEW).then(|| room.saturating_sub(1));
    distinct([Some(room), but_one, but_close(room, room), Some(1)])
}

/// Those of some amounts that are one, each once.
pub(super) fn distinct<const N: usize>(some: [Option<u128>; N]) -> Vec<u128> {
    let mut amounts = Vec::with_capacity(some.len());
    for amount in some {
        amounts.extend(amount.filter(|amount| *amount > 0 && !amounts.contains(amount)));
    }
    amounts
}

/// How far a slide has gone, and can go.
struct Extent {
    /// The places that move, each with its direction.
    places: Vec<(usize, i128)>,
    moved: u128,
    /// How much further all of them can go.
    room_left: u128,
    /// How far the number that is moved furthest inward was from its simplest value.
    lead: u128,
}

impl Extent {
    fn of(target: &Target<Choice>, patch: &Patch<Choice>) -> Option<Extent> {
        let mut extent = Extent {
            places: Vec::with_capacity(patch.edits().len()),
            moved: 0,
            room_left: u128::MAX,
            lead: 0,
        };
        for edit in patch.edits() {
            let old = &target.elements()[edit.start];
            let (from, to) = (number(old)?, number(edit.insert.as_ref()?.first()?)?);
            let sign = toward(from, to);
            let room = room(old, sign);
            extent.moved = from.abs_diff(to);
            extent.room_left = extent.room_left.min(room.checked_sub(extent.moved)?);
            if sign == inward(old) {
                extent.lead = extent.lead.max(room);
            }
            extent.places.push((edit.start, sign));
        }
        Some(extent)
    }
}

/// A slide made as long as it can be: a direction of one step.
pub(super) fn all_the_way(
    target: &Target<Choice>,
    patch: &Patch<Choice>,
    amount: usize,
) -> Option<Patch<Choice>> {
    let extent = Extent::of(target, patch)?;
    (amount == 1 && extent.room_left > 0)
        .then(|| slide(target, &extent.places, extent.moved + extent.room_left))?
}

/// A slide made longer, in one of [`DIRECTIONS`]; the number that is moved furthest inward leads.
pub(super) fn grown(
    target: &Target<Choice>,
    patch: &Patch<Choice>,
    direction: usize,
    amount: usize,
) -> Option<Patch<Choice>> {
    if amount
        > if matches!(direction, HALF | DOUBLE) {
            127
        } else {
            1
        }
    {
        return None;
    }
    let power = |direction: usize| 1u128 << (DIRECTIONS - 1 - direction);
    if direction > DOUBLE {
        // No number is so far from its simplest value: most powers are too great.
        let mut old = patch
            .edits()
            .iter()
            .map(|edit| &target.elements()[edit.start]);
        if old.all(|choice| distance(choice).is_none_or(|distance| distance <= power(direction))) {
            return None;
        }
    }
    let Extent {
        places,
        moved,
        room_left,
        lead,
    } = Extent::of(target, patch)?;
    let distance = lead.checked_sub(moved)?;
    // What is small has been tried, or is left to the halves.
    let is_far = moved == 1 && but_close(lead, lead).is_some();
    // Half of the way has been tried, and is too far.
    let is_near = moved < distance && distance > CLOSE;
    let further = match direction {
        0 | 1 if is_far => return None,
        // That several numbers could be so small when they can't be the simplest is not likely.
        0 if distance <= CLOSE && (moved == 1 || places.len() > 1) => return None,
        0..HALF => distance.checked_sub(SMALL[direction])?,
        HALF => distance - (distance - distance / 2).checked_shr(amount as u32 - 1)?,
        DOUBLE if is_near => moved.checked_mul((1 << amount) - 1)?,
        DOUBLE => return None,
        _ => power(direction),
    };
    // So far has been tried already.
    let tried = if is_near { moved } else { distance / 2 };
    if direction > DOUBLE && further >= tried.max(1) {
        return None;
    }
    // All the way has been tried.
    if further == 0 || further > room_left || further >= distance {
        return None;
    }
    slide(target, &places, moved.checked_add(further)?)
}
