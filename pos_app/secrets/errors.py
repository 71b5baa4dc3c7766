"""What can be wrong with secrets; no message ever holds one."""


class SecretsError(Exception):
    """They cannot be used: unreadable, readable by others, unknown or unusable keys."""


class SecretsMissingError(SecretsError):
    """There are none in any of the places."""
