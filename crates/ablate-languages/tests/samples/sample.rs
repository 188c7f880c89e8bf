//! A sample.
use std::collections::HashMap;

#[derive(Debug, Clone)]
pub struct Point<'a, T: Copy = u8> where T: Into<u32> {
    pub name: &'a str,
    at: (T, T),
}

pub trait Area {
    type Unit;
    fn area(&self) -> u32 { 0 }
}

impl<'a, T: Copy + Into<u32>> Area for Point<'a, T> {
    type Unit = ();
    fn area(&self) -> u32 { self.at.0.into() * self.at.1.into() }
}

mod inner {
    pub const LIMIT: usize = 0x10;
    pub async unsafe fn nothing() {}
}

fn count(name: &str) -> usize {
    let seen: HashMap<String, u32> = HashMap::new();
    seen.get(name).map_or(0, |n| *n as usize)
}

fn main() {
    let mut seen: HashMap<String, u32> = HashMap::new();
    let point = Point { name: "a", at: (3u8, 4u8) };
    match point.area() {
        0 => return,
        n if n > inner::LIMIT as u32 => println!("large {n}"),
        n => { seen.insert(point.name.to_string(), n); }
    }
    let total: u32 = seen.values().map(|&n| n + 1).sum::<u32>();
    assert_eq!(total, 13);
}
