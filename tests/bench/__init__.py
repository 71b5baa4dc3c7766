"""Speed, each figure beside a floor measured in the same run. `python -m tests.bench` prints the table."""
