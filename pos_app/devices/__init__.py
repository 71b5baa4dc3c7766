"""What a till prints, beeps and writes with; imports the domain only, and never Qt."""
