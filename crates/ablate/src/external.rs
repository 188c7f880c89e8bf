//! Passes from outside: a command that is given the test case and prints what to try. The messages
//! are described in `docs/external-passes.md`.
//!
//! Its answers are taken for a function of the test
//! case, so it is asked once for each; what it proposes is tested like any other candidate.

use std::cell::{Cell, RefCell};
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::identity::Identity;
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::answers::read_answers;
use crate::failure::Failure;
use crate::program::Program;

/// Complaints about passes, for whoever prints them.
pub type Complaints = Rc<RefCell<Vec<String>>>;

/// What a command proposes instead of one test case.
type Answers = Rc<Vec<Patch<u8>>>;

/// A pass that a command of the user's is.
pub struct ExternalPass {
    name: &'static str,
    program: RefCell<Program>,
    /// What it answered last, and to what.
    answers: RefCell<Option<(Identity, Answers)>>,
    /// Whether it was given up.
    is_out: Cell<bool>,
    complaints: Complaints,
}

impl ExternalPass {
    /// A pass that `command` is: a program and its arguments, with blanks between them. It is not
    /// called yet.
    ///
    /// # Errors
    /// When there is no such program.
    pub fn new(
        command: &str,
        file: &Path,
        len: usize,
        timeout: Option<Duration>,
        complaints: &Complaints,
    ) -> Result<ExternalPass, Failure> {
        let program = Program::new("--with", command, file, len, timeout)?;
        // There are as many of these names as there are flags on the command line.
        let name = Box::leak(format!("with {}", program.name()).into_boxed_str());
        Ok(ExternalPass {
            name,
            program: RefCell::new(program),
            answers: RefCell::new(None),
            is_out: Cell::new(false),
            complaints: Rc::clone(complaints),
        })
    }

    /// What is called.
    pub fn program(&mut self) -> &mut Program {
        self.program.get_mut()
    }

    /// What the command proposes instead of `target`; nothing once it has been given up.
    fn answers(&self, target: &Target<u8>) -> Answers {
        let identity = target.identity();
        if let Some((known, answers)) = &*self.answers.borrow()
            && *known == identity
        {
            return Rc::clone(answers);
        }
        let answers = if self.is_out.get() {
            Vec::new()
        } else {
            self.ask(target.elements()).unwrap_or_else(|complaint| {
                self.is_out.set(true);
                let name = self.name;
                self.complaints
                    .borrow_mut()
                    .extend(complaint.map(|complaint| {
                        format!("{name}: {complaint}; the reduction goes on without it")
                    }));
                Vec::new()
            })
        };
        let answers = Rc::new(answers);
        *self.answers.borrow_mut() = Some((identity, Rc::clone(&answers)));
        answers
    }

    /// Calls the command.
    ///
    /// # Errors
    /// When it has to be given up, and why; without a reason when everything is about to end.
    fn ask(&self, content: &[u8]) -> Result<Vec<Patch<u8>>, Option<String>> {
        let printed = self.program.borrow_mut().call(content)?;
        read_answers(&printed, content).map_err(Some)
    }
}

impl Pass<u8> for ExternalPass {
    fn name(&self) -> &'static str {
        self.name
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let answers = self.answers(target);
        Ok(answers[chooser.prefer(answers.len())?].clone())
    }

    fn rank(&self) -> u8 {
        7
    }
}
