//! Waiting for several things at once.

use std::io;
use std::os::fd::BorrowedFd;
use std::time::Duration;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

/// Waits until one of `sources` can be read or is closed, at most for `limit`, and says which.
/// All are `false` when the time is over, and it may return a little earlier or later than that.
pub(crate) fn ready<const N: usize>(
    sources: [Option<BorrowedFd<'_>>; N],
    limit: Option<Duration>,
) -> io::Result<[bool; N]> {
    let mut result = [false; N];
    result.copy_from_slice(&ready_of(&sources, limit)?);
    Ok(result)
}

/// The same for any number of sources.
pub(crate) fn ready_of(
    sources: &[Option<BorrowedFd<'_>>],
    limit: Option<Duration>,
) -> io::Result<Vec<bool>> {
    let mut polled: Vec<PollFd<'_>> = sources
        .iter()
        .flatten()
        .map(|&source| PollFd::new(source, PollFlags::POLLIN))
        .collect();
    // Rounded up: what wakes too early would only wait again, again and again.
    let limit = limit.map_or(PollTimeout::NONE, |limit| {
        let ms = limit.as_micros().div_ceil(1000);
        PollTimeout::try_from(ms).unwrap_or(PollTimeout::MAX)
    });
    match poll(&mut polled, limit) {
        Ok(_) => {}
        Err(Errno::EINTR) => return Ok(vec![false; sources.len()]),
        Err(errno) => return Err(errno.into()),
    }
    let mut polled = polled.iter().map(|fd| fd.any().unwrap_or(true));
    Ok(sources
        .iter()
        .map(|source| source.is_some() && polled.next().unwrap_or(false))
        .collect())
}
