# To be sourced, in the root of this repository. Sets `python` to one that has the pinned compiler and machines of
# Ethereum, which is made in .build/chain where it is missing. Ends with 75 where PyPI does not give them.

source Tests/packages.sh
install_missing python3-venv

environment="$PWD/.build/chain/python"
if ! cmp --quiet Tests/Tools/Chain/requirements.txt "$environment/requirements.txt"; then
  rm -rf "$environment"
  python3 -m venv "$environment"
  "$environment/bin/pip" --quiet --disable-pip-version-check install --requirement Tests/Tools/Chain/requirements.txt ||
    exit 75
  cp Tests/Tools/Chain/requirements.txt "$environment/requirements.txt"
fi
python="$environment/bin/python"
export PYTHONDONTWRITEBYTECODE=1
