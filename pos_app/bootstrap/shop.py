"""Opens a shop for any verb and for the window: folder, journal, sandbox, settings, secrets, in that order."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.journal import GONE, JOURNAL, is_gone, open_journal_of
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.sandbox_rule import refuse_sandbox
from pos_app.bootstrap.updates import come_in, refuse_while_updating
from pos_app.domain.attempt import Environment
from pos_app.domain.money import currency
from pos_app.domain.receipt import Letterhead
from pos_app.domain.secret import Secret
from pos_app.journal import Journal, JournalError, JournalTrouble, Keys, Queries, read_only
from pos_app.secrets import SecretsError, ShopSecrets, journal_key, load_secrets
from pos_app.settings import Settings, SettingsError, SettingsMissingError, load_settings
from pos_app.settings.load import OwnSandbox
from pos_app.settings.model import KEYS
from pos_app.settings.sources import variable_of
from pos_app.system import paths
from pos_app.system.file_permissions import is_there
from pos_app.system.updating import Presence

if TYPE_CHECKING:
    from pos_app.bootstrap.sandbox_process import Details, SandboxProcess
    from pos_app.engine.core.config import EngineConfig
    from pos_app.engine.staff.machine_sends import MachineSends

SANDBOX_NAME = "Corner Shop"
"""What every sandbox's shop is called: none of them wears a real shop's name."""
OWN_SANDBOX = "sandbox-own"
HOUR_MS = 60 * 60_000
SANDBOX_CALLS_APART_MS = 50
"""The sandbox has no other users whom a reading of its lists would hold up."""


class DataFolder(NamedTuple):
    """Where a counter's data is, with its journal while it is locked, and the word that a till is there."""

    path: Path
    journal: Journal | None = None
    presence: Presence | None = None

    def close(self) -> None:
        """Lets go of both."""
        if self.journal is not None:
            self.journal.close()
        if self.presence is not None:
            self.presence.end()


class Shop:
    """One counter of one shop with all it needs. Whoever opened it closes it."""

    def __init__(
        self,
        settings: Settings,
        secrets: ShopSecrets,
        folder: DataFolder,
        sandbox: SandboxProcess | None = None,
        secrets_again: Callable[[], ShopSecrets] | None = None,
    ) -> None:
        self.settings = settings
        self._secrets = secrets
        self.hears_of_secrets: Callable[[ShopSecrets], None] | None = None
        """Told of every new set before it is used, so that no log holds any of them."""
        self.data_dir = folder.path
        self.journal = folder.journal
        self._sandbox = sandbox
        self._secrets_again = secrets_again
        self.presence = folder.presence or Presence()
        """That this till is there, for whoever updates the machine; of one that only looks nobody need know."""

    @property
    def secrets(self) -> ShopSecrets:
        """Those in force."""
        return self._secrets

    @secrets.setter
    def secrets(self, secrets: ShopSecrets) -> None:
        self._tell(secrets)
        self._secrets = secrets

    def _tell(self, secrets: ShopSecrets) -> None:
        if self.hears_of_secrets is not None:
            self.hears_of_secrets(secrets)

    def secrets_now(self) -> ShopSecrets:
        """What stands where the secrets came from by now, else what did; may take some seconds."""
        if self._secrets_again is None:
            return self.secrets
        try:
            found = self._secrets_again()
        except CommandError:
            return self.secrets
        self._tell(found)
        return found

    @property
    def environment(self) -> Environment:
        """Where the money is real and where it is not."""
        return Environment(self.settings.gateway.environment)

    @property
    def control(self) -> Details | None:
        """The sandbox we started, for whoever plays the customer."""
        return self._sandbox.details if self._sandbox is not None else None

    @property
    def origin(self) -> str:
        """The address that attempts are opened at, and asked about at. Raises CommandError.

        The till's own sandbox is one service wherever it listens: its port is another one at each start, its
        ledger is the same, and nothing else has it.
        """
        return OWN_SANDBOX if self._sandbox is not None else origin_of(self.settings)

    def engine_config(self, *, sign_in_required: bool = False) -> EngineConfig:
        """What the engine must know. Loads the flow: on the engine's thread, not before the first paint.

        `sign_in_required`: at a window; at the command line the account of the machine is the right.
        """
        from pos_app.bootstrap.printing import printing_of
        from pos_app.domain.flow import Rules
        from pos_app.engine.core.config import CALLS_APART_MS, EngineConfig

        gateway, shop, payment = self.settings.gateway, self.settings.shop, self.settings.payment
        otp, sign_in = self.settings.otp, self.settings.sign_in
        return EngineConfig(
            environment=self.environment,
            merchant_id=gateway.merchant_pg_identifier,
            counter_id=gateway.counter_id,
            currency=currency(shop.currency),
            country=shop.country,
            max_amount=shop.max_amount,
            give_up_after_ms=payment.give_up_s * 1000,
            otp_message=otp.at(self.settings.window.language),
            otp_messages={"en": otp.message, **otp.by_language},
            session_ms=sign_in.session_hours * HOUR_MS,
            sign_in_required=sign_in_required,
            cutoff=self.settings.day.cutoff_time,
            cashier_may_close=self.settings.day.cashier_may_close,
            # A verb of the command line may end at any moment: it begins no closing that nobody asked it for.
            auto_close=self.settings.day.auto_close and sign_in_required,
            printing=printing_of(self.settings, paper_language_of(self.settings), at_window=sign_in_required),
            calls_apart_ms=SANDBOX_CALLS_APART_MS
            if self.environment is Environment.SANDBOX
            else CALLS_APART_MS,
            rules=Rules(
                origin=self.origin,
                extension=payment.extension_s * 1000,
                verification_fail_is_final=gateway.verification_fail_is_final,
            ),
        )

    @property
    def machine_sends(self) -> MachineSends | None:
        """The machine's count of codes by SMS, beside the journal's; a sandbox sends none."""
        if self.environment is not Environment.LIVE:
            return None
        from pos_app.engine.staff.machine_sends import MachineSends

        return MachineSends(paths.state_dir() / "sms-sends")

    def close(self) -> None:
        """Closes the journal, then ends the sandbox."""
        if self.journal is not None:
            self.journal.close()
        if self._sandbox is not None:
            self._sandbox.stop()
        self.presence.end()


