"""A settings change of a manager on its way: draft, leave, file, journal, the till that follows."""
