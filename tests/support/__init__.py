"""What tests of every layer share; it must hold no tests."""
