"""Functions run in this process, in worker processes, or on the workers of a Dask scheduler.

`run_tasks` takes `Task` objects and passes an `Answer` for each part of a task to its caller. If a
part raises an error or ends its process, its answer has an error; the other parts go on.

This module imports nothing: a worker process must listen to its parent before it imports NumPy.
"""
