"""Speed, each figure beside a floor measured in the same run. `python -m tests.verification.bench` prints the table."""
