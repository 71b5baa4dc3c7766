"""Every word on the screens, a table for each part of the till. Decides nothing, knows no window."""
