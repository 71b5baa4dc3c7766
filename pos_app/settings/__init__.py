"""The till's settings: read, checked, written. Read by the composition roots alone; knows only the domain."""

from pos_app.settings.errors import Problem, SettingsError, SettingsMissingError
from pos_app.settings.load import load_settings, sandbox_allowed
from pos_app.settings.model import Settings
from pos_app.settings.write import write_settings

__all__ = [
    "Problem",
    "Settings",
    "SettingsError",
    "SettingsMissingError",
    "load_settings",
    "sandbox_allowed",
    "write_settings",
]
