"""Parts of the kernel classifier, whose kernels compare rows with some of the training rows."""
