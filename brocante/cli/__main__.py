from brocante.cli import main

main()
