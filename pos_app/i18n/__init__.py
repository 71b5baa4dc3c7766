"""Every word on screens and command line, its plural forms and its translations. Knows no Qt."""
