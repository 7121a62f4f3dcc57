"""`python3 -m tocsin` is the command `tocsin`."""

from tocsin._command import main

main()
