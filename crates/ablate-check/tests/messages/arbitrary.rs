use ablate_check::prelude::*;

#[derive(Arbitrary)]
union Union {
    a: u8,
}

#[derive(Arbitrary)]
enum Never {}

#[derive(Arbitrary)]
enum NeverDrawn {
    #[arbitrary(weight = 0)]
    One,
}

#[derive(Arbitrary)]
enum Weights {
    #[arbitrary(weight = "3")]
    One,
}

#[derive(Arbitrary)]
enum Variants {
    #[arbitrary(from = 0..10u8)]
    One(u8),
}

#[derive(Arbitrary)]
struct Fields(#[arbitrary(weight = 3)] u8);

#[derive(Arbitrary)]
#[arbitrary(from = 0..10u8)]
struct Types(u8);

#[derive(Arbitrary)]
struct Bare(#[arbitrary(0..10u8)] u8);

fn main() {}
