"""Where the shop's secrets come from, and the journal's key. Never in settings or on a command line."""

from pos_app.secrets.errors import SecretsError, SecretsMissingError
from pos_app.secrets.journal_key import end_first_start, is_first_start, journal_key
from pos_app.secrets.load import ShopSecrets, load_secrets
from pos_app.secrets.write import change_secrets, write_secrets

__all__ = [
    "SecretsError",
    "SecretsMissingError",
    "ShopSecrets",
    "change_secrets",
    "end_first_start",
    "is_first_start",
    "journal_key",
    "load_secrets",
    "write_secrets",
]
