//! Archives as the folders that are in them, and back: documents, packages, what is published or reported. A
//! gzip file around one goes with it; around anything else, it is taken for that file. Text in UTF-16 is taken
//! for the same text in UTF-8, PEM for what it has in base64, and a file of Avro with compressed blocks for the
//! same with plain ones.
//!
//! The passes on [`super::container`]s delete members and runs of bytes in them; what is in a member has a
//! format of its own, and that of a folder's files is known.

mod avro;
mod compound;
mod gzip;
pub mod pem;
mod tar;
mod zip;

use alloc::borrow::Cow;
use alloc::vec::Vec;

use compound::CompoundMembers;
use gzip::Wrapping;
use pem::Pem;
use tar::TarMembers;
use zip::ZipMembers;

use crate::formats::utf16::Utf16;

/// What an archive says besides names and contents, which no reduction changes.
#[derive(Clone, Debug)]
pub struct Archive {
    wrapping: Option<Wrapping>,
    inside: Option<Inside>,
}

/// What is in it other than bytes.
#[derive(Clone, Debug)]
enum Inside {
    Zip(ZipMembers),
    Compound(CompoundMembers),
    Tar(TarMembers),
    Pem(Pem),
    Avro,
    Text(Utf16),
}

impl Archive {
    /// The archive that `file` is, and what is in it: the bytes of a folder, or those of a file where it is a
    /// single one in a gzip file or in PEM, a text in UTF-16, or a file of Avro. `None` for what is none, or has
    /// something in it that can't be written again: what is encrypted, packed in another way or larger than 64
    /// MB, or several members with one name.
    pub fn read(file: &[u8]) -> Option<(Archive, Vec<u8>)> {
        let (wrapping, content) = match Wrapping::read(file) {
            Some((wrapping, content)) => (Some(wrapping), Cow::Owned(content)),
            None => (None, Cow::Borrowed(file)),
        };
        let (inside, bytes) = match Inside::read(&content) {
            Some((inside, bytes)) => (Some(inside), bytes),
            None if wrapping.is_some() => (None, content.into_owned()),
            None => return None,
        };
        Some((Archive { wrapping, inside }, bytes))
    }

    /// Whether what is in it is the bytes of a folder.
    pub fn has_files(&self) -> bool {
        match &self.inside {
            Some(Inside::Zip(_) | Inside::Compound(_) | Inside::Tar(_)) => true,
            Some(Inside::Pem(pem)) => pem.has_files(),
            Some(Inside::Avro | Inside::Text(_)) | None => false,
        }
    }

    /// The archive with what is in it now: of members those that it had, in their order.
    pub fn pack<'a>(&self, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        let content = match &self.inside {
            Some(inside) => Cow::Owned(inside.pack(bytes)),
            None => Cow::Borrowed(bytes),
        };
        match &self.wrapping {
            Some(wrapping) => Cow::Owned(wrapping.pack(&content)),
            None => content,
        }
    }
}

impl Inside {
    fn read(file: &[u8]) -> Option<(Inside, Vec<u8>)> {
        if let Some((members, folder)) = ZipMembers::read(file) {
            return Some((Inside::Zip(members), folder));
        }
        if let Some((members, folder)) = CompoundMembers::read(file) {
            return Some((Inside::Compound(members), folder));
        }
        if let Some((members, folder)) = TarMembers::read(file) {
            return Some((Inside::Tar(members), folder));
        }
        if let Some((pem, content)) = Pem::read(file) {
            return Some((Inside::Pem(pem), content));
        }
        if let Some(content) = avro::unpacked(file) {
            return Some((Inside::Avro, content));
        }
        let (utf16, text) = Utf16::read(file)?;
        Some((Inside::Text(utf16), text))
    }

    fn pack(&self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Inside::Zip(members) => members.pack(bytes),
            Inside::Compound(members) => members.pack(bytes),
            Inside::Tar(members) => members.pack(bytes),
            Inside::Pem(pem) => pem.pack(bytes),
            Inside::Avro => avro::packed(bytes),
            Inside::Text(utf16) => utf16.write(bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Flips bits of an archive, and cuts it short: what is read then is written and read again.
    pub fn check_hostile(file: &[u8]) {
        let (whole, bytes) = Archive::read(file).unwrap();
        assert_eq!(Archive::read(&whole.pack(&bytes)).unwrap().1, bytes);
        for at in 0..file.len() {
            for bit in [1, 0x80] {
                let mut other = file.to_vec();
                other[at] ^= bit;
                check_again(&other);
            }
            check_again(&file[..at]);
        }
        assert!(Archive::read(b"").is_none());
    }

    fn check_again(file: &[u8]) {
        if let Some((read, bytes)) = Archive::read(file) {
            let again = Archive::read(&read.pack(&bytes));
            assert_eq!(again.map(|(_, again)| again), Some(bytes));
        }
    }
}
