// The sender's page: how a claim stands, and its amount back once it has expired. It has no secret: the ledger id in its
// address follows from the claim's terms, which the vault names.

import { prepare, run } from "./claim.js";

prepare();
const [, ledgerId] = location.pathname.match(/^\/sent\/(0x[0-9a-fA-F]{64})$/) ?? [];
const name = !isSecureContext ? "insecure" : ledgerId ? "loading" : "garbled";
run({ sender: true, name, ledgerId: ledgerId?.toLowerCase() });
