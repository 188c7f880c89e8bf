//! Addresses.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use crate::combinators::Combinators;
use crate::generator::{Boxed, Generator};
use crate::one_of;

use super::collections::array;
use super::numbers::integers;

/// IPv4 addresses, those with a meaning of their own among them.
pub fn ipv4_addrs() -> Boxed<'static, Ipv4Addr> {
    let special = [
        Ipv4Addr::UNSPECIFIED,
        Ipv4Addr::LOCALHOST,
        Ipv4Addr::BROADCAST,
        Ipv4Addr::new(10, 0, 0, 1),
        Ipv4Addr::new(192, 168, 0, 1),
        Ipv4Addr::new(169, 254, 0, 1),
        Ipv4Addr::new(224, 0, 0, 1),
    ];
    one_of![
        1 => super::sample(special),
        3 => array::<4, _>(integers::<u8>(..)).map(Ipv4Addr::from),
    ]
    .boxed()
}

/// IPv6 addresses, those with a meaning of their own among them.
pub fn ipv6_addrs() -> Boxed<'static, Ipv6Addr> {
    let special = [
        Ipv6Addr::UNSPECIFIED,
        Ipv6Addr::LOCALHOST,
        Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 1),
        Ipv6Addr::new(0xff02, 0, 0, 0, 0, 0, 0, 1),
        Ipv4Addr::LOCALHOST.to_ipv6_mapped(),
    ];
    one_of![
        1 => super::sample(special),
        3 => array::<8, _>(integers::<u16>(..)).map(Ipv6Addr::from),
    ]
    .boxed()
}

/// IP addresses of either kind; IPv4 is simpler.
pub fn ip_addrs() -> Boxed<'static, IpAddr> {
    one_of![ipv4_addrs().map(IpAddr::V4), ipv6_addrs().map(IpAddr::V6)].boxed()
}

/// An IP address and a port.
pub fn socket_addrs() -> Boxed<'static, SocketAddr> {
    (ip_addrs(), integers::<u16>(..))
        .map(|(ip, port)| SocketAddr::new(ip, port))
        .boxed()
}
