"""Stand-ins for library functions that would reach what a program may not.

One module for each module of the library that needs them; `gathered` lists them. Each
does what its original does, except for what the table says of it. Above is `imports`, which puts
them into facades; below are the guards and the console.
"""
