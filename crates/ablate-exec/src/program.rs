//! Finds the test, and says what is wrong with it before anything is run.

use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use nix::unistd::{AccessFlags, access};

use crate::error::ExecError;

/// The absolute path of a program that is given as a path or as the name of a command on `PATH`.
pub(crate) fn find_program(given: &Path) -> Result<PathBuf, ExecError> {
    let missing = || ExecError::ProgramMissing {
        program: given.to_owned(),
    };
    let found = if given.as_os_str().as_bytes().contains(&b'/') {
        given.to_owned()
    } else {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let places = || std::env::split_paths(&path).map(|place| place.join(given));
        // What lies there without a run bit is worth a better message than "does not exist".
        places()
            .find(|file| file.is_file() && access(file, AccessFlags::X_OK).is_ok())
            .or_else(|| places().find(|file| file.is_file()))
            .or_else(|| given.is_file().then(|| given.to_owned()))
            .ok_or_else(missing)?
    };
    let program = std::path::absolute(found).map_err(|_| missing())?;
    check_program(&program)?;
    Ok(program)
}

fn check_program(program: &Path) -> Result<(), ExecError> {
    let owned = || program.to_owned();
    match program.metadata() {
        Err(_) => return Err(ExecError::ProgramMissing { program: owned() }),
        Ok(metadata) if !metadata.is_file() => {
            return Err(ExecError::NotAProgram { program: owned() });
        }
        Ok(_) => {}
    }
    if access(program, AccessFlags::X_OK).is_err() {
        return Err(ExecError::NoRunBit { program: owned() });
    }
    match interpreter(program) {
        Some(interpreter) if !Path::new(&interpreter).exists() => Err(ExecError::NoInterpreter {
            program: owned(),
            interpreter,
        }),
        _ => Ok(()),
    }
}

/// What the first line of a script names. As the kernel does, it ends at a blank, and not at a
/// carriage return.
pub(crate) fn interpreter(program: &Path) -> Option<String> {
    let mut start = Vec::new();
    File::open(program)
        .ok()?
        .take(256)
        .read_to_end(&mut start)
        .ok()?;
    let line = start.strip_prefix(b"#!")?.split(|&b| b == b'\n').next()?;
    let line = line.trim_ascii_start();
    let name = line.split(|b| b" \t".contains(b)).next()?;
    Some(String::from_utf8_lossy(name).into_owned())
}

/// Why `execve` refused a program that was there before.
pub(crate) fn refusal(program: &Path, source: std::io::Error, step: &'static str) -> ExecError {
    if let Err(error) = check_program(program) {
        return error;
    }
    let program = program.to_owned();
    match source.raw_os_error() {
        Some(nix::libc::ENOEXEC) => ExecError::NotAProgram { program },
        _ => ExecError::NotStarted {
            program,
            step,
            source,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn check_script(content: &str, mode: u32) -> Result<PathBuf, ExecError> {
        let directory = tempfile::tempdir().unwrap();
        let script = directory.path().join("t.sh");
        std::fs::write(&script, content).unwrap();
        std::fs::set_permissions(&script, PermissionsExt::from_mode(mode)).unwrap();
        find_program(&script)
    }

    #[test]
    fn a_script_with_its_interpreter_is_fine() {
        assert!(check_script("#! /bin/sh -e\n", 0o755).is_ok());
    }

    #[test]
    fn says_what_is_wrong_with_a_script() {
        assert!(matches!(
            check_script("#!/bin/sh\n", 0o644),
            Err(ExecError::NoRunBit { .. })
        ));
        assert!(matches!(
            check_script("#!/bin/sh\r\n", 0o755),
            Err(ExecError::NoInterpreter { interpreter, .. }) if interpreter == "/bin/sh\r"
        ));
    }

    #[test]
    fn a_command_is_found_on_the_path() {
        assert!(find_program(Path::new("sh")).unwrap().is_absolute());
        assert!(matches!(
            find_program(Path::new("no-such-command-at-all")),
            Err(ExecError::ProgramMissing { .. })
        ));
        assert!(matches!(
            find_program(Path::new("./no-such-file-at-all")),
            Err(ExecError::ProgramMissing { .. })
        ));
        assert!(matches!(
            find_program(Path::new("/")),
            Err(ExecError::NotAProgram { .. })
        ));
    }
}
