"""What watches every test: log records, Qt messages and leftovers fail the test behind them."""
