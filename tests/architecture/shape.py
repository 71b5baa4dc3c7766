"""How the project's files are to be made: docstring, frozen values, purity; finds what is not."""

import ast
import re
import sys
from collections.abc import Iterator

from tests.architecture.sources import Source

PURE_LIBRARIES = {"msgspec", "phonenumbers", "pos_app"}
CLOCKS = {"now", "utcnow", "today", "fromtimestamp"}
# One broad except each: a fault of our own must stop selling, not the process; nor may it end the thread that asks
# about payments, or a store's lane, or leave a screen saying for ever that a till is being opened. The first that a
# place fits is its door.
DOORS = {
    "the status poller's loop": re.compile(r"pos_app/engine/connection/poller\.py"),
    "the engine's loop": re.compile(r"pos_app/engine/"),
    "Qt's hook": re.compile(r"pos_app/(app\.py|ui/)"),
    "a till that is opened": re.compile(r"pos_app/app/faults\.py"),
    "a store's lane": re.compile(r"pos_app/store/receive\.py"),
    "the sandbox's server": re.compile(r"pos_app/sandbox/"),
    # Python's own code for what nobody caught is 1: of `pay`, for certain not charged.
    "the command line's end": re.compile(r"pos_app/cli/main\.py"),
}


def opening(source: Source) -> list[str]:
    """A module opens with one line that says what it is for; an empty one has no purpose to tell."""
    if not source.text.strip():
        return []
    said = ast.get_docstring(source.tree)
    return [] if said and said.splitlines()[0].strip() else [f"{source.path}: no opening line"]


def broad_excepts(source: Source) -> list[str]:
    """Handlers that swallow any error; one that cleans up and raises again swallows none."""
    found = []
    for node in source.nodes:
        match node:
            case ast.ExceptHandler(type=kind, body=[*_, last]):
                raises_again = isinstance(last, ast.Raise) and last.exc is None
                if (kind is None or _is_broad(kind)) and not raises_again:
                    found.append(f"{source.path}:{node.lineno}")
            case ast.Call(func=ast.Name(id="suppress") | ast.Attribute(attr="suppress"), args=args):
                if any(_is_broad(arg) for arg in args):
                    found.append(f"{source.path}:{node.lineno}")
    return found


def _is_broad(kind: ast.expr) -> bool:
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return any(isinstance(one, ast.Name) and one.id in {"Exception", "BaseException"} for one in kinds)


def beyond_the_doors(places: list[str]) -> list[str]:
    """Of the broad excepts found, those that are at no door, or the second at one."""
    free = dict(DOORS)
    beyond = []
    for place in places:
        door = next((name for name, path in free.items() if path.match(place)), None)
        if door is None:
            beyond.append(place)
        else:
            del free[door]
    return beyond


MOST_PARTS = 6


def crowded_constructors(source: Source) -> list[str]:
    """Classes that are made of more parts than one sees at once: some of them belong together, or to another owner."""
    found = []
    for node in source.nodes:
        match node:
            case ast.ClassDef(name=name, body=body):
                made = (one for one in body if isinstance(one, ast.FunctionDef) and one.name == "__init__")
                found += [f"{source.path}:{one.lineno} {name}" for one in made if _parts(one) > MOST_PARTS]
    return found


def _parts(constructor: ast.FunctionDef) -> int:
    given = constructor.args
    return len([*given.posonlyargs, *given.args, *given.kwonlyargs]) - len(("self",))


def impurities(source: Source) -> list[str]:
    """What the domain may not do: libraries with I/O, clocks, files, and values that can change."""
    found = [*_foreign_imports(source.tree), *_reads(source.tree), *_thawed(source.tree)]
    return [f"{source.path}:{line} {what}" for line, what in found]


def _foreign_imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                modules = [alias.name for alias in names]
            case ast.ImportFrom(module=str(module), level=0):
                modules = [module]
            case _:
                continue
        for name in {module.partition(".")[0] for module in modules}:
            if name not in PURE_LIBRARIES and name not in sys.stdlib_module_names:
                yield node.lineno, f"imports {name}"


def _reads(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="datetime" | "date"), attr=name)):
                if name in CLOCKS:
                    yield node.lineno, f"reads the clock with {name}()"
            case ast.Call(func=ast.Name(id="open" | "input" | "print" as name)):
                yield node.lineno, f"does I/O with {name}()"


def _thawed(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.ClassDef):
            continue
        is_struct = any(ast.unparse(base).endswith("Struct") for base in node.bases)
        if is_struct and not _frozen(node.keywords):
            yield node.lineno, f"{node.name} is a Struct that can change"
        for mark in node.decorator_list:
            options = mark.keywords if isinstance(mark, ast.Call) else []
            if ast.unparse(mark).startswith(("dataclass", "dataclasses.")) and not _frozen(options):
                yield node.lineno, f"{node.name} is a dataclass that can change"


def _frozen(keywords: list[ast.keyword]) -> bool:
    return any(keyword.arg == "frozen" and ast.unparse(keyword.value) == "True" for keyword in keywords)


def waits_and_mocks(source: Source) -> list[str]:
    """What a test may not do: sleep, or stand something in for a class of ours."""
    found = []
    for node in source.nodes:
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="time"), attr="sleep")):
                found.append(f"{source.path}:{node.lineno} sleeps")
            case ast.Call(func=ast.Attribute(value=ast.Name(id="qtbot"), attr="wait")):
                found.append(f"{source.path}:{node.lineno} sleeps in the event loop")
            case ast.ImportFrom(module="unittest.mock") | ast.Import(names=[ast.alias(name="unittest.mock")]):
                found.append(f"{source.path}:{node.lineno} imports mocks")
            case ast.ImportFrom(module="unittest", names=names) if "mock" in {one.name for one in names}:
                found.append(f"{source.path}:{node.lineno} imports mocks")
            case ast.ImportFrom(module="time", names=names) if "sleep" in {one.name for one in names}:
                found.append(f"{source.path}:{node.lineno} imports sleep")
    return found
