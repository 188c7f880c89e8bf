//! Types that know how to make their own values.

use std::borrow::Cow;
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::ffi::OsString;
use std::hash::Hash;
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::{NonZero, Saturating, Wrapping};
use std::ops::{Bound, Range, RangeInclusive};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use crate::choice::{Value, mix};
use crate::combinators::Combinators;
use crate::generator::{Generator, label};
use crate::generators as g;
use crate::test_case::TestCase;

/// A type whose values can be drawn without saying how.
///
/// To be derived for structs and enums; of an enum the first variant is the simplest.
#[diagnostic::on_unimplemented(
    message = "how `{Self}` is drawn is not known",
    label = "its values are to be drawn",
    note = "derive `Arbitrary` for it; or draw by a generator: `tc.draw(…)`, `#[from(…)]` before an argument, `#[arbitrary(from = …)]` before a field",
    note = "references can't be drawn: take a value, as `String` for `&str` or `Vec<T>` for `&[T]`; nor can functions: draw what they give"
)]
pub trait Arbitrary: Sized {
    /// Draws a value.
    fn draw_any(tc: &mut TestCase) -> Self;

    /// The choices that this value is drawn from; see [`Generator::invert`].
    fn invert_any(&self) -> Option<Vec<Value>> {
        None
    }
}

/// See [`any`].
#[derive(Debug)]
pub struct Any<T>(PhantomData<fn() -> T>);

impl<T> Clone for Any<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Any<T> {}

/// Any value of a type.
pub fn any<T: Arbitrary>() -> Any<T> {
    Any(PhantomData)
}

impl<T: Arbitrary> Generator for Any<T> {
    type Value = T;

    fn draw(&self, tc: &mut TestCase) -> T {
        T::draw_any(tc)
    }

    fn invert(&self, value: &T) -> Option<Vec<Value>> {
        value.invert_any()
    }

    fn label(&self) -> u64 {
        mix(label("any"), label(std::any::type_name::<T>()))
    }
}

macro_rules! drawn_by {
    ($($type:ty => $generator:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Arbitrary for $type {
            fn draw_any(tc: &mut TestCase) -> Self {
                Generator::draw(&$generator, tc)
            }

            fn invert_any(&self) -> Option<Vec<Value>> {
                Generator::invert(&$generator, self)
            }
        }
    )*};
}

macro_rules! integers {
    ($($type:ty)*) => {
        drawn_by! { $($type => g::integers::<$type>(..);)* }
    };
}
integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

macro_rules! non_zero {
    ($($type:ty, $range:expr;)*) => {
        drawn_by! { $(NonZero<$type> => g::integers::<$type>($range).filter_map(NonZero::new);)* }
    };
}
non_zero! {
    u8, 1..; u16, 1..; u32, 1..; u64, 1..; u128, 1..; usize, 1..;
    i8, ..; i16, ..; i32, ..; i64, ..; i128, ..; isize, ..;
}

drawn_by! {
    bool => g::bools();
    f32 => g::f32s();
    f64 => g::f64s();
    char => g::chars();
    String => g::string();
    Box<str> => g::string().map(Box::from);
    Cow<'static, str> => g::string().map(Cow::Owned);
    OsString => g::string().map(OsString::from);
    Rc<str> => g::string().map(Rc::from);
    Arc<str> => g::string().map(Arc::from);
    Ordering => g::sample([Ordering::Equal, Ordering::Less, Ordering::Greater]);
    Duration => g::durations();
    SystemTime => g::system_times();
    g::Date => g::dates();
    Ipv4Addr => g::ipv4_addrs();
    Ipv6Addr => g::ipv6_addrs();
    IpAddr => g::ip_addrs();
    SocketAddr => g::socket_addrs();
    PathBuf => g::paths();
}

impl Arbitrary for () {
    fn draw_any(_: &mut TestCase) -> Self {}
}

impl<T> Arbitrary for PhantomData<T> {
    fn draw_any(_: &mut TestCase) -> Self {
        PhantomData
    }
}

