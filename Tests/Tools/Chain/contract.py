"""contract.py [--write] [--all] [--seed NUMBER]: compiles ClaimVault and the test token, and tests them.

contract.sh runs it, with what it needs. With --write it writes the ABI and bytecode beside the sources first. --all
adds long random histories, and contracts that are broken in one way each.
"""

import argparse
import re
import secrets

import abi
import artifacts
import contract_tests
import gas
import mutants
import suite
import world

PAGE = artifacts.ROOT / "Docs/chain.md"
# What the product's requirements have, as canonical types; an event's indexed arguments are marked.
INTERFACE = {
    "deposit": "deposit(bytes32,address,uint256,bytes32,uint40)",
    "claim": "claim(bytes32,bytes,address)",
    "refund": "refund(bytes32)",
    "ClaimCreated": "ClaimCreated(bytes32 indexed,address indexed,address,uint256,uint40)",
    "Claimed": "Claimed(bytes32 indexed,address indexed)",
    "Refunded": "Refunded(bytes32 indexed)",
}
# What there is besides: a deposit that another carries, and what can be read.
FURTHER = {"depositWithAuthorization": abi.CARRIED_DEPOSIT, "claims": abi.CLAIMS, "locked": abi.LOCKED}
# All that changes anything. A contract with an owner would have more.
CHANGING = {"deposit", "depositWithAuthorization", "claim", "refund"}


def check(condition, text):
    if not condition:
        raise SystemExit(f"Tests/Tools/Chain/contract.py: {text}")


def check_artifacts(write):
    for source in artifacts.COMMITTED:
        text = artifacts.text(world.code(source.stem)[0])
        file = artifacts.committed_file(source)
        if write:
            file.write_text(text)
        same = file.exists() and file.read_text() == text
        check(same, f"{file.name} is not what the compiler makes of {source.name}: run contract.sh --write")
    print("contract: the committed ABI and bytecode are what the compiler makes of the sources")


def check_interface():
    entries = world.code("ClaimVault")[0]["abi"]
    given = {entry["name"]: canonical(entry) for entry in entries}
    check(given == INTERFACE | FURTHER, f"the interface is {given}")
    changing = {entry["name"] for entry in entries if entry.get("stateMutability") not in (None, "view", "pure")}
    check(changing == CHANGING, f"{changing} change something")
    for entry in entries:
        takes_no_coins = entry.get("stateMutability") != "payable"
        check(takes_no_coins, f"{entry['name']} takes the chain's own coin, which nobody could take out")
    print("contract: the interface is that of the requirements, and depositWithAuthorization")


def check_reasons():
    """The page lists why the contract refuses: a client is to know each reason."""
    reasons = set(re.findall(r'assert .*?, "([^"]*)"$', artifacts.VAULT.read_text(), re.MULTILINE | re.DOTALL))
    page = PAGE.read_text()
    listed = page[page.index("A refusal is a revert with") :].partition("A claim that was never")[0]
    check(reasons == set(re.findall("`([^`]*)`", listed)), f"the reasons are {reasons}; {PAGE.name} lists others")
    print(f"contract: {PAGE.name} lists its {len(reasons)} reasons")


def canonical(entry):
    kinds = (each["type"] + (" indexed" if each.get("indexed") else "") for each in entry["inputs"])
    return f"{entry['name']}({','.join(kinds)})"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--seed", type=int, default=secrets.randbits(32))
    options = parser.parse_args()
    check_artifacts(options.write)
    check_interface()
    check_reasons()
    suite.run(contract_tests, options.seed, 20 if options.all else 1)
    rows = gas.measured()
    print(gas.table(rows))
    dear = gas.too_dear(rows)
    check(not dear, "; ".join(dear))
    check(gas.table(rows) in PAGE.read_text(), f"{PAGE.name} has another table of gas")
    if options.all:
        left = list(mutants.survivors())
        check(not left, "no test fails for " + "; ".join(left))
        print(f"contract: a test fails for each of {len(mutants.MUTANTS)} broken contracts")
    print("contract: passed")


if __name__ == "__main__":
    main()
