use ablate_check::prelude::*;

#[derive(Debug)]
struct Unknown(u8);

#[derive(Arbitrary)]
struct Hidden(u8);

#[derive(Debug, Arbitrary)]
struct Holder {
    held: Unknown,
    #[arbitrary(from = 0..10u32)]
    small: u8,
    borrowed: &'static str,
}

struct State;

#[machine]
impl State {
    #[rule]
    fn takes_what_nobody_can_draw(&mut self, _: Unknown) {}

    #[rule]
    fn takes_what_nobody_can_show(&mut self, _: Hidden) {}
}

fn numbers() -> impl Generator {
    vec(any::<u8>())
}

fn main() {
    check(|tc| tc.draw(any::<u8>()) < 3);
    check(|tc| async {});
    check(|tc| {
        tc.draw(any::<Unknown>());
        tc.draw(any::<Hidden>());
        tc.draw(any::<u8>);
        tc.draw("[a-z]+");
        tc.draw(|tc: &mut TestCase| tc.draw(0..3u8));
        tc.draw(numbers());
        tc.draw(vec(0..3u8).len(3u8));
    });
}
