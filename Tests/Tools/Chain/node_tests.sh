#!/usr/bin/env bash
# Tests/Tools/Chain/node_tests.sh [--seed NUMBER]: tests the test node, over HTTP. It takes some fifteen seconds.
#
# Ends with 75 where PyPI does not give what it needs. That is kept in .build/chain.
set -euo pipefail
exec </dev/null

cd "$(dirname "$0")/../../.."
source Tests/Tools/Chain/python.sh
"$python" Tests/Tools/Chain/node_tests.py "$@"
