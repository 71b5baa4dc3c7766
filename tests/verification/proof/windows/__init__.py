"""The folder for Windows and its installer, under Wine: what that cannot prove stands in docs/windows.md."""
