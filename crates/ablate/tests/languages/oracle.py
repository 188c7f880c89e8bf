"""Says, for one connection after another, whether a file is in a language and still has what it
should: `LANGUAGE PATH`, one line, is answered with 0 or 1. Prints the port that it listens on."""

import ast, json, os, re, shutil, socket, sqlite3, subprocess, sys, tempfile, tomllib
import xml.etree.ElementTree

# What has to be left of each sample: the test case can't become nothing.
KEPT = json.loads(sys.argv[1])

missing = [tool for tool in ("gcc", "g++", "rustc", "iverilog", "mcs", "hlint") if not shutil.which(tool)]
if missing:
    sys.exit(f"{', '.join(missing)} can't be found; .ci/run installs what the tests of languages need")


def command(*words):
    def parse(path, _):
        done = subprocess.run([*words, path], stdin=subprocess.DEVNULL, capture_output=True)
        if done.returncode != 0:
            raise ValueError(done.stderr)

    return parse


def parse_rust(path, _):
    # rustc replaces what it writes to, so /dev/null must not be given to it.
    with tempfile.TemporaryDirectory() as output:
        words = ["--edition=2021", "--emit=metadata", "--cap-lints=allow", "--out-dir", output]
        command("rustc", *words)(path, None)


def parse_haskell(path, _):
    done = subprocess.run(["hlint", "--json", path], stdin=subprocess.DEVNULL, capture_output=True)
    if done.stderr or b"Parse error" in done.stdout:
        raise ValueError(done.stdout)


def parse_zig(path, _):
    import ziglang

    command(os.path.join(os.path.dirname(ziglang.__file__), "zig"), "ast-check")(path, None)


def on_text(parse):
    return lambda _, text: parse(text)


def with_grammar(module):
    """By the grammar that Ablate has, too, in another program."""

    def parse(text):
        import importlib, tree_sitter

        language = tree_sitter.Language(importlib.import_module(module).language())
        if tree_sitter.Parser(language).parse(text.encode()).root_node.has_error:
            raise ValueError("a syntax error")

    return on_text(parse)


def parse_cmake(text):
    from cmakelang import lex, parse

    parse.parse(lex.tokenize(text))


def parse_kotlin(text):
    import kopyt

    kopyt.Parser(text).parse()


def parse_llvm(text):
    import llvmlite.binding

    llvmlite.binding.parse_assembly(text).verify()


PARSERS = {
    "c": command("gcc", "-fsyntax-only", "-w", "-xc"),
    "cpp": command("g++", "-fsyntax-only", "-w", "-xc++"),
    "rust": parse_rust,
    "bash": command("bash", "-n"),
    "verilog": command("iverilog", "-tnull"),
    "python": on_text(ast.parse),
    "json": on_text(json.loads),
    "toml": on_text(tomllib.loads),
    "xml": on_text(xml.etree.ElementTree.fromstring),
    "sql": on_text(lambda text: sqlite3.connect(":memory:").executescript(text)),
    "go": with_grammar("tree_sitter_go"),
    "swift": with_grammar("tree_sitter_swift"),
    "c-sharp": command("mcs", "--parse"),
    "haskell": parse_haskell,
    "zig": parse_zig,
    "cmake": on_text(parse_cmake),
    "kotlin": on_text(parse_kotlin),
    "llvm": on_text(parse_llvm),
}


def verdict(language, path):
    try:
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
        if not all(re.search(pattern, text) for pattern in KEPT[language]):
            return 1
        PARSERS[language](path, text)
        return 0
    except Exception:
        return 1


server = socket.create_server(("127.0.0.1", 0), backlog=64)
print(server.getsockname()[1], flush=True)
while True:
    connection, _ = server.accept()
    with connection, connection.makefile("rw") as stream:
        language, _, path = stream.readline().strip().partition(" ")
        stream.write(f"{verdict(language, path)}\n")
