"""Run functions in this process, in worker processes, or on the workers of a Dask scheduler.

All three take `Task` objects and return an `Answer` for each part of a task. A part that raises
an error, or that ends its process, is an answer with an error; it stops no other part.

Nothing is imported here: a worker process must listen to its parent before it imports NumPy.
"""
