"""What the bundle is told to carry: enough of Qt for the code, nothing under the GPL alone, nothing of its builder."""

import ast
from pathlib import Path

import pytest

from tests.architecture.bundle_parts import part
from tests.architecture.sources import ROOT, sources

KEPT = part("kept")
WANTED, GPL_ONLY = KEPT["wanted"], KEPT["gpl_only"]


def _imported() -> set[str]:
    """Every module named by an import of ours, in its whole length."""
    found: set[str] = set()
    for source in sources("pos_app"):
        for node in source.nodes:
            match node:
                case ast.Import(names=names):
                    found |= {alias.name for alias in names}
                case ast.ImportFrom(module=str(module), names=names, level=0):
                    found |= {module, *(f"{module}.{alias.name}" for alias in names)}
    return found


def test_each_module_of_qt_that_is_imported_is_carried() -> None:
    """The till would end at the first screen that needs another one."""
    used = {name.split(".")[1] for name in _imported() if name.startswith("PySide6.Qt")}
    assert used <= KEPT["QT_MODULES"]


def test_nothing_that_is_imported_is_left_out() -> None:
    """A list of what to leave out grows old: what the code begins to use must come off it."""
    left = KEPT["EXCLUDED_MODULES"]
    lost = {name for name in _imported() for each in left if name == each or name.startswith(f"{each}.")}
    assert lost == set()


def test_each_package_whose_version_is_asked_for_is_described() -> None:
    """`doctor` would say "not installed as a package"."""
    tree = ast.parse((ROOT / "pos_app/doctor/machine.py").read_text(encoding="utf-8"))
    parts = next(
        ast.literal_eval(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_PARTS"
    )
    assert {"pos-app", *parts} <= set(KEPT["METADATA"])


@pytest.mark.parametrize(
    "name",
    [
        "libQt6Charts.so.6",
        "QtDataVisualization.abi3.so",
        "libqtvirtualkeyboardplugin.so",
        "libQt6VirtualKeyboard.so.6",
        "QtGraphs.abi3.so",
        "libQt6Quick3DRuntimeRender.so.6",
        "libQt6WaylandCompositor.so.6",
        "QtHttpServer.abi3.so",
        "Qt6Charts.dll",
        "qtvirtualkeyboardplugin.dll",
    ],
)
def test_a_module_under_the_gpl_alone_is_known_by_its_name(name: str) -> None:
    """As a library, as a module of Python, as a plugin."""
    assert GPL_ONLY(name)


def test_none_of_what_is_carried_is_under_the_gpl_alone() -> None:
    """By the lists; the built folder is looked through as well (tests/verification/proof)."""
    names = [*KEPT["QT_MODULES"], *(Path(each).name for each in KEPT["QT_PLUGINS"])]
    assert [name for name in names if GPL_ONLY(name)] == []
    assert not GPL_ONLY("libQt6WaylandClient.so.6")


@pytest.mark.parametrize(
    ("destination", "goes_in"),
    [
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/Qt/plugins/platforms/libqvnc.so", False),
        ("PySide6/Qt/plugins/platformthemes/libqgtk3.so", False),
        ("PySide6/Qt/translations/qtbase_ar.qm", True),
        ("PySide6/Qt/translations/qtbase_de.qm", False),
        ("PySide6/QtWidgets.abi3.so", True),
        ("PySide6/QtQml.abi3.so", False),
        ("PySide6/Qt/lib/libQt6Core.so.6", True),
        ("PySide6\\plugins\\platforms\\qwindows.dll", True),
        ("PySide6\\plugins\\sqldrivers\\qsqlite.dll", False),
        ("PySide6\\translations\\qtbase_de.qm", False),
        ("PySide6\\QtWidgets.pyd", True),
        ("PySide6\\QtQml.pyd", False),
        ("PySide6\\Qt6Core.dll", True),
        ("click-8.5.1.dist-info\\RECORD", False),
        ("pos_app-0.1.0.dist-info/METADATA", True),
        ("pos_app-0.1.0.dist-info/direct_url.json", False),
        ("pos_app-0.1.0.dist-info/RECORD", False),
        ("keyring-25.7.0.dist-info/entry_points.txt", True),
        ("cryptography-50.0.2.dist-info/licenses/LICENSE", False),
        ("certifi/cacert.pem", True),
    ],
)
def test_what_goes_into_the_folder(destination: str, goes_in: bool) -> None:
    """A till without a way onto somebody's network (vnc), other toolkits, or a word about the builder's machine."""
    assert WANTED(destination) is goes_in


def test_translators_files_stay_at_home() -> None:
    """The till reads what was made of them."""
    carried = {Path(source).suffix for source, _ in part("carried")["resources"](ROOT)}
    assert ".svg" in carried
    assert ".mo" in carried
    assert carried.isdisjoint({".po", ".md", ".png"})


def test_no_bundle_without_a_language(tmp_path: Path) -> None:
    """It would speak English to whoever chose another, and nothing would say why."""
    languages = tmp_path / "resources" / "languages"
    languages.mkdir(parents=True)
    (languages / "ta.po").touch()
    with pytest.raises(FileNotFoundError, match="make languages"):
        part("carried")["resources"](tmp_path)
    (languages / "ta.mo").touch()
    assert [Path(file).name for file, _ in part("carried")["resources"](tmp_path)] == ["ta.mo"]
