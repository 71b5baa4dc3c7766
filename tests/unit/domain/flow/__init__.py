"""Tests of the flow, as dialogues: an event comes, commands go out."""
