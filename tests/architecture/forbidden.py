"""What the till's code must not name or do, each with its reason; finds them in a parsed file."""

import ast
from collections.abc import Iterator

from tests.architecture.forbidden_doings import doings
from tests.architecture.sources import Source

# A locked-down till shows no dialog and opens no page that the system brings: each is a way out of it.
WAYS_OUT = {
    "ActionsContextMenu",
    "LinksAccessibleByKeyboard",
    "LinksAccessibleByMouse",
    "QColorDialog",
    "QDesktopServices",
    "QFileDialog",
    "QFileSystemModel",
    "QFontDialog",
    "QInputDialog",
    "QMenu",
    "QPageSetupDialog",
    "QPrintDialog",
    "QPrintPreviewDialog",
    "QSystemTrayIcon",
    "QWhatsThis",
    "QWizard",
    "TextBrowserInteraction",
    "createStandardContextMenu",
    "linkActivated",
    "openUrl",
    "setOpenExternalLinks",
    "setOpenLinks",
    "setWhatsThis",
    "startfile",
    "webbrowser",
}
# What stands on a till stays there: nothing is carried off by clipboard or mouse, nothing is dropped on it.
CARRIED_HOME = {"clipboard": "pos_app/ui/widgets/id_copy.py"}
"""A payment's ids alone, and not in a kiosk: whoever asks the wallet's people would type twenty digits."""
CARRIED = {"QClipboard", "QDrag", "clipboard", "dropEvent", "setDragDropMode", "setMimeData", "startDrag"}
SWITCHED = {"setAcceptDrops", "setDragEnabled"}
# Text that came from outside may say <b>PAID</b>; these would draw it so.
RICH_TEXT = {
    "AutoText",
    "MarkdownText",
    "RichText",
    "appendHtml",
    "insertHtml",
    "setDefaultStyleSheet",
    "setHtml",
    "setMarkdown",
    "toHtml",
}
# These guess at rich text unless told otherwise: one module tells them, the others use its widgets.
GUESSING = {
    "QErrorMessage",
    "QGraphicsTextItem",
    "QLabel",
    "QMessageBox",
    "QProgressDialog",
    "QStaticText",
    "QTextBrowser",
    "QTextDocument",
    "QTextEdit",
    "QToolTip",
}
# A tooltip guesses too, and no widget of ours stands in between: only what is written there may be in it.
TOOLTIPS = {"setToolTip", "setStatusTip", "setItemToolTip", "setTabToolTip"}
GUESSING_HOME = "pos_app/ui/widgets/"
# Each runs what it reads.
CODE_FROM_DATA = {"cloudpickle", "code", "codeop", "dill", "joblib", "jsonpickle", "marshal", "pdb", "pickle"}
CODE_FROM_DATA |= {"cPickle", "shelve", "yaml"}
RUNS_TEXT = {"eval", "exec", "compile", "__import__", "breakpoint"}


def violations(source: Source) -> list[str]:
    """Each forbidden name or call of a file, as path:line and what is wrong."""
    found = [
        *_names(source),
        *_imports(source),
        *_calls(source),
        *_plain_text(source),
        *doings(source),
    ]
    return sorted(f"{source.path}:{line} {what}" for line, what in found)


def _names(source: Source) -> Iterator[tuple[int, str]]:
    for node in source.nodes:
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                pass
            case ast.alias(name=dotted):
                name = dotted.rpartition(".")[2]
            case ast.FunctionDef(name="dropEvent" as name):
                pass
            case _:
                continue
        if name in WAYS_OUT:
            yield node.lineno, f"{name} is a way out of a locked till"
        elif name in RICH_TEXT:
            yield node.lineno, f"{name} draws foreign text as markup"
        elif name in CARRIED and CARRIED_HOME.get(name) != source.path:
            yield node.lineno, f"{name} carries something on or off the till"
        elif name in GUESSING and not source.path.startswith(GUESSING_HOME):
            yield node.lineno, f"{name} guesses at markup: use the widgets of {GUESSING_HOME}"


def _imports(source: Source) -> Iterator[tuple[int, str]]:
    for node in source.nodes:
        match node:
            case ast.Import(names=names):
                modules = [alias.name for alias in names]
            case ast.ImportFrom(module=str(module)):
                modules = [module]
            case _:
                continue
        for module in modules:
            if module.partition(".")[0] in CODE_FROM_DATA:
                yield node.lineno, f"{module} runs what it reads"


def _calls(source: Source) -> Iterator[tuple[int, str]]:
    for node in source.nodes:
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in RUNS_TEXT:
                yield node.lineno, f"{name}() runs text"
            case ast.Call(func=ast.Attribute(value=ast.Name(id="builtins"), attr=name)) if name in RUNS_TEXT:
                yield node.lineno, f"{name}() runs text"
            case ast.Call(func=ast.Attribute(attr=name), args=args) if name in TOOLTIPS:
                if not args or not isinstance(args[-1], ast.Constant):
                    yield node.lineno, f"{name}() guesses at markup: only a text written there may be in it"
            case ast.Call(func=ast.Attribute(attr="setTextFormat"), args=[wanted]):
                if not ast.unparse(wanted).endswith(".PlainText"):
                    yield node.lineno, "setTextFormat() with anything but PlainText"
            case ast.Call(func=ast.Attribute(attr=name), args=args) if name in SWITCHED:
                if [ast.unparse(arg) for arg in args] != ["False"]:
                    yield node.lineno, f"{name}() carries something on or off the till"


def _plain_text(source: Source) -> Iterator[tuple[int, str]]:
    """A widget module that makes one of the guessing classes says PlainText in the same file."""
    if "PlainText" in source.text:
        return
    for node in source.nodes:
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in GUESSING:
                yield node.lineno, f"{name} without PlainText"
            case ast.ClassDef(name=_, bases=bases):
                named = {base.id for base in bases if isinstance(base, ast.Name)}
                for name in named & GUESSING:
                    yield node.lineno, f"{name} without PlainText"
