//! Problems whose test wants some names to occur.

use super::{Problem, Published, Test};

const ALPHA: &[u8] = b"RARE_MARKER_ALPHA";
const BETA: &[u8] = b"RARE_MARKER_BETA";
const GAMMA: &[u8] = b"RARE_MARKER_GAMMA";

/// Three lines that matter in two thousand functions.
pub fn keep_markers() -> Problem {
    Problem {
        name: "keep_markers",
        file_name: "keep_markers.py",
        initial: keep_markers_initial,
        test: Test::Pure(|candidate| has_all(candidate, &[ALPHA, BETA, GAMMA])),
        published: Published {
            initial_bytes: 174_747,
            final_bytes: 50,
            calls: 1232,
            calls_to_90: 74,
            calls_to_99: 132,
            tail: 887,
        },
        optimum: 50,
    }
}

fn keep_markers_initial() -> Vec<u8> {
    let mut text = String::new();
    for number in 0..2000 {
        let marker = match number {
            400 => "    RARE_MARKER_ALPHA = 1\n",
            1200 => "    RARE_MARKER_BETA = 2\n",
            1800 => "    RARE_MARKER_GAMMA = 3\n",
            _ => "",
        };
        text.push_str(&format!(
            "def function_{number}(a, b, c):\n{marker}    \
             result = a * b + c - {number}  # item {number}\n    return result\n"
        ));
    }
    text.into_bytes()
}

/// Almost nothing to remove: what it costs to find that out.
pub fn already_minimal() -> Problem {
    Problem {
        name: "already_minimal",
        file_name: "already_minimal.py",
        initial: || b"x=RARE_MARKER_ALPHA+RARE_MARKER_BETA\n".to_vec(),
        test: Test::Pure(|candidate| has_all(candidate, &[ALPHA, BETA])),
        published: Published {
            initial_bytes: 37,
            final_bytes: 34,
            calls: 847,
            calls_to_90: 101,
            calls_to_99: 101,
            tail: 746,
        },
        optimum: 33,
    }
}

fn has_all(candidate: &[u8], names: &[&[u8]]) -> bool {
    names.iter().all(|name| {
        let mut windows = candidate.windows(name.len());
        windows.any(|window| window == *name)
    })
}
