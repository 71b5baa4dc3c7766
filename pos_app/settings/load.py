"""Puts the settings together: defaults < site file < user file < POS_APP_* < command line."""

from __future__ import annotations

from collections.abc import Mapping, Set
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec

from pos_app.domain.money import currency
from pos_app.settings import checks
from pos_app.settings.errors import Problem, SettingsError, SettingsMissingError
from pos_app.settings.key import REQUIRED, Key
from pos_app.settings.model import BY_NAME, KEYS, Settings
from pos_app.settings.sources import SITE, Found, SiteRules, from_environment, from_file
from pos_app.system.file_permissions import is_there

COMMAND_LINE = "command line"
OWN_SANDBOX = "sandbox"
_ENVIRONMENT = "gateway.environment"
_ADDRESSES = tuple(key.name for key in KEYS if key.is_address)
_CA_FILE = "gateway.ca_file"
_OF_STORE = ("store.address", "store.ca_file", "store.pin")
_FROM_FILES = (*_ADDRESSES, _CA_FILE, *_OF_STORE)
"""Where a live till sends secrets and what it did, and whom it believes there: no word of the environment."""
_TYPE_WORDS = {
    str: "must be a text in quotes",
    int: "must be a whole number",
    bool: "must be true or false",
    list: "must be a list of texts",
    Decimal: "must be a number",
}


class OwnSandbox(msgspec.Struct, frozen=True):
    """What a till's own sandbox says: `is_said`, whatever others say of the service and of the shop's name;
    `unless_said`, where nobody says anything else.
    """

    is_said: Mapping[str, Any]
    unless_said: Mapping[str, Any]

    def says(self, name: str) -> bool:
        """Whether nobody else is asked: a live till's address and merchant are not even looked at."""
        return name in self.is_said or BY_NAME[name].section == "gateway"


def load_settings(
    config_file: Path | None,
    variables: Mapping[str, str],
    overrides: Mapping[str, Any] | None = None,
    *,
    site_file: Path | None = None,
    user_file: Path | None = None,
    sandbox: OwnSandbox | None = None,
) -> Settings:
    """The settings in force. `config_file` was named by a person and must exist; it takes the place of
    `user_file`, which need not. `overrides` are values of the command line. Raises SettingsError.

    What the site file locks is as it says, or as by default, whatever the others say. In live use it locks the
    root certificate by being there, and no variable gives an address or a root certificate. Where it forbids the
    sandbox, settings of a sandbox are wrong, and not read as those of the live till: somebody believes that no
    money moves.
    """
    problems: list[Problem] = []
    rules = SiteRules()
    has_site, own = site_file is not None and is_there(site_file), config_file or user_file
    found = from_file(site_file, problems, rules) if site_file is not None and has_site else {}
    has_own = own is not None and (own == config_file or is_there(own))
    later = from_file(own, problems, SiteRules() if own == site_file else None) if own and has_own else {}
    if any(not problem.key for problem in problems):
        # What a file that cannot be read would have said is not missing.
        raise SettingsError(tuple(problems))
    given = from_environment(variables, problems)
    later |= given
    if sandbox is not None:
        found, later = (
            {name: at for name, at in each.items() if not sandbox.says(name)} for each in (found, later)
        )
        found = {name: Found(value, OWN_SANDBOX) for name, value in sandbox.unless_said.items()} | found
        later |= {name: Found(value, OWN_SANDBOX) for name, value in sandbox.is_said.items()}
        rules.locked = {name for name in rules.locked if not sandbox.says(name)}
    later |= {name: Found(value, COMMAND_LINE) for name, value in (overrides or {}).items()}
    if _is_live(found, later, rules.locked):
        rules.locked |= {_CA_FILE} if has_site else set()
        _refuse_variables(given, later, rules.locked, problems)
    found |= {name: at for name, at in later.items() if name not in rules.locked}
    if not rules.sandbox:
        _check_environment(later.get(_ENVIRONMENT) or found.get(_ENVIRONMENT), problems)
        rules.locked.add(_ENVIRONMENT)
    if not (has_own or problems or any(key.name in found for key in KEYS if key.default is REQUIRED)):
        # A site file or a variable that says nothing of what a shop must say sets no counter up.
        raise SettingsMissingError((Problem("settings", "", "there are none yet"),))
    values = {key.name: _value(key, found.get(key.name), problems) for key in KEYS}
    _check_addresses(values, found, problems)
    _check_token(values, found, problems)
    _check_most(values, found, problems)
    _check_printer(values, found, problems)
    if problems:
        raise SettingsError(tuple(problems))
    return _settings(values, found, rules)


def sandbox_allowed(site_file: Path) -> bool:
    """Whether this machine's site file lets the sandbox run. Raises SettingsError for one that cannot be read."""
    problems: list[Problem] = []
    rules = SiteRules()
    if is_there(site_file):
        from_file(site_file, problems, rules)
    # A mistake elsewhere in the file is told where its settings are used.
    wrong = tuple(each for each in problems if not each.key or each.key.startswith(SITE))
    if wrong:
        raise SettingsError(wrong)
    return rules.sandbox


def _check_environment(found: Found | None, problems: list[Problem]) -> None:
    if found is not None and found.value == "sandbox":
        text = "must not be sandbox: the site file forbids it on this machine"
        problems.append(Problem(found.source, _ENVIRONMENT, text, '"live"', found.line))


def _is_live(site: Mapping[str, Found], later: Mapping[str, Found], locked: Set[str]) -> bool:
    """Anything but the sandbox: a value that is wrong is said to be so elsewhere."""
    at = site.get(_ENVIRONMENT) if _ENVIRONMENT in locked else later.get(_ENVIRONMENT, site.get(_ENVIRONMENT))
    return at is None or at.value != "sandbox"


