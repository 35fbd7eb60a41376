"""The steps of C4.5: grow a tree, prune it, send rows down, draw it."""
