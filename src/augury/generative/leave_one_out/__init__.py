"""Class probabilities of training rows by the model fitted without each row."""
