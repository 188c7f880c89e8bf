#!/bin/bash
# Installs other reducers, from the package registries, into $PEERS (default: .peers beside this
# file). Idempotent.
# usage: bench/peers.sh NAME…   with NAME one of shrinkray cvise creduce picire picireny lithium ddsmt treereduce
set -eu
here=$(cd "$(dirname "$0")" && pwd)
PEERS=${PEERS:-$here/.peers}
mkdir -p "$PEERS"
environment=$PEERS/python

# Shrink Ray needs Python 3.12; the others take what it takes.
python_312() {
  local candidate path
  for candidate in python3 python3.14 python3.13 python3.12 \
    "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[2-9]*/bin/python; do
    path=$(command -v "$candidate") || continue
    "$path" -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null && echo "$path" && return
  done
  echo "the Python reducers need Python 3.12 or newer" >&2
  return 1
}

pip() {
  [ -x "$environment/bin/pip" ] || "$(python_312)" -m venv "$environment"
  "$environment/bin/pip" --disable-pip-version-check -q "$@"
}

shrinkray() {
  local wheels=$PEERS/wheels package
  pip download --no-deps -d "$wheels" shrinkray
  pip install 'setuptools<81'
  # All that it depends on but its language model, which would be compiled for many minutes.
  "$environment/bin/python" - "$wheels" > "$wheels/requirements.txt" <<'PY'
import pathlib, sys, zipfile
wheel = max(pathlib.Path(sys.argv[1]).glob("shrinkray-*.whl"))
with zipfile.ZipFile(wheel) as content:
    about = next(name for name in content.namelist() if name.endswith("/METADATA"))
    for line in content.read(about).decode().splitlines():
        key, _, value = line.partition(": ")
        if key == "Requires-Dist" and "extra" not in value and "llama" not in value:
            print(value)
PY
  pip install -r "$wheels/requirements.txt"
  pip install --no-deps shrinkray
  # The newest grammar package fetches grammars while it runs; the last one that bundles them needs
  # no network, so that Shrink Ray is measured with its passes on syntax trees.
  pip install --no-deps 'tree-sitter-language-pack==0.13.0' \
    tree-sitter-c-sharp tree-sitter-embedded-template tree-sitter-yaml
  package=$("$environment/bin/python" -c 'import tree_sitter_language_pack as t; print(t.__file__)')
  grep -q '^def downloaded_languages' "$package" || cat >> "$package" <<'PY'


def download(languages):
    return None


def downloaded_languages():
    from typing import get_args
    return list(get_args(SupportedLanguage))
PY
}

# The grammars are another matter: see README.md beside this file.
picireny() {
  local sources=$PEERS/wheels generator=antlr-4.9.3-complete.jar project
  command -v javac >/dev/null || {
    apt-get update -qq
    apt-get install -y -qq default-jdk-headless >/dev/null
  }
  [ -x "$environment/bin/picireny" ] || pip install 'setuptools<81' wheel 'picireny==21.8'
  # The parser generator, from the sources of a package that builds its own grammar with it.
  [ -f "$PEERS/antlr/$generator" ] || {
    pip download --no-deps --no-binary :all: --no-build-isolation -d "$sources" 'omegaconf==2.3.0'
    mkdir -p "$PEERS/antlr"
    tar -xzf "$sources/omegaconf-2.3.0.tar.gz" -C "$PEERS/antlr" --strip-components 3 \
      "omegaconf-2.3.0/build_helpers/bin/$generator"
  }
  # The only grammar of ours that a package ships: C++14, in the tests of a crate.
  [ -f "$PEERS/grammars/cpp/CPP14.g4" ] || {
    project=$(mktemp -d)
    mkdir -p "$project/src" "$PEERS/grammars/cpp"
    touch "$project/src/lib.rs"
    printf '[package]\nname = "grammar"\nedition = "2024"\n[dependencies]\n%s\n' \
      'antlr-rust-runtime = "=0.20.1"' > "$project/Cargo.toml"
    cargo vendor -q --manifest-path "$project/Cargo.toml" "$project/vendor" >/dev/null
    find "$project/vendor/antlr-rust-runtime" -path '*/fixtures/vscode-cpp14/CPP14.g4' \
      -exec cp {} "$PEERS/grammars/cpp" \;
    rm -rf "$project"
  }
}

for name in "$@"; do
  case $name in
    shrinkray) [ -x "$environment/bin/shrinkray" ] || shrinkray ;;
    cvise | creduce) command -v "$name" >/dev/null || {
      apt-get update -qq
      apt-get install -y -qq "$name" >/dev/null
    } ;;
    picire | ddsmt) [ -x "$environment/bin/$name" ] || pip install 'setuptools<81' "$name" ;;
    picireny) picireny ;;
    lithium) [ -x "$environment/bin/lithium" ] || pip install lithium-reducer ;;
    treereduce) for language in c rust; do
      [ -x "$PEERS/bin/treereduce-$language" ] ||
        cargo install -q --root "$PEERS" "treereduce-$language"
    done ;;
    *) echo "no reducer $name" >&2; exit 2 ;;
  esac
done
