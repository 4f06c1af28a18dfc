// The sender's page: how a claim stands that was sent, and its amount back once it has expired. It has no secret: the
// claim's terms are the vault's, and the ledger id in the page's address follows from them.

import { prepare, run } from "./claim.js";

prepare();
const [, ledgerId] = location.pathname.match(/^\/sent\/(0x[0-9a-fA-F]{64})$/) ?? [];
const name = isSecureContext ? "garbled" : "insecure";
run(ledgerId && isSecureContext ? { sender: true, ledgerId: ledgerId.toLowerCase() } : { sender: true, name });
