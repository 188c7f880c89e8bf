"""The tests of the synthetic problems that are about Python.

    oracle.py FUNCTION FILE    exit status 0 when the file is interesting
    oracle.py FUNCTION         reads candidates (length as 4 bytes, little-endian, then the content)
                               from standard input and answers each with one byte, 1 or 0
"""

import ast
import sys
import warnings

warnings.simplefilter("ignore")


def python_syntax(source):
    return b"SENTINEL_KEEP" in source and compile(source, "candidate.py", "exec") is not None


def coupled_arity_python(source):
    module = ast.parse(source)
    nodes = list(ast.walk(module))
    for node in nodes:
        if isinstance(node, ast.arguments) and (
            node.defaults or node.kw_defaults or node.kwonlyargs or node.vararg or node.kwarg
        ):
            return False
        if isinstance(node, ast.Call) and node.keywords:
            return False
    functions = {node.name: node for node in nodes if isinstance(node, ast.FunctionDef)}
    called = set()
    for node in nodes:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            continue
        function = functions.get(node.func.id)
        if function is None:
            continue
        if any(isinstance(argument, ast.Starred) for argument in node.args):
            return False
        if len(node.args) != len(function.args.posonlyargs) + len(function.args.args):
            return False
        called.add(node.func.id)
    return any("MAGIC_SENTINEL" in ast.dump(part) for name in called for part in functions[name].body)


def verdict(test, source):
    try:
        return bool(test(source))
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError):
        return False


def main():
    test = {"python_syntax": python_syntax, "coupled_arity_python": coupled_arity_python}[sys.argv[1]]
    if len(sys.argv) > 2:
        with open(sys.argv[2], "rb") as file:
            return 0 if verdict(test, file.read()) else 1
    while len(size := sys.stdin.buffer.read(4)) == 4:
        source = sys.stdin.buffer.read(int.from_bytes(size, "little"))
        sys.stdout.buffer.write(b"\1" if verdict(test, source) else b"\0")
        sys.stdout.buffer.flush()
    return 0


sys.exit(main())
