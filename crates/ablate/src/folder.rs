//! Folders: read into one sequence of bytes, written from it, and passes that leave names alone.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt, symlink};
use std::path::{Component, Path, PathBuf};

use ablate_engine::pass::Amend;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;
use ablate_passes::formats::folder::{Entries, Mentions, add};

/// What a folder has besides names and contents, which no reduction changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folder {
    others: BTreeMap<Vec<u8>, Other>,
    /// The permissions of the folders in it, and its own, which have no name.
    modes: BTreeMap<Vec<u8>, u32>,
    /// The names of what it had besides files, folders and symbolic links.
    left_out: Vec<PathBuf>,
}

/// What the owner of a folder has to have to make anything in it, and to remove that again.
const OWNER: u32 = 0o700;

/// What there is to a name besides a content.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Other {
    /// A file with these permissions.
    File { mode: u32 },
    /// A symbolic link, with what it names.
    Link { to: PathBuf },
    /// A folder with nothing in it.
    Empty,
}

impl Folder {
    /// Reads the folder at `path`: what the names in it say besides contents, and its bytes.
    ///
    /// # Errors
    /// When something in it can't be read.
    pub fn read(path: &Path) -> io::Result<(Folder, Vec<u8>)> {
        let mut folder = Folder::default();
        let mut contents = BTreeMap::new();
        folder.read_into(path, &mut Vec::new(), &mut contents)?;
        let mut bytes = Vec::new();
        for (name, content) in contents {
            add(&mut bytes, &name, &content);
        }
        Ok((folder, bytes))
    }

    /// Whether all names are among those of `whole`, and name the same kind of thing: so it is with
    /// what is left of `whole`.
    pub fn is_part_of(&self, whole: &Folder) -> bool {
        let is_there = |(name, other): (&Vec<u8>, &Other)| {
            let there = whole.others.get(name);
            match other {
                // What a file may be created with, the user's mask has taken a part of.
                Other::File { .. } => matches!(there, Some(Other::File { .. })),
                Other::Link { .. } | Other::Empty => there == Some(other),
            }
        };
        self.left_out.is_empty() && self.others.iter().all(is_there)
    }

    /// The names of what is neither a file, a folder nor a symbolic link.
    pub fn left_out(&self) -> &[PathBuf] {
        &self.left_out
    }

    /// How many names there are in it.
    pub fn len(&self) -> usize {
        self.others.len()
    }

    fn read_into(
        &mut self,
        path: &Path,
        name: &mut Vec<u8>,
        contents: &mut BTreeMap<Vec<u8>, Vec<u8>>,
    ) -> io::Result<()> {
        let within = |error: io::Error| {
            let message = format!("{}: {error}", path.display());
            io::Error::new(error.kind(), message)
        };
        let metadata = fs::symlink_metadata(path).map_err(within)?;
        if metadata.is_dir() {
            let mode = metadata.permissions().mode() & 0o777;
            self.modes.insert(name.clone(), mode | OWNER);
            let count = contents.len();
            for entry in fs::read_dir(path).map_err(within)? {
                let entry = entry.map_err(within)?;
                let len = name.len();
                if len > 0 {
                    name.push(b'/');
                }
                name.extend_from_slice(entry.file_name().as_bytes());
                self.read_into(&entry.path(), name, contents)?;
                name.truncate(len);
            }
            if contents.len() == count && !name.is_empty() {
                self.others.insert(name.clone(), Other::Empty);
                contents.insert(name.clone(), Vec::new());
            }
            return Ok(());
        }
        let (other, content) = if metadata.is_symlink() {
            let to = fs::read_link(path).map_err(within)?;
            (Other::Link { to }, Vec::new())
        } else if metadata.is_file() {
            let mode = metadata.permissions().mode() & 0o777;
            (Other::File { mode }, fs::read(path).map_err(within)?)
        } else {
            self.left_out.push(OsStr::from_bytes(name).into());
            return Ok(());
        };
        self.others.insert(name.clone(), other);
        contents.insert(name.clone(), content);
        Ok(())
    }

    /// Makes the folder of these bytes at `path`, where nothing may be; `make` makes its files.
    ///
    /// # Errors
    /// When it can't be made.
    pub fn write_with(
        &self,
        path: &Path,
        bytes: &[u8],
        make: &mut dyn FnMut(&File<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        fs::create_dir(path)?;
        let mut last_folder = PathBuf::new();
        let mut made = BTreeSet::from([PathBuf::new()]);
        for entry in Entries::new(bytes).all() {
            let name = entry.name(bytes);
            let within = Path::new(OsStr::from_bytes(&name));
            // Names are those that were read, so nothing else comes but from passes of users.
            let is_plain = |part| matches!(part, Component::Normal(_));
            if name.contains(&0) || !within.components().all(is_plain) {
                continue;
            }
            let parent = within.parent().unwrap_or(Path::new(""));
            if parent != last_folder {
                DirBuilder::new()
                    .recursive(true)
                    .create(path.join(parent))?;
                last_folder = parent.to_path_buf();
                made.extend(parent.ancestors().map(Path::to_path_buf));
            }
            let place = path.join(within);
            let mode = match self.others.get(&name) {
                Some(Other::Link { to }) => {
                    symlink(to, &place)?;
                    continue;
                }
                Some(Other::Empty) => {
                    DirBuilder::new().recursive(true).create(&place)?;
                    made.insert(within.to_path_buf());
                    continue;
                }
                Some(Other::File { mode }) => *mode,
                None => 0o666,
            };
            make(&File {
                content: &entry.content(bytes),
                place: &place,
                mode,
            })?;
        }
        for name in made {
            if let Some(&mode) = self.modes.get(name.as_os_str().as_bytes()) {
                fs::set_permissions(path.join(name), fs::Permissions::from_mode(mode))?;
            }
        }
        Ok(())
    }

    /// Makes the folder of these bytes at `path`, where nothing may be.
    ///
    /// # Errors
    /// When it can't be made.
    pub fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.write_with(path, bytes, &mut |file| file.create().map(drop))
    }
}

/// A file of a folder that is about to be made.
pub struct File<'a> {
    /// What will be in it.
    pub content: &'a [u8],
    /// Where it will be; nothing is there yet.
    pub place: &'a Path,
    mode: u32,
}

impl File<'_> {
    /// Makes it.
    ///
    /// # Errors
    /// When it can't be made.
    pub fn create(&self) -> io::Result<fs::File> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(self.mode);
        let mut file = options.open(self.place)?;
        file.write_all(self.content)?;
        Ok(file)
    }
}

/// What leaves the names in a folder alone.
pub struct InFolder {
    /// Whether files may go while others mention them.
    pub is_for_names: bool,
}

impl Amend<u8> for InFolder {
    fn amended(&self, target: &Target<u8>, patch: Patch<u8>) -> Option<Patch<u8>> {
        let mentions = (!self.is_for_names).then(|| Mentions::of(target));
        Entries::of(target).spare_names(patch, mentions.as_deref())
    }
}
