// What the pages of a claim need where the vault is a contract on a chain. claim.js loads it there, and asks it first.
//
// A request is sent to the chain (`submitted`), is in a block (`included`), and is final once no reorganization can take
// the block back. Until then the claim is watched. Docs/chain.md has the rest.

import {
  addTexts, busy, due, ended, go, isWatched, later, open, pace, pause, plain, readClaim, soon, told,
} from "./claim.js";
import { bytes, keccak256, receiptSigner as signerOf, receiptType } from "./keys.js";

await addTexts("chain");

// What the vault says and signs

const type = `Chain${receiptType.slice(0, -1)},uint64 blockNumber,bytes32 blockHash,string level)`;

/** Whether what a vault says of itself is of a contract. A contract has no key: another one signs receipts. */
export function isContract({ kind, address, receiptKey, codeHash, faucet }) {
  const [contract, key] = [address, receiptKey].map((text) => plain(text, 20));
  const isSigned = [contract, key].every((it) => it && BigInt(it)) && contract !== key;
  return kind === "contract" && isSigned && !!plain(codeHash, 32) && faucet === false;
}

/** The signer of a receipt that names its block, and whether that is final; null for what is none. */
export function receiptSigner(receipt, domain) {
  const { level, block } = receipt ?? {};
  const hash = plain(block?.hash, 32);
  const isBlock = hash && Number.isSafeInteger(block.number) && block.number >= 0;
  if (!isBlock || !["confirmed", "finalized"].includes(level)) return null;
  const more = [block.number, bytes(hash), keccak256(new TextEncoder().encode(level))];
  return signerOf(receipt, domain, type, ...more);
}

/** What the screen shows of a receipt beside what every vault's has. */
export const rows = ({ block, level }, text) => ({ block: `${block.number}, ${text(level)}` });

/** Whether a claim still stands as the receipt has it that is shown. */
const isSame = (receipt, { level, block }) =>
  receipt.level === level && plain(receipt.block.hash, 32) === plain(block?.hash, 32);

// Decisions

/** The vault refuses for a while, whatever is asked for. */
const HELD = ["busy", "sponsoring-exhausted", "chain-unreachable"];
/** The claim is not any more as the vault said: the claim itself is asked for. */
const CHANGED = ["expired", "unknown-claim", "not-deposited", "not-expired"];

/** What the screen says beside a state's own sentence, if it is of that state. */
const own = ({ says }, name) => (says?.startsWith(name) ? says : null);

/** Watches a claim further: a request on its way is sent again now and then, since its transaction may be dropped. */
function wait(state, event, name, more) {
  const todo = soon(name === "submitted" ? due(state) : "claim", event, state.live ? 30 : pace(state.times));
  const { receipt, outcome } = state;
  return go(state, name, todo, { receipt, outcome, says: own(state, name), times: state.times + 1, failures: 0, ...more });
}

/** Asks again later, and leaves the screen as it is. Where it has a receipt, it says why nothing more is known. */
const held = (state, event, why = state.now ? "included.silent" : "offline") => ({
  ...open(state), failures: state.failures + 1, todo: later(state, event),
  says: state.receipt && state.failures ? why : state.says,
});

/** Returns the state after an event; nothing where it is the same as with every vault. */
export function next(state, event) {
  switch (event.type) {
    case "event": return stands(state, event);
    case "quiet":
      if (!["submitted", "included"].includes(state.name)) return null;
      return wait({ ...state, times: 0 }, event, state.name);
    case "lost": return state.receipt ? held(state, event) : null;
    case "answer": return state.todo.ask === "vault" ? null : answered(state, event);
    default: return null;
  }
}

function answered(state, event) {
  const { status, body } = event;
  const { ask } = state.todo;
  const problem = event.isProblem ? String(body?.type).replace("/problems/", "") : null;
  if (status >= 500 || status === 408 || status === 429) {
    const isHeld = HELD.includes(problem);
    const after = held(state, event, isHeld ? problem : status === 429 ? "limited" : undefined);
    if (state.receipt) return after;
    if (!isHeld) return null;
    return isWatched(state) ? after : go(after, "limited", after.todo, { says: problem });
  }
  if (ask === "claim" || ask === "draft") {
    if (status === 200) return stands(state, event);
    // A deposit that was taken back is in no block.
    return problem === "unknown-claim" && (state.isLocked || (state.sender && state.terms)) ? absent(state, event) : null;
  }
  if (status === 202 && state.asked && body?.status === "submitted") {
    return wait({ ...open(state), isSent: true }, event, "submitted");
  }
  if (status === 202 || CHANGED.includes(problem)) {
    const known = { ...state, tries: state.tries + 1, isSent: state.isSent && !/expired/.test(problem) };
    const name = busy(known);
    return go(known, name, soon("claim", event, pause(state.tries)), { says: own(state, name) });
  }
  if (problem === "bad-receiver" && state.isLost) {
    // What was sent before paid nobody. The token may pay this address later: the request stays the same.
    const after = held(state, event);
    return go(after, "limited", after.todo, { says: problem });
  }
  if (status !== 200 && problem !== "already-claimed") return null;
  const after = ended({ ...state, failures: 0 }, event, status === 200 ? body : body.receipt);
  // The name that a receipt gives is kept for when it is final.
  if (after.receipt?.level !== "confirmed") return after;
  return wait(after, event, "included", { outcome: after.name, ...clock(state, event) });
}

/** The vault's time at its newest word, if it has said one before. The page's clock has measured what passed since. */
const clock = ({ now, nowAt }, { at }) => ({ now: now + at - nowAt, nowAt: at });

/** The money is not locked any more. The deposit may come back, and a request for it with it. */
const absent = (state, event, says = "waiting.undone") =>
  go({ ...state, isLocked: false }, "waiting", soon("claim", event, pace(state.times)), {
    says, times: state.times + 1, failures: 0,
  });

/** The vault has said how the claim stands. */
function stands(state, event) {
  const { body } = event;
  const { receipt, todo } = state;
  const status = body?.status === "submitted" ? "none" : body?.status;
  if (!readClaim(state, { ...body, status })) return null;
  switch (body.status) {
    case "none":
    case "submitted": {
      if (state.isLocked) return absent(state, event);
      return body.status === "none" ? null : absent(state, event, "waiting.submitted");
    }
    case "pending": {
      if (todo.ask === "draft") return null;
      // A reorganization took back what the receipt says. A request for it is carried again, and asked for as it was.
      const known = receipt ? { ...state, isUndone: true, isSent: !!state.asked } : state;
      if (known.isSent) {
        const more = receipt ? { receipt: null, outcome: null, says: "submitted.undone", live: false, times: 0 } : {};
        return wait({ ...known, ...more, isLocked: true }, event, "submitted");
      }
      const after = told(known, event);
      return after.name === "offer" && known.isUndone ? { ...after, says: "offer.undone" } : after;
    }
    default:
      if (!receipt) return null;
      if (!isSame(receipt, body)) return { ...state, todo: soon("receipt", event) };
      return wait(state, event, state.name, { says: null, now: body.now, nowAt: event.at });
  }
}
