"""A real till and a real printer's process, both killed in the middle of it; judged by the journal and by the paper."""
