"""What is measured, a module each: `run` measures and returns rows, `report` tells them."""
