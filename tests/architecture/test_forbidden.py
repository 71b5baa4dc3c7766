"""The till's code names nothing forbidden, and each rule is proved on a line that breaks it."""

import pytest

from tests.architecture.forbidden import violations
from tests.architecture.sources import Source, sources


def test_the_till_names_nothing_forbidden() -> None:
    """The message names file, line and reason."""
    found = [line for source in sources("pos_app") for line in violations(source)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("from PySide6.QtWidgets import QFileDialog", "QFileDialog is a way out"),
        ("QtWidgets.QPrintDialog(printer)", "QPrintDialog is a way out"),
        ("QDesktopServices.openUrl(url)", "openUrl is a way out"),
        ("view.setOpenExternalLinks(True)", "setOpenExternalLinks is a way out"),
        ("QWhatsThis.enterWhatsThisMode()", "QWhatsThis is a way out"),
        ("import webbrowser", "webbrowser is a way out"),
        ("import pickle", "pickle runs what it reads"),
        ("from yaml import safe_load", "yaml runs what it reads"),
        ("eval(text)", "eval() runs text"),
        ("exec(text)", "exec() runs text"),
        ("subprocess.run(line, shell=True)", "hands text to a shell"),
        ("subprocess.run(line, shell=wanted)", "hands text to a shell"),
        ("os.system(line)", "system() starts a shell"),
        ("label.setTextFormat(Qt.TextFormat.RichText)", "RichText draws foreign text"),
        ("document.setHtml(text)", "setHtml draws foreign text"),
        ("QLabel(text)", "QLabel guesses at markup"),
        ("QtWidgets.QMessageBox.warning(None, title, text)", "QMessageBox guesses at markup"),
    ],
)
def test_a_forbidden_line_is_found(line: str, reason: str) -> None:
    """A rule that never fires protects nothing."""
    found = violations(Source("pos_app/ui/screen.py", f"{line}\n"))
    assert any(reason in one for one in found), found


def test_a_widget_that_guesses_at_markup_says_plain_text() -> None:
    """Even where a QLabel may be made, it may not be left to guess."""
    bare = Source("pos_app/ui/widgets/label.py", "class Text(QLabel):\n    pass\n")
    told = Source(bare.path, bare.text + "    def f(self): self.setTextFormat(Qt.TextFormat.PlainText)\n")
    assert violations(bare) == ["pos_app/ui/widgets/label.py:1 QLabel without PlainText"]
    assert violations(told) == []


@pytest.mark.parametrize(
    "line", ["subprocess.run(args, shell=False)", "re.compile(text)", "platform.system()"]
)
def test_a_harmless_neighbour_is_let_through(line: str) -> None:
    """Rules that cry at harmless code get switched off."""
    assert violations(Source("pos_app/ui/screen.py", f"{line}\n")) == []
