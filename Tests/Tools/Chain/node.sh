#!/usr/bin/env bash
# Tests/Tools/Chain/node.sh [OPTION…]: starts a test node, with the options of node.py (`--help` lists them).
#
# Its first line of output is JSON with its URL, and the addresses of the contracts that it was told to deploy.
#
# Ends with 75 where PyPI does not give what it needs. That is kept in .build/chain.
set -euo pipefail
exec </dev/null

cd "$(dirname "$0")/../../.."
source Tests/Tools/Chain/python.sh >&2
exec "$python" Tests/Tools/Chain/node.py "$@"
