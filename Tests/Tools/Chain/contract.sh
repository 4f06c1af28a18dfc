#!/usr/bin/env bash
# Tests/Tools/Chain/contract.sh [--write] [--all] [--seed NUMBER]
#
# Compiles ClaimVault and the test token, compares them with the ABI and bytecode in this repository and with the
# interface of the requirements, runs the contract's tests in an EVM in memory, and prints what each call costs. It
# takes some ten seconds. --all adds long random histories, and contracts that are broken in one way each: two minutes.
#
# --write writes the ABI and bytecode, after a change of a source.
#
# Ends with 75 where PyPI does not give what it needs. That is kept in .build/chain.
set -euo pipefail
exec </dev/null

cd "$(dirname "$0")/../../.."
source Tests/Tools/Chain/python.sh
"$python" Tests/Tools/Chain/contract.py "$@"
