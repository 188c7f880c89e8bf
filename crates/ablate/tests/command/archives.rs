//! What becomes of archives.

use serde_json::Value;

use crate::bench::Bench;

/// A bench with a test in Python that says whether `is_found`, and finds nothing in what is broken.
fn in_python(test: &str) -> Bench {
    let bench = Bench::new(
        "exec python3 \"$(dirname \"$evidence\")/test.py\" \"$1\"",
        "",
    );
    let test = test.replace('\n', "\n    ");
    bench.write(
        "test.py",
        format!(
            "import sys\n\
             try:\n    {test}\n\
             except Exception:\n    sys.exit(1)\n\
             sys.exit(0 if is_found else 1)\n"
        ),
    );
    bench
}

/// A bench with a zip archive of some pages, and a test for it in Python, which knows it as `archive`, and its
/// members as `pages`.
pub fn with_archive(condition: &str) -> Bench {
    let bench = in_python(&format!(
        "import zipfile\n\
         archive = zipfile.ZipFile(sys.argv[1])\n\
         pages = {{name: archive.read(name) for name in archive.namelist()}}\n\
         is_found = {condition}"
    ));
    bench.make(
        "import zipfile\n\
         with zipfile.ZipFile('a.zip', 'w', zipfile.ZIP_DEFLATED) as archive:\n    \
         archive.comment = b'a comment'\n    \
         archive.writestr('mimetype', b'text/a', zipfile.ZIP_STORED)\n    \
         for page in range(9):\n        \
         rows = ''.join(f'<row id=\"{row}\"><b>{row * page}</b></row>' for row in range(24))\n        \
         archive.writestr(f'pages/{page}.xml', f'<page>{rows}<i>needle {page}</i></page>')\n",
    );
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
        "now the file itself (",
        "done:",
    ];
    finished.check(0, &said);
    let result = std::fs::read(bench.path("a.zip")).unwrap();
    assert!(result.starts_with(b"PK\x03\x04") && result.len() < 200);
    let members = result.windows(4).filter(|window| window == b"PK\x03\x04");
    assert_eq!(members.count(), 1);
}

#[test]
fn programs_are_told_what_sizes_are_of() {
    let bench = with_archive(NEEDLE_IN_PAGES);
    let run = |jobs: &str| {
        bench.run(&format!(
            "{jobs} {PASSES} --message-format json -o b{jobs}.zip test.sh a.zip"
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
fn a_second_run_goes_on_from_an_archive() {
    let bench = with_archive(NEEDLE_IN_PAGES);
    let run = |options: &str| bench.run(&format!("{options} -o b.zip test.sh a.zip"));
    run("--passes delete_files --max-tests 6").check(4, &["10 files, as xml)"]);
    let finished = run("--passes delete_files --max-tests 1");
    finished.check(4, &["going on from b.zip, "]);
    assert!(!finished.stderr.contains("10 files, as xml)"));
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
    assert!(!finished.stderr.contains("now the file itself"));
}

#[test]
fn text_in_utf_16_is_reduced_as_text() {
    let bench = in_python(
        "import json\n\
         is_found = 'needle' in json.loads(open(sys.argv[1], encoding='utf-16').read())['wörter'][0]\n",
    );
    bench.make(
        "import json\n\
         words = {'wörter': [{'needle': [1, 2]}, *range(90)], 'others': list(range(90))}\n\
         open('a.json', 'w', encoding='utf-16').write(json.dumps(words, ensure_ascii=False))\n",
    );
    let finished = bench.run(&format!("{PASSES},delete_items test.sh a.json"));
    let said = [
        "bytes, as utf-16)",
        "first what is in it (",
        "as json)",
        "now the file itself (",
        "done:",
    ];
    finished.check(0, &said);
    let result = std::fs::read(bench.path("a.json")).unwrap();
    assert!(
        result.starts_with(b"\xff\xfe") && result.len() <= 62,
        "{result:?}"
    );
}

#[test]
fn a_compressed_archive_is_unpacked_twice() {
    let bench = in_python(
        "import ast, tarfile\n\
         with tarfile.open(sys.argv[1], 'r:gz') as archive:\n    \
         modules = [archive.extractfile(member).read() for member in archive if member.isfile()]\n\
         calls = [node for module in modules for node in ast.walk(ast.parse(module)) if isinstance(node, ast.Call)]\n\
         is_found = any(getattr(call.func, 'id', '') == 'needle' for call in calls)\n",
    );
    bench.make(
        "import io, tarfile\n\
         with tarfile.open('a.tgz', 'w:gz') as archive:\n    \
         for number in range(9):\n        \
         body = ''.join(f'    if rows[{row}]:\\n        count += {row}\\n' for row in range(20))\n        \
         text = f'def count_{number}(rows):\\n    count = 0\\n{body}    return needle(count)\\n'\n        \
         member = tarfile.TarInfo(f'package/part_{number}.py')\n        \
         member.size = len(text)\n        \
         archive.addfile(member, io.BytesIO(text.encode()))\n",
    );
    let finished = bench.run(&format!("{PASSES} test.sh a.tgz"));
    finished.check(
        0,
        &["9 files, as python)", "now the file itself (", "done:"],
    );
    let result = std::fs::read(bench.path("a.tgz")).unwrap();
    assert!(result.len() < 150, "{}", result.len());
}

#[test]
fn a_compressed_file_is_reduced_as_what_its_name_says() {
    let bench = in_python(
        "import gzip\n\
         with gzip.open(sys.argv[1]) as file:\n    \
         is_found = b'.needle {' in (text := file.read()) and text.count(b'{') == text.count(b'}')\n",
    );
    bench.make(
        "import gzip\n\
         rules = [f'.rule-{number} {{ width: {number}px; color: red }}\\n' for number in range(99)]\n\
         rules[33] = '.needle { margin: 0 }\\n'\n\
         gzip.open('a.css.gz', 'w').write(''.join(rules).encode())\n",
    );
    let line = "--passes delete_nodes,delete_part_bytes --message-format json test.sh a.css.gz";
    let finished = bench.run(line);
    finished.check(0, &[]);
    let messages = finished.messages();
    let unpacked = messages
        .iter()
        .find(|message| message["event"] == "unpacked");
    let unpacked = unpacked.expect("it is unpacked");
    assert_eq!(
        (&unpacked["files"], &unpacked["language"]),
        (&Value::Null, &"css".into())
    );
    let last = messages.last().unwrap();
    assert!(last["final_bytes"].as_u64().unwrap() < 50, "{last}");
}
