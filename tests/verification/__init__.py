"""What judges the till as a whole: simulation, matrix, campaigns, fuzzing, mutants, proof, bench."""