def origin_of(settings: Settings) -> str:
    """The address of the payment service that settings name. Raises CommandError."""
    from pos_app.services.origin import OriginError, parse_origin

    gateway = settings.gateway
    sandbox = gateway.environment == Environment.SANDBOX
    try:
        return parse_origin(gateway.base_url, allow_loopback_http=sandbox).text
    except OriginError as error:
        raise CommandError(Exit.CONFIGURATION, str(error)) from error


def config_of(options: Options) -> Path | None:
    """The settings file that is named, by option or else by variable."""
    named = options.config or os.environ.get("POS_APP_CONFIG")
    return Path(named) if named else None


def settings_of(options: Options) -> Settings:
    """The settings in force for these options. Raises CommandError."""
    try:
        return load_settings(
            config_of(options), os.environ, site_file=paths.site_file(), user_file=paths.user_file()
        )
    except SettingsMissingError as error:
        raise NotSetUpError(Exit.CONFIGURATION, NOT_SET_UP) from error
    except SettingsError as error:
        raise CommandError(Exit.CONFIGURATION, str(error)) from error


NOT_SET_UP = (
    "this till is not set up yet: start pos-app and it asks for everything, or name a settings file with "
    "--config FILE; --sandbox tries it out without one"
)


class NotSetUpError(CommandError):
    """There are no settings yet: a first start."""


def open_shop(options: Options, *, journal: bool = True) -> Shop:
    """The shop the options name, with its journal (locked) unless `journal` is False. Raises CommandError."""
    if options.sandbox:
        return _open_sandbox(options)
    settings = in_language(settings_of(options), options)
    environment = settings.gateway.environment
    folder = data_folder(options, environment)
    secrets = secrets_of(options, environment)
    opened = _come_in(folder, Environment(environment)) if journal else DataFolder(folder)
    return Shop(settings, secrets, opened, secrets_again=lambda: secrets_of(options, environment))


def _come_in(folder: Path, environment: Environment) -> DataFolder:
    presence = come_in()
    try:
        journal = open_journal_of(folder, environment)
        try:
            refuse_while_updating()
        except CommandError:
            journal.close()
            raise
    except BaseException:
        presence.end()
        raise
    return DataFolder(folder, journal, presence)


def data_folder(options: Options, environment: str) -> Path:
    """The environment's data folder; made if it is missing.

    The till's own sandbox has one apart: its server knows nothing of a payment at another sandbox, and would
    be asked for it if both wrote one journal.
    """
    root = data_root_of(options)
    # What may not even be looked at is the next one's to say.
    if os.access(root / JOURNAL, os.F_OK):
        raise CommandError(
            Exit.USAGE,
            f"--data-dir: {root} is the folder of one environment; name the one around it, {root.parent}",
        )
    try:
        return paths.data_dir(root, OWN_SANDBOX if options.sandbox else environment)
    except paths.FolderError as error:
        raise CommandError(Exit.CANNOT_CREATE, str(error)) from error


def data_root_of(options: Options) -> Path:
    """The folder around those of the environments, there or not."""
    named = options.data_dir or os.environ.get("POS_APP_DATA_DIR")
    return Path(named) if named else paths.data_root()


def secrets_of(options: Options, environment: str) -> ShopSecrets:
    """The shop's secrets, from the first place that has them."""
    try:
        return load_secrets(options.secrets_file, os.environ, paths.user_secrets_file(), environment)
    except SecretsError as error:
        raise CommandError(Exit.CONFIGURATION, str(error)) from error


