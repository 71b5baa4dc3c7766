"""From the tables of words to the translators' files and back into what the till loads. No part of the till."""
