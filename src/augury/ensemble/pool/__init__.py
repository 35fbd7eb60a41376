"""Models of different kinds as one: their held-out predictions, and the weight of each."""