def _open_sandbox(options: Options) -> Shop:
    """The journal's lock first: a second till must not start a second server on the same data."""
    from pos_app.bootstrap.sandbox_process import SandboxError, SandboxProcess

    refuse_sandbox()
    # What is wrong with them is said before anything is opened.
    settings_ahead(options)
    folder = data_folder(options, Environment.SANDBOX.value)
    opened = _come_in(folder, Environment.SANDBOX)
    process = None
    try:
        process = SandboxProcess(folder / "server")
        details = process.details
        settings = in_language(_sandbox_settings(details, options), options)
        return Shop(settings, _sandbox_secrets(details), opened, process)
    except BaseException as error:
        # It would keep its journal from whoever tries again.
        opened.close()
        if process is not None:
            process.stop()
        if isinstance(error, SandboxError):
            raise CommandError(Exit.UNAVAILABLE, str(error)) from error
        raise


def in_language(settings: Settings, options: Options) -> Settings:
    """--language is the last word on the language of this run."""
    if not options.language or "window.language" in settings.locked:
        return settings
    return replace(
        settings,
        window=replace(settings.window, language=options.language),
        sources=settings.sources | {"window.language": "command line"},
    )


def settings_ahead(options: Options) -> Settings:
    """What can be known before anything is opened: all but the address of a sandbox not yet started."""
    if not options.sandbox:
        return settings_of(options)
    from pos_app.bootstrap.sandbox_process import Details

    return _sandbox_settings(Details("http://127.0.0.1:1", "", "", "", "", "", "SBX"), options)


def _sandbox_settings(details: Details, options: Options) -> Settings:
    """The sandbox's gateway and a shop made up, or the shop of settings that were named, without its name.

    A file that was named and POS_APP_* say the rest, as at any till; in the course only how things look and sound.
    Raises CommandError.
    """
    own = OwnSandbox(
        {
            "gateway.environment": "sandbox",
            "gateway.base_url": details.base_url,
            "gateway.merchant_pg_identifier": details.merchant_pg_identifier,
            "gateway.counter_id": 1,
            "shop.name": SANDBOX_NAME,
        },
        {"shop.currency": "LKR", "shop.country": "LK"},
    )
    variables = {
        name: value for name, value in os.environ.items() if not options.training or _is_of_looks(name)
    }
    site = paths.site_file() if options.config else None
    try:
        settings = load_settings(options.config, variables, site_file=site, sandbox=own)
    except SettingsError as error:
        raise CommandError(Exit.CONFIGURATION, str(error)) from error
    # A site's locks are of its till: what is tried here holds for this run. Whether it may run said refuse_sandbox.
    return replace(settings, locked=frozenset(), sandbox_allowed=True)


def _is_of_looks(variable: str) -> bool:
    key = next((key for key in KEYS if variable_of(key.name) == variable), None)
    return key is None or key.page == "window"


def _sandbox_secrets(details: Details) -> ShopSecrets:
    return ShopSecrets(
        access_token=Secret(details.access_token),
        merchant_secret_code=Secret(details.merchant_secret_code),
        merchant_password=Secret(details.merchant_password),
        otp_access_token=Secret(""),
        token_client_secret=Secret(""),
        source="sandbox",
    )


def environment_of(options: Options) -> str:
    """Which journal a verb that only reads is about."""
    return "sandbox" if options.sandbox else str(settings_of(options).gateway.environment)


def origin_here(options: Options) -> str:
    """The address of the service for a verb that only reads. Raises CommandError."""
    return OWN_SANDBOX if options.sandbox else origin_of(settings_of(options))


def open_reading(options: Options, environment: str) -> Queries | None:
    """The journal to look at, whoever holds it; None when there is none yet. Raises CommandError."""
    path = data_folder(options, environment) / JOURNAL
    if not is_there(path):
        if is_gone(path.parent):
            from pos_app.bootstrap.plain_lines import note

            note(GONE)
        return None
    try:
        return read_only(path)
    except JournalError as error:
        raise CommandError(Exit.CANNOT_CREATE, f"{path} cannot be read: {error}") from error


@contextlib.contextmanager
def reading() -> Iterator[None]:
    """A journal that is only looked at: damage further in is met where it is read, and is no fault of ours.

    Raises CommandError.
    """
    try:
        yield
    except JournalTrouble as error:
        raise CommandError(Exit.CANNOT_CREATE, "the journal cannot be read") from error


def reading_keys(options: Options, environment: str) -> Keys:
    """The keys of a journal that is only looked at; none is ever made here. Raises CommandError."""
    folder = data_folder(options, environment)
    try:
        key = journal_key(folder, environment, use_keystore=environment == Environment.LIVE, make=False)
    except SecretsError as error:
        raise CommandError(Exit.CANNOT_CREATE, str(error)) from error
    return Keys(key, Environment(environment))


def letterhead_of(settings: Settings) -> Letterhead:
    """What the shop has on its papers. A sandbox is never called as a shop is."""
    receipt = settings.receipt
    is_sandbox = settings.gateway.environment == Environment.SANDBOX
    return Letterhead(
        shop=SANDBOX_NAME if is_sandbox else settings.shop.name,
        header=receipt.header,
        footer=receipt.footer,
        tax_id=receipt.tax_id,
        cashier=receipt.cashier,
        size=receipt.size,
    )


def paper_language_of(settings: Settings) -> str:
    """A paper is the customer's: in their language where the shop says which, else in the till's."""
    return settings.customer_display.language or settings.window.language
