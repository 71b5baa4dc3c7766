"""From a wish for paper to the printer: the queue on the engine's thread, the line to the printer on its own."""
