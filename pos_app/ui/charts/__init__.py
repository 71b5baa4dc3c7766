"""Charts by our own painters: they draw what pos_app/i18n/pictures.py has put into words and shares."""
