"""`python -m augury.cli`."""

from augury.cli import main

main()
