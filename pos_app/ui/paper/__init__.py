"""Papers drawn: laid out by Qt, made a picture of dots, a PDF, or a strip on the screen. Decides nothing."""
