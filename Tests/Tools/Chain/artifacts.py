"""Compiled contracts: their ABI and bytecode, as committed beside the source."""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
VAULT = ROOT / "Sources/Vault/BumpChain/Contract/ClaimVault.vy"
CONTRACTS = ROOT / "Tests/Tools/Chain/Contracts"
TOKEN = CONTRACTS / "TestToken.vy"
WALLET = CONTRACTS / "SmartWallet.vy"
# Those whose ABI and bytecode are committed, and which the test node can deploy. Tests compile the others.
COMMITTED = (VAULT, TOKEN, WALLET)


def compiled(source):
    """What the pinned compiler makes of a source, with the options that the source names."""
    vyper = pathlib.Path(sys.executable).with_name("vyper")
    output = subprocess.run(
        [vyper, "-f", "abi,bytecode,bytecode_runtime,layout", source], check=True, capture_output=True, text=True
    ).stdout
    abi, code, runtime, layout = output.splitlines()
    return {"abi": json.loads(abi), "bytecode": code, "deployedBytecode": runtime}, json.loads(layout)


def committed_file(source):
    return source.with_suffix(".json")


def committed(source):
    return json.loads(committed_file(source).read_text())


def text(artifact):
    """One entry of the ABI a line, so that a change of it can be read."""
    entries = ",\n".join("    " + json.dumps(entry) for entry in artifact["abi"])
    codes = ",\n".join(f'  "{name}": "{artifact[name]}"' for name in ("bytecode", "deployedBytecode"))
    return f'{{\n  "abi": [\n{entries}\n  ],\n{codes}\n}}\n'
