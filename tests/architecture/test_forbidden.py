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
        ("QColorDialog.getColor()", "QColorDialog is a way out"),
        ("QFontDialog(self)", "QFontDialog is a way out"),
        ("QInputDialog.getText(self, title, text)", "QInputDialog is a way out"),
        ("class Start(QWizard): pass", "QWizard is a way out"),
        ("QErrorMessage(self).showMessage(text)", "QErrorMessage guesses at markup"),
        ("QMenu(self).addAction(text)", "QMenu is a way out"),
        ("edit.createStandardContextMenu().exec()", "createStandardContextMenu is a way out"),
        ("self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)", "ActionsContextMenu is a way"),
        ("label.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)", "is a way out"),
        ("label.linkActivated.connect(go)", "linkActivated is a way out"),
        ("view.setOpenLinks(True)", "setOpenLinks is a way out"),
        ("widget.setWhatsThis(text)", "setWhatsThis is a way out"),
        ("QTextBrowser(self)", "QTextBrowser guesses at markup"),
        ("QStaticText(text)", "QStaticText guesses at markup"),
        ("QToolTip.showText(place, text)", "QToolTip guesses at markup"),
        ("label.setTextFormat(Qt.TextFormat.AutoText)", "AutoText draws foreign text"),
        ("label.setTextFormat(Qt.TextFormat.MarkdownText)", "MarkdownText draws foreign text"),
        ("label.setTextFormat(wanted)", "anything but PlainText"),
        ("edit.appendHtml(text)", "appendHtml draws foreign text"),
        ("tile.setToolTip(person.name)", "setToolTip() guesses at markup"),
        ("tile.setToolTip(f'{name}')", "setToolTip() guesses at markup"),
        ("QGuiApplication.clipboard().setText(text)", "clipboard carries something"),
        ("from PySide6.QtGui import QClipboard", "QClipboard carries something"),
        ("QDrag(self).exec()", "QDrag carries something"),
        ("def dropEvent(self, event): pass", "dropEvent carries something"),
        ("self.setAcceptDrops(True)", "setAcceptDrops() carries something"),
        ("view.setDragEnabled(wanted)", "setDragEnabled() carries something"),
        ("compile(text, name, 'exec')", "compile() runs text"),
        ("builtins.eval(text)", "eval() runs text"),
        ("breakpoint()", "breakpoint() runs text"),
        ("import marshal", "marshal runs what it reads"),
        ("import shelve", "shelve runs what it reads"),
        ("yaml.load(text)\nimport yaml", "yaml runs what it reads"),
        ("subprocess.run(f'lp {name}')", "from one text"),
        ("subprocess.Popen('lp file')", "from one text"),
        ("Popen(' '.join(words))", "from one text"),
        ("os.popen(line)", "popen() starts a shell"),
        ("from os import system", "system() starts a shell"),
        ("from subprocess import getoutput", "getoutput() starts a shell"),
        ("self._process.startCommand(line)", "startCommand() starts a shell"),
        ("tempfile.mktemp()", "mktemp names a file"),
        ("from tempfile import mktemp", "mktemp names a file"),
        ("select.select([socket], [], [], 0)", "select refuses every file"),
        ("assert may(act, person)", "assert is gone under -O"),
        ("db.execute(f'SELECT * FROM sale WHERE id = {sale}')", "SQL is made of text"),
        ("db.execute('SELECT ' + column)", "SQL is made of text"),
        ("db.execute('SELECT %s' % column)", "SQL is made of text"),
        ("db.executescript('SELECT {}'.format(column))", "SQL is made of text"),
        ("context.verify_mode = ssl.CERT_NONE", "CERT_NONE trusts anybody"),
        ("context.check_hostname = False", "check_hostname trusts anybody"),
        ("httpx.Client(verify=False)", "verify trusts anybody"),
        ("httpx.Client(trust_env=True)", "trust_env trusts anybody"),
        ("httpx.Client(follow_redirects=True)", "follow_redirects trusts anybody"),
        ("try: read(text)\nexcept msgspec.DecodeError: pass", "is UNREADABLE"),
        ("try: read(text)\nexcept (OSError, msgspec.MsgspecError): pass", "is UNREADABLE"),
        ("try: read(text)\nexcept (DecodeError, UnicodeDecodeError): pass", "is UNREADABLE"),
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
    "line",
    [
        "subprocess.run(args, shell=False)",
        "subprocess.run([sys.executable, '-m', module])",
        "re.compile(text)",
        "platform.system()",
        "application.exec()",
        "tile.setToolTip('Close')",
        "edit.setAcceptDrops(False)",
        "db.execute(f'{_SELECT} WHERE seq > ?', (seq,))",
        "db.execute(f'PRAGMA user_version = {len(MIGRATIONS)}')",
        "httpx.Client(verify=context, trust_env=False)",
        "try: read(text)\nexcept (OSError, *UNREADABLE): pass",
        "try: read(text)\nexcept msgspec.ValidationError: pass",
    ],
)
def test_a_harmless_neighbour_is_let_through(line: str) -> None:
    """Rules that cry at harmless code get switched off."""
    assert violations(Source("pos_app/ui/screen.py", f"{line}\n")) == []
