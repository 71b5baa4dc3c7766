"""The pages under docs/ that are made from the code, and the tests that every page leads where it says."""
