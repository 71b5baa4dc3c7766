"""Real tills on data folders that were copied, put back, cloned, carried to another machine; judged over all of them."""
