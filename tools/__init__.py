"""Programs for developers of augury."""
