# To be sourced, in the root of this repository. Sets `python` to one that has the pinned compiler and machines of
# Ethereum, which is made in .build/chain where it is missing. Ends with 75 where PyPI does not give them.

source Tests/packages.sh
install_missing python3-venv

pinned_python "$PWD/.build/chain" Tests/Tools/Chain/requirements.txt
export PYTHONDONTWRITEBYTECODE=1
