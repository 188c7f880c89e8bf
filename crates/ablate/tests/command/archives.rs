//! What becomes of archives.

use std::process::Command;

use crate::bench::Bench;

/// A bench with a zip archive of some pages, and a test for it in Python, which knows it as `archive`, and its
/// members as `pages`.
pub fn with_archive(condition: &str) -> Bench {
    let bench = Bench::new(
        "exec python3 \"$(dirname \"$evidence\")/test.py\" \"$1\"",
        "",
    );
    bench.write(
        "test.py",
        format!(
            "import sys, zipfile\n\
             try:\n    archive = zipfile.ZipFile(sys.argv[1])\n    \
             pages = {{name: archive.read(name) for name in archive.namelist()}}\n\
             except Exception:\n    sys.exit(1)\n\
             sys.exit(0 if {condition} else 1)\n"
        ),
    );
    let make = "import zipfile\n\
         with zipfile.ZipFile('a.zip', 'w', zipfile.ZIP_DEFLATED) as archive:\n    \
         archive.comment = b'a comment'\n    \
         archive.writestr('mimetype', b'text/a', zipfile.ZIP_STORED)\n    \
         for page in range(9):\n        \
         rows = ''.join(f'<row id=\"{row}\"><b>{row * page}</b></row>' for row in range(24))\n        \
         archive.writestr(f'pages/{page}.xml', f'<page>{rows}<i>needle {page}</i></page>')\n";
    let mut command = Command::new("python3");
    command.args(["-c", make]).current_dir(bench.path(""));
    let made = command.status().expect("python3 can be started");
    assert!(made.success());
    bench
}

/// Whether some page is well-formed and has the needle in it.
pub const NEEDLE_IN_PAGES: &str = "any(b'<i>needle 7' in page and page.count(b'<') == page.count(b'>') for page in pages.values())";

/// Enough for what is asked here, with a test that takes Python to start.
const PASSES: &str = "--passes delete_files,delete_large_nodes,delete_nodes,delete_large_parts";

#[test]
fn what_is_in_an_archive_is_reduced_along_its_own_structure() {
    let bench = with_archive(NEEDLE_IN_PAGES);
    let finished = bench.run(&format!("{PASSES} test.sh a.zip"));
    let said = [
        "kept as a.zip.orig",
        "first what is in it (",
        "10 files, as xml)",
        "now the archive itself (",
        "done:",
    ];
    finished.check(0, &said);
    let result = std::fs::read(bench.path("a.zip")).unwrap();
    assert!(result.starts_with(b"PK\x03\x04") && result.len() < 200);
    let words = b"<i>needle 7";
    assert!(result.windows(words.len()).any(|window| window == words));
}

#[test]
fn programs_are_told_what_sizes_are_of() {
    let bench = with_archive(NEEDLE_IN_PAGES);
    let run = |jobs: &str| {
        bench.run(&format!(
            "{jobs} {PASSES} --message-format json -o b.zip test.sh a.zip"
        ))
    };
    let finished = run("-j4");
    finished.check(0, &[]);
    let messages = finished.messages();
    let at = |event: &str| {
        messages
            .iter()
            .position(|message| message["event"] == event)
    };
    let (started, unpacked, packed) = (at("started"), at("unpacked"), at("packed"));
    assert!(started < unpacked && unpacked < packed && packed.is_some());
    let unpacked = &messages[unpacked.unwrap()];
    assert_eq!(
        (&unpacked["files"], &unpacked["language"]),
        (&10.into(), &"xml".into())
    );
    let (last, other) = (messages.last().unwrap(), run("-j1").messages());
    for same in ["result_hash", "trace_hash", "tests_logical"] {
        assert_eq!(other.last().unwrap()[same], last[same]);
    }
}

#[test]
fn an_early_end_leaves_an_archive() {
    let bench = with_archive(NEEDLE_IN_PAGES);
    bench
        .run("--max-tests 9 test.sh a.zip")
        .check(4, &["budget used up"]);
    let bench = with_archive("len(pages) == 10");
    let before = bench.read("a.zip");
    let last = bench.check_json("--max-tests 1 --passes delete_files test.sh a.zip", 4);
    assert_eq!(last["accepted"], 0);
    assert_eq!(last["final_bytes"], last["initial_bytes"]);
    assert_eq!(bench.read("a.zip"), before);
}

#[test]
fn an_archive_that_has_to_stay_as_it_is_written_is_reduced_as_bytes() {
    let bench = with_archive(&format!("archive.comment and {NEEDLE_IN_PAGES}"));
    let finished = bench.run("--max-tests 40 test.sh a.zip");
    finished.check(
        4,
        &["written anew with the same content, the archive is not interesting"],
    );
    assert!(!finished.stderr.contains("now the archive itself"));
}
