"""Small wrong changes of the code that guards money, and who notices them. Must not change the work tree."""
