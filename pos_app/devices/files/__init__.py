"""Rows as files: CSV, XLSX, JSON lines. Each writes into a file that is open; what it is called is others' matter."""
