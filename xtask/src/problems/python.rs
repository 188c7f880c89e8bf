//! Problems that are Python modules, and a resident interpreter that judges them.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result};

use super::{Problem, Published, Test};

/// The source of the Python tests.
pub const ORACLE: &str = include_str!("oracle.py");

/// Calls nested six hundred deep, of which four hundred have to stay.
pub fn deep_parens() -> Problem {
    Problem {
        name: "deep_parens",
        file_name: "deep_parens.py",
        initial: deep_parens_initial,
        test: Test::Pure(|candidate| nesting(candidate) >= Some(400)),
        published: Published {
            initial_bytes: 3794,
            final_bytes: 800,
            calls: 12_880,
            calls_to_90: 9465,
            calls_to_99: 10_138,
            tail: 2666,
        },
        optimum: 800,
    }
}

fn deep_parens_initial() -> Vec<u8> {
    let nested = format!("{}0{}", "wrap(".repeat(600), ")".repeat(600));
    let text = format!(
        "import sys\n\n\ndef wrap(value):\n    return [value]\n\n\n\
         NUMBERS = [2, 3, 5, 7, 11, 13, 17]\n\n\n\
         def build():\n    nest = {nested}\n\n\n\
         if __name__ == \"__main__\":\n    print(wrap(NUMBERS), build(), file=sys.stderr)\n"
    );
    text.into_bytes()
}

/// How deep brackets nest, when they are balanced. Any closer closes any opener.
fn nesting(candidate: &[u8]) -> Option<usize> {
    let (mut depth, mut greatest) = (0_usize, 0);
    for byte in candidate {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        greatest = greatest.max(depth);
    }
    (depth == 0).then_some(greatest)
}

/// Sixty classes around one name, and all has to stay valid.
pub fn python_syntax() -> Problem {
    Problem {
        name: "python_syntax",
        file_name: "python_syntax.py",
        initial: python_syntax_initial,
        test: Test::Python("python_syntax"),
        published: Published {
            initial_bytes: 10_078,
            final_bytes: 13,
            calls: 547,
            calls_to_90: 19,
            calls_to_99: 86,
            tail: 380,
        },
        optimum: 13,
    }
}

fn python_syntax_initial() -> Vec<u8> {
    let mut text = "\"\"\"Records and what they weigh, by number.\"\"\"\n\n\
                    import os\nimport sys\n\n\n"
        .to_owned();
    for number in 0..60 {
        text.push_str(&format!(
            "class Record{number}:\n    kind = \"record-{number}\"\n    \
             def weigh(self, amount):\n        total = amount * {number} + 1\n        \
             name = self.kind + str(total)\n        return name, total\n\n"
        ));
        if number == 30 {
            text.push_str(
                "def find_the_record():\n    SENTINEL_KEEP = sys.argv\n    \
                 return SENTINEL_KEEP\n\n",
            );
        }
    }
    text.into_bytes()
}

/// Functions and their calls, whose numbers of arguments have to agree.
pub fn coupled_arity_python() -> Problem {
    Problem {
        name: "coupled_arity_python",
        file_name: "coupled_arity.py",
        initial: coupled_arity_python_initial,
        test: Test::Python("coupled_arity_python"),
        published: Published {
            initial_bytes: 947,
            final_bytes: 52,
            calls: 11_043,
            calls_to_90: 296,
            calls_to_99: 435,
            tail: 1198,
        },
        optimum: 26,
    }
}

fn coupled_arity_python_initial() -> Vec<u8> {
    let text = r#""""Blends readings of two sensors into one line of a report."""


def blend(first, second, weight, offset):
    scaled = first * weight + second * (1 - weight)
    shifted = scaled + offset
    if shifted < 0:
        shifted = 0
    return shifted


def describe(name, unit, reading, limit, station):
    marker = "MAGIC_SENTINEL"
    line = name + " at " + station + ": " + str(reading) + " " + unit
    if reading > limit:
        line = line + " (over " + str(limit) + ", see " + marker + ")"
    return line


def main():
    morning = blend(12, 30, 2, 1)
    evening = blend(17, 25, 3, 0)
    lines = []
    lines.append(describe("temperature", "degrees", morning, 20, "north gate"))
    lines.append(describe("temperature", "degrees", evening, 25, "south gate"))
    for number, line in enumerate(lines):
        print(number, line)
    if len(lines) != 2:
        print("one of the two readings is missing")
    return len(lines)


main()
"#;
    text.as_bytes().to_vec()
}

/// Where the interpreter really is. What is on the search path may be a script of a version manager
/// that takes longer than the test.
pub fn interpreter() -> Result<PathBuf> {
    let output = Command::new("python3")
        .args(["-I", "-S", "-c", "import sys; print(sys.executable)"])
        .output()
        .context("python3 can't be run")?;
    Ok(PathBuf::from(
        String::from_utf8_lossy(&output.stdout).trim(),
    ))
}

/// A Python interpreter that judges one candidate after another.
pub struct Resident {
    function: &'static str,
    process: Child,
}

impl Resident {
    /// Starts an interpreter for the test called `function`.
    pub fn start(function: &'static str) -> Result<Resident> {
        let process = Command::new("python3")
            .args(["-I", "-S", "-c", ORACLE, function])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("python3 can't be run")?;
        Ok(Resident { function, process })
    }

    /// Whether the candidate is interesting; one that ends the interpreter is not.
    pub fn is_interesting(&mut self, candidate: &[u8]) -> bool {
        match self.ask(candidate) {
            Some(answer) => answer,
            None => {
                self.end();
                if let Ok(next) = Resident::start(self.function) {
                    *self = next;
                }
                false
            }
        }
    }

    fn ask(&mut self, candidate: &[u8]) -> Option<bool> {
        let input = self.process.stdin.as_mut()?;
        let length = u32::try_from(candidate.len()).ok()?;
        input.write_all(&length.to_le_bytes()).ok()?;
        input.write_all(candidate).ok()?;
        input.flush().ok()?;
        let mut answer = [0];
        self.process.stdout.as_mut()?.read_exact(&mut answer).ok()?;
        Some(answer == [1])
    }

    fn end(&mut self) {
        _ = self.process.kill();
        _ = self.process.wait();
    }
}

impl Drop for Resident {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_closer_closes_any_opener() {
        assert_eq!(nesting(b"a(b[c}{])"), Some(2));
        assert_eq!(nesting(b")("), None);
        assert_eq!(nesting(b"(()"), None);
        assert_eq!(nesting(b""), Some(0));
    }

    #[test]
    fn calls_need_as_many_arguments_as_there_are_parameters() {
        let mut resident = Resident::start("coupled_arity_python").expect("python3 runs");
        let mut check = |source: &str, is_interesting: bool| {
            let answer = resident.is_interesting(source.as_bytes());
            assert_eq!(answer, is_interesting, "{source}");
        };
        check("def f(a):'MAGIC_SENTINEL'\nf(1)", true);
        check("def f(a):'MAGIC_SENTINEL'\nf()", false);
        check("def f(a):'MAGIC_SENTINEL'\n", false);
        check("def f(a=1):'MAGIC_SENTINEL'\nf(1)", false);
        check("def f(*a):'MAGIC_SENTINEL'\nf()", false);
        check("def f(a):'MAGIC_SENTINEL'\nf(a=1)", false);
        check("def f(a):'MAGIC_SENTINEL'\nf(*a)", false);
        check("def f():0\nf()\n'MAGIC_SENTINEL'", false);
        check("def f(", false);
        check("\0", false);
    }
}
