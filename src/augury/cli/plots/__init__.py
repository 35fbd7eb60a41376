"""The commands of `augury plot`: one module for each picture, which holds its command.

The command of the module `some_picture` is the attribute `some_picture`. Its name on the command
line is some-picture.
"""
