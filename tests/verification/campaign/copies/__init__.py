"""Real tills on data folders that were copied, put back, cloned, carried away; judged over all of them."""