macro_rules! built_of {
    ($($type:ty, ($($param:ident $(: $bound:path)?),+), $generator:expr;)*) => {$(
        impl<$($param: Arbitrary $(+ $bound)?),+> Arbitrary for $type {
            fn draw_any(tc: &mut TestCase) -> Self {
                Generator::draw(&$generator, tc)
            }

            fn invert_any(&self) -> Option<Vec<Value>> {
                Generator::invert(&$generator, self)
            }
        }
    )*};
}

built_of! {
    Vec<T>, (T), g::vec(any::<T>());
    VecDeque<T>, (T), g::vec(any::<T>()).map(VecDeque::from);
    LinkedList<T>, (T), g::vec(any::<T>()).map(LinkedList::from_iter);
    BinaryHeap<T>, (T: Ord), g::vec(any::<T>()).map(BinaryHeap::from);
    Box<[T]>, (T), g::vec(any::<T>()).map(Box::from);
    Rc<[T]>, (T), g::vec(any::<T>()).map(Rc::from);
    Arc<[T]>, (T), g::vec(any::<T>()).map(Arc::from);
    Option<T>, (T), g::option(any::<T>());
    Result<T, E>, (T, E), g::result(any::<T>(), any::<E>());
    Box<T>, (T), any::<T>().map(Box::new);
    Rc<T>, (T), any::<T>().map(Rc::new);
    Wrapping<T>, (T), any::<T>().map(Wrapping);
    Saturating<T>, (T), any::<T>().map(Saturating);
    Reverse<T>, (T), any::<T>().map(Reverse);
    Range<T>, (T), (any::<T>(), any::<T>()).map(|(start, end)| start..end);
    RangeInclusive<T>, (T), (any::<T>(), any::<T>()).map(|(start, end)| start..=end);
    Bound<T>, (T), crate::one_of![
        any::<()>().map(|()| Bound::Unbounded),
        any::<T>().map(Bound::Included),
        any::<T>().map(Bound::Excluded),
    ];
    Arc<T>, (T), any::<T>().map(Arc::new);
    BTreeSet<T>, (T: Ord), g::btree_set(any::<T>());
    BTreeMap<K, V>, (K: Ord, V), g::btree_map(any::<K>(), any::<V>());
}

impl<T: Arbitrary + Hash + Eq> Arbitrary for HashSet<T> {
    fn draw_any(tc: &mut TestCase) -> Self {
        Generator::draw(&g::hash_set(any::<T>()), tc)
    }
}

impl<K: Arbitrary + Hash + Eq, V: Arbitrary> Arbitrary for HashMap<K, V> {
    fn draw_any(tc: &mut TestCase) -> Self {
        Generator::draw(&g::hash_map(any::<K>(), any::<V>()), tc)
    }
}

impl<T: Arbitrary, const N: usize> Arbitrary for [T; N] {
    fn draw_any(tc: &mut TestCase) -> Self {
        Generator::draw(&g::array(any::<T>()), tc)
    }

    fn invert_any(&self) -> Option<Vec<Value>> {
        Generator::invert(&g::array(any::<T>()), self)
    }
}

macro_rules! tuples {
    ($($param:ident)+) => {
        impl<$($param: Arbitrary),+> Arbitrary for ($($param,)+) {
            fn draw_any(tc: &mut TestCase) -> Self {
                Generator::draw(&($(any::<$param>(),)+), tc)
            }

            fn invert_any(&self) -> Option<Vec<Value>> {
                Generator::invert(&($(any::<$param>(),)+), self)
            }
        }
    };
}
tuples!(A);
tuples!(A B);
tuples!(A B C);
tuples!(A B C D);
tuples!(A B C D E);
tuples!(A B C D E F);
tuples!(A B C D E F G);
tuples!(A B C D E F G H);
tuples!(A B C D E F G H I);
tuples!(A B C D E F G H I J);
tuples!(A B C D E F G H I J K);
tuples!(A B C D E F G H I J K L);