def _refuse_variables(
    given: Mapping[str, Found], later: Mapping[str, Found], locked: Set[str], problems: list[Problem]
) -> None:
    for name in _FROM_FILES:
        if name in given and name not in locked and later[name] is given[name]:
            text = (
                "cannot come from a variable in live use: unset it, and write the value into a settings file"
            )
            problems.append(Problem(given[name].source, name, text))


def _value(key: Key, found: Found | None, problems: list[Problem]) -> Any:
    if found is None:
        if key.default is REQUIRED:
            problems.append(Problem("settings", key.name, "is missing", key.example))
        return key.default
    value = found.value
    if key.type is Decimal and isinstance(value, int) and not isinstance(value, bool):
        value = Decimal(value)
    problem = problem_of(key, value)
    if problem:
        problems.append(Problem(found.source, key.name, problem, key.example, found.line))
    return tuple(value) if key.type is list and isinstance(value, list) else value


def problem_of(key: Key, value: Any) -> str:
    """What is wrong with a value as such, in words; empty when nothing is."""
    if key.type is Decimal and isinstance(value, int) and not isinstance(value, bool):
        value = Decimal(value)
    typed = isinstance(value, key.type) and not (key.type is int and isinstance(value, bool))
    if not typed or (key.type is list and not all(isinstance(item, str) and item for item in value)):
        return _TYPE_WORDS[key.type]
    if key.choices and value not in key.choices:
        return f"must be one of {', '.join(key.choices)}"
    return key.check(value) if key.check is not None else ""


def _check_addresses(values: Mapping[str, Any], found: Mapping[str, Found], problems: list[Problem]) -> None:
    sandbox = values["gateway.environment"] == "sandbox"
    for name in _ADDRESSES:
        value, at = values[name], found.get(name)
        if at is None or not isinstance(value, str) or not (value or name == "gateway.base_url"):
            continue  # missing or of a wrong type, and said so; or left empty
        problem = checks.origin(value, sandbox=sandbox)
        if problem:
            example = '"http://127.0.0.1:8000"' if sandbox else '"https://gateway.example"'
            problems.append(Problem(at.source, name, problem, example, at.line))


def _check_token(values: Mapping[str, Any], found: Mapping[str, Found], problems: list[Problem]) -> None:
    wanted = values["gateway.token_provider"]
    for key in KEYS:
        if key.of_provider and key.of_provider == wanted and not values[key.name]:
            provider = found["gateway.token_provider"]
            text = f"is missing for token_provider {wanted}"
            problems.append(Problem(provider.source, key.name, text, key.example, provider.line))


def _check_most(values: Mapping[str, Any], found: Mapping[str, Found], problems: list[Problem]) -> None:
    """A till whose highest amount is below its currency's smallest would take none."""
    name = "shop.max_amount"
    at = found.get(name)
    if at is None or any(each.key in (name, "shop.currency") for each in problems):
        return
    least = currency(values["shop.currency"]).smallest
    if values[name] < least:
        text = f"must not be below the smallest amount, {least}"
        problems.append(Problem(at.source, name, text, BY_NAME[name].example, at.line))


_PRINTERS_NEED = {"network": "host", "device": "path", "file": "path", "windows": "name"}


def _check_printer(values: Mapping[str, Any], found: Mapping[str, Found], problems: list[Problem]) -> None:
    """What one key says of another: what its kind needs, and that it is no service's address and no folder."""
    kind = values["printer.kind"]
    at = found.get("printer.kind")
    if (
        at is None
        or kind not in BY_NAME["printer.kind"].choices
        or any(each.key.startswith("printer.") for each in problems)
    ):
        return
    needs = _PRINTERS_NEED.get(kind, "")
    name = f"printer.{needs}"
    if kind == "virtual" and values["gateway.environment"] != "sandbox":
        problems.append(
            Problem(at.source, "printer.kind", "must not be virtual in live use", '"network"', at.line)
        )
    elif needs and not values[name]:
        text = f"is missing for printer kind {kind}"
        problems.append(Problem(at.source, name, text, BY_NAME[name].example, at.line))
    elif problem := _wrong_printer(kind, values):
        at = found[name]
        problems.append(Problem(at.source, name, problem, BY_NAME[name].example, at.line))


def _wrong_printer(kind: str, values: Mapping[str, Any]) -> str:
    if kind == "network":
        hosts = {checks.host_of(str(values[name])) for name in _ADDRESSES} - {""}
        # On one's own machine a sandbox and a printer that is tried out stand side by side.
        if (
            checks.host_of_printer(values["printer.host"]) in hosts
            and values["gateway.environment"] != "sandbox"
        ):
            return "must not be the service's address"
    if kind == "device" and _is_folder(values["printer.path"]):
        return "must be a printer's device, not a folder"
    return ""


def _is_folder(path: str) -> bool:
    try:
        return Path(path).is_dir()
    except OSError:
        return False


def _settings(values: Mapping[str, Any], found: Mapping[str, Found], rules: SiteRules) -> Settings:
    nested: dict[str, Any] = {}
    for name, value in values.items():
        section, _, key = name.partition(".")
        nested.setdefault(section, {})[key] = value
    sources = {name: f"{at.source} line {at.line}" if at.line else at.source for name, at in found.items()}
    said = {"sources": sources, "locked": frozenset(rules.locked), "sandbox_allowed": rules.sandbox}
    return msgspec.convert(nested | said, Settings)
