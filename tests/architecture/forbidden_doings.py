"""What the till's code must not do beside the screen: shells, SQL from text, trust in anybody; finds it in a file."""

import ast
from collections.abc import Iterator

from tests.architecture.sources import Source

STARTS = {"run", "Popen", "call", "check_call", "check_output"}
SHELLS = {
    "create_subprocess_shell",
    "getoutput",
    "getstatusoutput",
    "popen",
    "startCommand",
    "subprocess_shell",
    "system",
}
# Each of these names belongs to one module, or to Qt, whose startCommand takes a whole line apart.
SHELL_MODULES = {"asyncio", "os", "subprocess"}
EXECUTES = {"execute", "executemany", "executescript"}
# The one table name that is no constant: a loop over the projections, named in the same file.
SQL_PARTS = {("pos_app/journal/projections.py", "table")}
# Whom the till believes, and where it sends its secrets, is decided in two modules and never loosened.
LOOSENED = {
    "check_hostname": False,
    "follow_redirects": True,
    "trust_env": True,
    "verify": False,
    "verify_mode": None,
}
# msgspec's own words for what it cannot read; Python's own errors belong to them, and are easily forgotten.
OF_MSGSPEC = {"DecodeError", "MsgspecError"}
# `system` knows no other room of the till.
NAMES_THEM_ITSELF = {"pos_app/system/updating.py"}
TRUSTS_ANYBODY = {"CERT_NONE", "CERT_OPTIONAL", "_create_unverified_context", "InsecureRequestWarning"}


def doings(source: Source) -> Iterator[tuple[int, str]]:
    """Line and what is wrong."""
    yield from _shells(source)
    yield from _sql(source)
    yield from _trust(source)
    for node in source.nodes:
        match node:
            case ast.Assert():
                yield node.lineno, "assert is gone under -O: raise what happened"
            case ast.Attribute(attr="mktemp") | ast.alias(name="mktemp") | ast.Name(id="mktemp"):
                line = node.lineno
                yield line, "mktemp names a file that another may make first"
            case ast.Attribute(value=ast.Name(id="select"), attr="select"):
                yield node.lineno, "select refuses every file from number 1024 on: pos_app/system/waiting.py"
            case ast.ExceptHandler(type=ast.expr() as caught) if _is_of_msgspec(caught):
                if source.path not in NAMES_THEM_ITSELF:
                    yield node.lineno, "what msgspec cannot read is UNREADABLE (domain/unreadable.py)"


def _is_of_msgspec(caught: ast.expr) -> bool:
    return any(_name(each) in OF_MSGSPEC for each in ast.walk(caught) if isinstance(each, ast.expr))


def _shells(source: Source) -> Iterator[tuple[int, str]]:
    for node in source.nodes:
        match node:
            case ast.ImportFrom(module=module, names=names) if module in SHELL_MODULES:
                for name in {alias.name for alias in names} & SHELLS:
                    yield node.lineno, f"{name}() starts a shell"
            case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr=name)) if name in SHELLS:
                if module in SHELL_MODULES or name == "startCommand":
                    yield node.lineno, f"{name}() starts a shell"
            case ast.Call(func=ast.Attribute(attr="startCommand")):
                yield node.lineno, "startCommand() starts a shell"
        if isinstance(node, ast.Call):
            for keyword in node.keywords:
                off = isinstance(keyword.value, ast.Constant) and keyword.value.value is False
                if keyword.arg == "shell" and not off:
                    yield node.lineno, "shell=True hands text to a shell"
            if _name(node.func) in STARTS and _of_subprocess(node.func) and _is_text(node.args[:1]):
                yield node.lineno, "a process is started from one text, not from a list of words"


def _sql(source: Source) -> Iterator[tuple[int, str]]:
    for node in source.nodes:
        if not (isinstance(node, ast.Call) and _name(node.func) in EXECUTES and node.args):
            continue
        match node.args[0]:
            case ast.JoinedStr(values=values):
                parts = [part.value for part in values if isinstance(part, ast.FormattedValue)]
                if not all(_is_constant(part, source.path) for part in parts):
                    yield node.lineno, "SQL is made of text: bind the value"
            case ast.BinOp() | ast.Call(func=ast.Attribute(attr="format" | "replace" | "join")):
                yield node.lineno, "SQL is made of text: bind the value"


def _trust(source: Source) -> Iterator[tuple[int, str]]:
    for node in source.nodes:
        match node:
            case ast.Attribute(attr=name) | ast.Name(id=name) | ast.alias(name=name) if (
                name in TRUSTS_ANYBODY
            ):
                yield node.lineno, f"{name} trusts anybody"
            case ast.Assign(targets=[ast.Attribute(attr=name)], value=ast.Constant(value=given)):
                if name in LOOSENED and given is LOOSENED[name]:
                    yield node.lineno, f"{name} trusts anybody"
            case ast.Call(keywords=keywords):
                for said in keywords:
                    given = said.value.value if isinstance(said.value, ast.Constant) else ...
                    if said.arg in LOOSENED and given is LOOSENED[said.arg]:
                        yield node.lineno, f"{said.arg} trusts anybody"


def _name(called: ast.expr) -> str:
    match called:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _of_subprocess(called: ast.expr) -> bool:
    """subprocess.run, or a bare Popen: other things are run too."""
    match called:
        case ast.Attribute(value=ast.Name(id="subprocess")):
            return True
        case ast.Name(id="Popen" | "check_call" | "check_output"):
            return True
    return False


def _is_text(arguments: list[ast.expr]) -> bool:
    match arguments:
        case [ast.Constant(value=str()) | ast.JoinedStr() | ast.BinOp(op=ast.Mod())]:
            return True
        case [ast.Call(func=ast.Attribute(attr="format" | "join"))]:
            return True
    return False


def _is_constant(part: ast.expr, path: str) -> bool:
    match part:
        case ast.Name(id=name):
            return name.strip("_").isupper() or (path, name) in SQL_PARTS
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]):
            return name.isupper()
    return False
