"""One module for each verb of `pos-app`; a verb's module is loaded when the command line names it."""
