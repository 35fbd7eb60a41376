"""Class probabilities of one model as features of another."""
