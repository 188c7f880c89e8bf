//! Generators for types that implement the trait of the `arbitrary` crate.

use std::marker::PhantomData;

use crate::choice::Sizes;
use crate::generator::Generator;
use crate::test_case::TestCase;

/// See [`from_arbitrary`].
#[derive(Clone, Copy, Debug)]
pub struct FromArbitrary<T>(PhantomData<fn() -> T>);

/// Values of a type that implements `arbitrary::Arbitrary`. They are made of one run of bytes and
/// are reduced as such, which is less good than what [`crate::Arbitrary`] can do.
pub fn from_arbitrary<T: for<'a> arbitrary::Arbitrary<'a>>() -> FromArbitrary<T> {
    FromArbitrary(PhantomData)
}

impl<T: for<'a> arbitrary::Arbitrary<'a>> Generator for FromArbitrary<T> {
    type Value = T;

    fn draw(&self, tc: &mut TestCase) -> T {
        let bytes = tc.bytes(Sizes { min: 0, max: 4096 });
        match T::arbitrary_take_rest(arbitrary::Unstructured::new(&bytes)) {
            Ok(value) => value,
            Err(_) => tc.reject(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_implements_arbitrary_can_be_drawn() {
        let pairs = from_arbitrary::<(u8, Vec<u16>)>();
        let drawn = (0..300).filter_map(|seed| pairs.example(seed));
        assert!(drawn.map(|(_, list)| list.len()).max() > Some(1));
    }
}
