//! Passes that clang_delta is, the program behind C-Reduce and C-Vise: `--use clang_delta`. It is
//! called once to count what a transformation can do with a test case, and once for each candidate
//! that is wanted. Whatever it can't parse it does nothing with.
//!
//! Nothing of it is needed: `docs/languages.md` says what the passes on syntax trees do themselves.

use std::cell::RefCell;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::identity::Identity;
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::answers::difference;
use crate::failure::Failure;
use crate::program::Program;

/// Where the packages of C-Vise and C-Reduce put it, which is not on `PATH`.
const PLACES: &[&str] = &[
    "/usr/lib/cvise",
    "/usr/libexec",
    "/usr/libexec/cvise",
    "/usr/local/libexec",
];
/// The most candidates of one transformation for one test case.
const INSTANCES_MAX: usize = 10_000;
/// Its transformations, but those that can't make a text simpler in Ablate's order.
const TRANSFORMATIONS: &[&str] = &[
    "aggregate-to-scalar",
    "binop-simplification",
    "callexpr-to-value",
    "class-template-to-class",
    "combine-global-var",
    "combine-local-var",
    "copy-propagation",
    "empty-struct-to-int",
    "instantiate-template-param",
    "instantiate-template-type-param-to-int",
    "lift-assignment-expr",
    "local-to-global",
    "member-to-global",
    "merge-base-class",
    "move-definition-to-declaration",
    "param-to-global",
    "param-to-local",
    "reduce-array-dim",
    "reduce-array-size",
    "reduce-class-template-param",
    "reduce-pointer-level",
    "reduce-pointer-pairs",
    "remove-addr-taken",
    "remove-array",
    "remove-base-class",
    "remove-ctor-initializer",
    "remove-enum-member-value",
    "remove-namespace",
    "remove-nested-function",
    "remove-pointer",
    "remove-trivial-base-template",
    "remove-try-catch",
    "remove-unresolved-base",
    "remove-unused-enum-member",
    "remove-unused-field",
    "remove-unused-function",
    "remove-unused-outer-class",
    "remove-unused-var",
    "rename-class",
    "rename-cxx-method",
    "rename-fun",
    "rename-param",
    "rename-var",
    "replace-array-access-with-index",
    "replace-callexpr",
    "replace-class-with-base-template-spec",
    "replace-dependent-name",
    "replace-dependent-typedef",
    "replace-derived-class",
    "replace-function-def-with-decl",
    "replace-one-level-typedef-type",
    "replace-simple-typedef",
    "replace-undefined-function",
    "return-void",
    "simple-inliner",
    "simplify-callexpr",
    "simplify-comma-expr",
    "simplify-dependent-typedef",
    "simplify-if",
    "simplify-nested-class",
    "simplify-recursive-template-instantiation",
    "simplify-struct",
    "simplify-struct-union-decl",
    "template-arg-to-int",
    "template-non-type-arg-to-int",
    "unify-function-decl",
    "union-to-struct",
    "vector-to-array",
];

/// A clang_delta that is installed, and how it is called.
pub struct ClangDelta {
    program: PathBuf,
    file: PathBuf,
    len: usize,
    timeout: Option<Duration>,
    deadline: Option<Instant>,
}

impl ClangDelta {
    /// The one on `PATH`, or where packages put it.
    ///
    /// # Errors
    /// When there is none.
    pub fn new(
        file: &Path,
        len: usize,
        timeout: Option<Duration>,
        deadline: Option<Instant>,
    ) -> Result<ClangDelta, Failure> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        Ok(ClangDelta {
            program: find(&path, PLACES).ok_or(Failure::NoClangDelta)?,
            file: file.to_owned(),
            len,
            timeout,
            deadline,
        })
    }

    /// A pass for each transformation.
    pub fn passes(self) -> Vec<Box<dyn Pass<u8>>> {
        let program = Rc::new(self);
        let passes = TRANSFORMATIONS.iter().map(|transformation| {
            // There are as many of these names as there are transformations.
            let name: &str = Box::leak(format!("clang_delta {transformation}").into_boxed_str());
            let pass: Box<dyn Pass<u8>> = Box::new(Transformation {
                name,
                transformation,
                program: Rc::clone(&program),
                instances: RefCell::new(None),
            });
            pass
        });
        passes.collect()
    }

    /// What it prints when it is called with these arguments and a test case; nothing if it fails.
    fn call(&self, arguments: &str, content: &[u8]) -> Option<Vec<u8>> {
        let command = format!("{} {arguments}", self.program.to_str()?);
        let mut program =
            Program::new("--use", &command, &self.file, self.len, self.timeout).ok()?;
        program.set_deadline(self.deadline);
        program.call(content).ok()
    }
}

/// The clang_delta in one of the folders of a `PATH`, or of `places`.
fn find(path: &OsStr, places: &[&str]) -> Option<PathBuf> {
    let folders = std::env::split_paths(path).chain(places.iter().map(PathBuf::from));
    let mut programs = folders.map(|folder| folder.join("clang_delta"));
    programs.find(|program| program.is_file())
}

/// A pass that one of its transformations is.
struct Transformation {
    name: &'static str,
    transformation: &'static str,
    program: Rc<ClangDelta>,
    /// What it was counted for last, and how much it can do there.
    instances: RefCell<Option<(Identity, usize)>>,
}

impl Transformation {
    fn instances(&self, target: &Target<u8>) -> usize {
        let identity = target.identity();
        if let Some((known, instances)) = *self.instances.borrow()
            && known == identity
        {
            return instances;
        }
        let query = format!("--query-instances={}", self.transformation);
        let said = self.program.call(&query, target.elements());
        let instances = said.and_then(|said| counted(&said)).unwrap_or(0);
        *self.instances.borrow_mut() = Some((identity, instances));
        instances
    }
}

/// The number in `Available transformation instances: 3`.
fn counted(said: &[u8]) -> Option<usize> {
    let said = std::str::from_utf8(said).ok()?;
    let (_, count) = said.trim_end().rsplit_once(' ')?;
    let count: usize = count.parse().ok()?;
    Some(count.min(INSTANCES_MAX))
}

impl Pass<u8> for Transformation {
    fn name(&self) -> &'static str {
        self.name
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let counter = chooser.any(0..self.instances(target))? + 1;
        let arguments = format!(
            "--transformation={} --counter={counter}",
            self.transformation
        );
        let content = target.elements();
        let made = self.program.call(&arguments, content).ok_or(DeadBranch)?;
        let patch = difference(content, &made);
        if patch.is_empty() {
            Err(DeadBranch)
        } else {
            Ok(patch)
        }
    }

    fn is_for_chains(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_installed_is_not_found() {
        assert_eq!(find(OsStr::new("/nowhere"), &["/nowhere/else"]), None);
        let story = Failure::NoClangDelta.story();
        assert!(story.contains("is not installed"), "{story}");
    }

    #[test]
    fn instances_are_counted_by_what_is_said_last() {
        assert_eq!(
            counted(b"Available transformation instances: 12\n"),
            Some(12)
        );
        assert_eq!(counted(b"Error: no such transformation"), None);
        assert_eq!(counted(b""), None);
    }
}
