// The body of an async function that page.py runs in the page: tests of `next`, which decides without I/O.
//
// given: the address of claim.js, a seed, and what the vault says: of itself, of a claim, its receipt of that, and its
// receipt of another claim; also the address of a second vault, its receipt of the first claim, and lies that it has
// signed; and what a vault on a chain says of itself, and its receipts of that claim. Returns the failures, and how much
// was tried.

const [module, seed, { vault, claim, receipt, other, second, contract }] = given;
const { next, request } = await import(module);
const chain = await import(module.replace("claim.js", "chain.js"));
const failures = [];
const check = (condition, text) => {
  if (!condition) failures.push(text);
};

const terms = { id: "id", symbol: "USDC", amount: 1000000n, expiry: claim.expiry, secretHash: claim.secretHash };
const first = {
  name: "loading", failures: 0, times: 0, tries: 0, own: [], receiver: null, terms, todo: { ask: "vault", at: 0 },
};
const answer = (status, body, at = 0, more = {}) => ({ type: "answer", status, body, at, ...more });
const problem = (status, kind, at = 0, more = {}) =>
  answer(status, { type: "/problems/" + kind, ...more }, at, { isProblem: true });
const met = next(first, answer(200, vault));
const pending = { ...claim, status: "pending", now: claim.expiry - 100 };
for (const name of ["txHash", "time", "receiver"]) delete pending[name];
const offer = next(met, answer(200, pending, 5));
const asked = {
  receiver: receipt.receiver.toLowerCase(), proof: "0x01", ledgerId: met.ledgerId, now: receipt.time,
};
const paying = next(offer, { type: "tap", asked, at: 6 });

// The way of a claim
check(met.todo.ask === "claim", "the claim is asked for next");
check(request(met, "claim")[0] === `/api/claims/${claim.ledgerId}`, "by its ledger id");
check(offer.name === "offer" && paying.name === "paying" && paying.todo.ask === "pay", "a tap asks for the money");
check(request(paying, "pay")[1].proof === "0x01", "the request has the recorded proof");
const made = (when) => answer(200, { ...receipt, made: when });
check(next(paying, made("now")).name === "paid", "a receipt to the own address is a payment");
const another = next(offer, { type: "tap", asked: { ...asked, receiver: "0x" + "11".repeat(20) }, at: 6 });
check(next(another, made("now")).name === "taken", "a receipt to another address is not");
check(next(met, answer(200, claim)).todo.ask === "receipt", "a status alone is not believed");
const owner = { ...met, own: [asked.receiver] };
check(next(owner, answer(200, claim)).name === "loading", "not even where one's own address was paid");

// An old payment is not a new one. It is new by the vault's word, or where an answer was lost and it is no older.
const refusal = problem(409, "already-claimed", 0, { receipt, made: "before" });
for (const old of [made("before"), made(undefined), made(true), refusal]) {
  check(next(paying, old).name === "alreadyPaid", `an old payment: ${JSON.stringify(old)}`);
}
const unclear = {
  "a lost answer": [{ type: "lost", at: 7 }], "an answer that is none": [answer(200, {}, 7)],
  "another vault's word": [problem(403, "wrong-secret", 7)], "a gateway's word": [answer(422, "<p>", 7)],
  ...Object.fromEntries([202, 408, 500, 503].map((status) => [status, [answer(status, null, 7)]])),
};
for (const [what, events] of Object.entries(unclear)) {
  const after = events.reduce(next, paying);
  const later = { ...after, asked: { ...asked, now: receipt.time + 1 } };
  for (const answer of [made("before"), refusal]) {
    check(next(after, answer).name === "paid", `after ${what} it may be this page's own`);
    check(next(later, answer).name === "alreadyPaid", `but not after ${what}, if it is older than the request`);
  }
  check(next(later, made("now")).name === "paid", `the vault's word holds after ${what}`);
}
const clear = { "a limit": problem(429, "too-many-requests", 7), "that it has expired": problem(410, "expired", 7) };
for (const [what, event] of Object.entries(clear)) {
  check(!next(paying, event).isLost && next(paying, event).asked === asked, `nothing was paid by ${what}`);
}
check(next(next(paying, clear["a limit"]), made("before")).name === "alreadyPaid", "so what is paid then is old");
const reloaded = { ...paying, isLost: true, asked: { ...asked, isPaid: true } };
for (const when of ["now", "before"]) {
  check(next(reloaded, made(when)).name === "alreadyPaid", "what the page has called paid once is old");
}
const kept = next({ ...owner, receiver: null }, answer(200, claim));
check(next(kept, refusal).name === "alreadyPaid", "a payment of before to an address of this browser is old");
const named = next({ ...met, receiver: asked.receiver }, answer(200, claim));
check(next(named, refusal).name === "alreadyPaid", "so is one to the address that an app names");
check(next(next(met, answer(200, claim)), refusal).name === "taken", "one to an unknown address is another's");

// Each answer has its own claim's terms, and each receipt the vault's signature over all of it.
const elsewhere = { text: "0x" + "11".repeat(20), hash: "0x" + "22".repeat(32) };
for (const [name, values] of Object.entries({
  ledgerId: [elsewhere.hash, other.ledgerId], token: [elsewhere.text], amount: ["2.00", "0.999999", 1],
  expiry: [claim.expiry + 60], secretHash: [elsewhere.hash], status: ["paid"], now: [-1, "1", undefined, 9e12],
})) {
  for (const value of values) {
    const lie = answer(200, { ...pending, [name]: value });
    check(next(met, lie).name === "untrusted", `${name} of the claim is ${value}`);
  }
}
const signature = receipt.signature.replace(/..$/, (v) => (v === "1b" ? "1c" : "1b"));
for (const [name, values] of Object.entries({
  ledgerId: [elsewhere.hash], token: [elsewhere.text], amount: ["2.00"], receiver: [elsewhere.text, undefined],
  txHash: [elsewhere.hash], time: [receipt.time + 1], status: ["refunded"],
  signature: [signature, other.signature, undefined],
})) {
  for (const value of values) {
    const forged = { ...receipt, [name]: value };
    for (const lie of [answer(200, forged), problem(409, "already-claimed", 0, { receipt: forged })]) {
      check(next(paying, lie).name === "untrusted", `${name} of the receipt is ${value}`);
    }
  }
}
check(next(paying, answer(200, other)).name === "untrusted", "another claim's receipt");
const at = (address) => ({ ...paying, vault: { ...paying.vault, address, receiptKey: address } });
const moved = at(elsewhere.text);
check(next(moved, answer(200, receipt)).name === "untrusted", "another vault's receipt");
const there = at(second.address);
check(next(there, answer(200, { ...second.receipt, made: "now" })).name === "paid", "a second vault's receipt");
for (const [what, lie] of Object.entries(second.lies)) {
  check(next(there, answer(200, { ...lie, made: "now" })).name === "untrusted", `${what}, signed by the vault`);
}

// Time
check(offer.todo.at === 7, "the next question is due soon while no stream is believed");
const live = next(offer, { type: "event", body: pending, at: 8 });
check(live.todo.at === 38, "with a stream it is due after half a minute");
check(next(live, { type: "quiet", at: 9 }).todo.at === 11, "and soon again once the stream is silent");
const late = next(met, answer(200, { ...pending, now: claim.expiry - 3 }, 5));
check(late.todo.at <= 8, "it is due when the time is up");
const over = answer(200, { ...pending, now: claim.expiry }, 10);
check(next(met, over).name === "expired", "the vault's clock says when that is");
check(next(next(offer, over), answer(200, pending)).name === "offer", "and it may take that back");

// Lost answers
check(next(offer, { type: "lost", at: 7 }).name === "offer", "an offer stays for one lost answer");
let state = paying;
const pauses = [];
for (let at = 0; at < 8; at++) {
  state = next(state, { type: "lost", at: 0 });
  pauses.push(state.todo.at);
  check(state.name === "offline" && state.todo.ask === "pay", "a lost answer is asked for again");
  check(state.asked === asked, "with the same request");
}
check(JSON.stringify(pauses) === "[1,2,4,8,16,30,30,30]", `the pauses grow: ${pauses}`);
check(next(paying, answer(500, null, 0, { retryAfter: 1e9 })).todo.at === 3600, "no pause is longer than an hour");
check(next(paying, answer(503, null, 0, { retryAfter: -5 })).todo.at === 1, "or shorter than a second");
const limited = next(paying, answer(429, null, 10, { retryAfter: 42 }));
check(limited.name === "limited" && limited.todo.at === 52, "a limit says when");
check(next(limited, { type: "wake", at: 20 }).todo.at === 52, "and waking does not go round it");
check(next(limited, { type: "again", at: 51 }) === limited, "nor does a tap");
const tapped = next(limited, { type: "again", at: 52 });
check(tapped.name === "paying" && tapped.todo.ask === "pay" && tapped.todo.at === 52, "which asks at once after it");
const watchedLimit = next(offer, answer(429, null, 10, { retryAfter: 42 }));
check(watchedLimit.name === "offer" && watchedLimit.todo.at === 52, "an offer stays, and is asked about after it");
check(next(watchedLimit, { type: "wake", at: 20 }).todo.at === 52, "also where its page is opened again");
check(next(watchedLimit, { type: "event", body: pending, at: 11 }).todo.at === 52, "or an event comes");
check(next(watchedLimit, { type: "event", body: claim, at: 11 }).todo.at === 52, "whatever the event says");
const unlucky = next(paying, answer(503, null, 10, { retryAfter: 42 }));
check(next(unlucky, { type: "again", at: 51 }) === unlucky, "a vault that is down says so too");
check(next(state, { type: "wake", at: 100 }).todo.at === 100, "waking asks at once");
check(next(paying, answer(202, {}, 10)).todo.at === 12, "a submitted payment is asked for again");

// Refusals
const expired = next(paying, problem(410, "expired", 10));
check(expired.name === "paying" && expired.todo.ask === "claim", "that it has expired is asked for");
check(next(expired, over).name === "expired", "and believed of the claim");
check(next(expired, answer(200, pending, 10)).todo.ask === "pay", "and if it is not so, the same request follows");
const refused = next(paying, problem(422, "bad-receiver", 10));
const shownAgain = next(refused, answer(200, pending, 11));
check(refused.asked === null && shownAgain.problem, "another address is asked for");
check(!next(shownAgain, answer(200, pending, 12)).problem, "that it was refused is said once");
for (const [what, doubtful] of Object.entries({
  "a gateway": next(paying, answer(422, { type: "/problems/bad-receiver" }, 10)),
  "a vault that may have paid": next(next(paying, { type: "lost", at: 7 }), problem(422, "bad-receiver", 10)),
})) {
  check(doubtful.name === "untrusted" && doubtful.asked === asked, `${what} does not end a doubt by a refusal`);
}
for (const kind of ["wrong-secret", "unknown-claim", "not-deposited", "bad-signature", "not-found", "made-up"]) {
  const doubt = next(paying, problem(400, kind, 10));
  check(doubt.name === "untrusted" && doubt.asked === asked && doubt.todo.ask === "pay", `${kind} leaves it open`);
}
check(next(met, problem(404, "unknown-claim")).todo.ask === "draft", "what is not locked may be a draft");
check(next(met, answer(404, { type: "/problems/unknown-claim" })).name === "untrusted", "by the vault's word alone");
check(next(offer, problem(404, "unknown-claim")).name === "untrusted", "what was locked may not");
check(next(offer, answer(200, { ...pending, status: "none" })).name === "untrusted", "not even as a draft");

// The sender's page
const sent = { ...first, sender: true, terms: undefined, ledgerId: claim.ledgerId };
const shown = next(next(sent, answer(200, vault)), answer(200, { ...pending, now: claim.expiry }));
check(shown.name === "expired" && shown.terms.amount === 1000000n, "the terms are those of the ledger id");
const back = next(shown, { type: "tap", asked: {}, at: 1 });
check(back.name === "refunding" && request(back, "receipt")[0].endsWith("/refund"), "it asks for a refund");
check(next(back, problem(409, "not-expired")).asked === null, "too early is no doubt");
check(next(next(back, { type: "lost", at: 2 }), problem(409, "not-expired")).asked, "but after a lost answer it is");
check(next(back, problem(409, "already-claimed", 0, { receipt })).name === "taken", "a claim that was faster is shown");
check(next(back, { type: "lost", at: 0 }).name === "offline", "a lost answer is no refund");
check(next(offer, { type: "tap", asked: undefined, at: 0 }).sender === undefined, "the receiver's page asks for none");

// A vault on a chain
const description = { ...answer(200, contract.vault), chain };
const onChain = next(first, description);
check(onChain.todo.ask === "claim", "a contract's own description is one");
for (const [what, lie] of Object.entries({
  "an embedded vault with a receipt key of its own": answer(200, { ...vault, receiptKey: elsewhere.text }),
  "a contract without what checks it": answer(200, contract.vault),
  "a contract that signs itself": { ...answer(200, { ...contract.vault, receiptKey: contract.vault.address }), chain },
  "a contract without code": { ...answer(200, { ...contract.vault, codeHash: undefined }), chain },
  "a kind that nobody knows": { ...answer(200, { ...contract.vault, kind: "other" }), chain },
})) {
  check(next(first, lie).name === "untrusted", what);
}
const { confirmed, final, plain: unplaced, another: theirs, refund } = contract;
const stands = (receipt, now = claim.expiry - 100) => ({ ...pending, now, ...(receipt && {
  status: receipt.status, level: receipt.level, block: receipt.block, txHash: receipt.txHash,
}) });
const said = (receipt, now) => ({ type: "event", body: stands(receipt, now), at: 20 });
const ends = (receipt) => problem(409, "already-claimed", 21, { receipt });
const carried = answer(202, { status: "submitted", txHash: confirmed.txHash }, 10);
const shownOffer = next(onChain, answer(200, pending, 5));
const wants = { ...asked, receiver: confirmed.receiver.toLowerCase(), now: confirmed.time };
const claiming = next(shownOffer, { type: "tap", asked: wants, at: 6 });
const submitted = next(claiming, carried);
check(shownOffer.name === "offer" && claiming.name === "paying", "a contract's offer is one");
check(submitted.name === "submitted" && submitted.todo.ask === "pay", "what was sent to the chain is asked for again");
check(submitted.asked === wants && submitted.isLost, "with the same request, whose end is not known");
for (const body of [null, {}, { status: "claimed" }, { status: "pending" }]) {
  check(next(claiming, answer(202, body, 10)).name === "paying", `${JSON.stringify(body)} says nothing of a chain`);
}
check(next(paying, carried).name === "paying", "an embedded vault has none");
check(next(submitted, said()).name === "submitted", "that the money is locked is no news");
check(next(submitted, said(null, claim.expiry)).name === "submitted", "a payment that expires may be made all the same");
const noted = next(submitted, said(confirmed));
check(noted.name === "submitted" && noted.todo.ask === "receipt", "that it is claimed is asked for, without a word yet");
const included = next(noted, ends(confirmed));
check(included.name === "included" && included.outcome === "paid", "a receipt of a block that is not final is no end");
check(included.receipt.level === "confirmed" && included.todo.ask === "claim", "so the claim is asked for again");
check(next(included, said(confirmed)).receipt === included.receipt, "as long as it stands, it is shown");
check(next(included, { type: "lost", at: 22 }).receipt === included.receipt, "also while answers are lost");
check(next(included, answer(500, null, 22)).name === "included", "or the vault has a defect");
check(next(included, problem(503, "chain-unreachable", 22)).name === "included", "or does not reach its chain");
const closing = next(included, said(final));
check(closing.todo.ask === "receipt" && closing.receipt, "that it is final is asked for");
check(next(closing, ends(final)).name === "paid", "and then it is paid");
check(next(next(claiming, answer(200, { ...confirmed, made: "before" })), said(final)).name === "included", "by a receipt");
// A vault that does not answer any more, and the time of its last word.
const silent = next(next(included, { type: "lost", at: 22 }), { type: "lost", at: 23 });
check(!next(included, { type: "lost", at: 22 }).says, "one lost answer changes nothing on the screen");
check(silent.name === "included" && silent.says === "included.silent", "of two the page says that the vault is silent");
check(silent.now === pending.now + 1, "since when, by the clock of the vault");
check(next(silent, { type: "quiet", at: 24 }).says === "included.silent", "also without events");
const spoken = next(silent, answer(200, stands(confirmed, pending.now + 9), 30));
check(!spoken.says && spoken.now === pending.now + 9, "until the vault speaks again");
const apart = problem(503, "chain-unreachable", 22);
check(next(next(included, apart), apart).says === "chain-unreachable", "a vault that says why is quoted");
check(next(next(included, answer(429, null, 22)), answer(429, null, 23)).says === "limited", "and so is a limit");
check(next(claiming, answer(200, { ...final, made: "before" })).name === "alreadyPaid", "of before, if none was sent");
const reloadedThere = { ...claiming, isLost: true, asked: { ...wants, isPaid: true } };
check(next(reloadedThere, answer(200, final)).name === "alreadyPaid", "or if the page has said so once");

// Events hasten a question, and no answer that is missing makes them ask without end.
const elsewhereNow = { ...said(contract.moved), at: 25 };
const hastened = next(included, elsewhereNow);
check(noted.todo.at === 20, "the first is asked about at once");
check(hastened.todo.ask === "receipt" && hastened.todo.at === 26, "the next one a second later");
check(next(hastened, { ...elsewhereNow, at: 25.1 }).todo === hastened.todo, "and not again until the answer comes");
let restless = hastened;
const waits = [];
for (let step = 0; step < 8; step++) {
  restless = next(restless, { type: "lost", at: 100 * step });
  for (const body of [stands(contract.moved), stands(confirmed), stands(contract.moved)]) {
    restless = next(restless, { type: "event", body, at: 100 * step });
  }
  waits.push(restless.todo.at - 100 * step);
}
check(waits.every((wait, step) => wait >= Math.min(30, 2 ** step)), `events shorten no pause: ${waits}`);
let [contradicted, soonest] = [submitted, []];
for (let step = 0; step < 8; step++) {
  contradicted = next(contradicted, { ...said(confirmed), at: 100 * step });
  soonest.push(contradicted.todo.at - 100 * step);
  contradicted = next({ ...contradicted, name: "submitted" }, { ...carried, at: 100 * step });
}
check(JSON.stringify(soonest) === "[0,1,2,4,8,16,30,30]", `events are asked about ever later: ${soonest}`);

// A reorganization takes a payment back.
const undone = next(included, said());
check(undone.name === "submitted" && !undone.receipt && undone.todo.ask === "pay", "then it is not paid any more");
check(undone.asked === wants && undone.says === "submitted.undone", "and the same request is asked for");
check(next(undone, said(null, claim.expiry)).name === "submitted", "even if the time is up");
check(next(undone, carried).says === "submitted.undone", "which the page says until there is another block");
const again = next(next(undone, carried), ends(contract.moved));
check(again.name === "included" && again.outcome === "paid", "that may pay it again");
const stale = next(submitted, ends(contract.early));
check(stale.outcome === "alreadyPaid", "a payment from before the request is old");
check(next(next(stale, said()), ends(contract.early)).outcome === "alreadyPaid", "also where it is made again");
check(next(next(undone, carried), ends(contract.early)).outcome === "paid", "unless it is this page's, moved");
check(next(hastened, ends(contract.early)).outcome === "paid", "also where the page hears of the new block first");
const twice = { ...hastened, asked: { ...wants, isPaid: true } };
check(next(twice, ends(contract.early)).outcome === "alreadyPaid", "but what the page has called paid stays old");
const overtaken = next(undone, ends(theirs));
check(overtaken.name === "included" && overtaken.outcome === "taken", "or another holder of the secret");
check(next(next(overtaken, said(contract.theirsFinal)), ends(contract.theirsFinal)).name === "taken", "for good");
const away = next(included, { type: "event", body: { ...pending, status: "none" }, at: 20 });
check(away.name === "waiting" && away.asked === wants && !away.receipt, "its deposit may be taken back, too");
check(next(away, answer(200, pending, 23)).todo.ask === "pay", "and come again");
const gone = next({ ...shownOffer, todo: { ask: "claim", at: 7 } }, problem(404, "unknown-claim", 7));
check(gone.name === "waiting", "a deposit that is in no block is no contradiction");
check(next(submitted, problem(409, "not-deposited", 11)).todo.ask === "claim", "nor is a request for it");
const watched = next(next(next(onChain, answer(200, stands(theirs), 5)), ends(theirs)), said());
check(watched.name === "offer" && !watched.asked, "what another had claimed can be claimed then");

// What is not so
for (const [what, lie] of Object.entries({
  "a level that nobody signed": { ...confirmed, level: "finalized" },
  "another block": { ...confirmed, block: { ...confirmed.block, number: 1 } },
  "no block": { ...confirmed, block: undefined }, "no level": { ...confirmed, level: undefined },
  "an embedded vault's receipt": unplaced, "that with a block": { ...confirmed, signature: unplaced.signature },
  "another's signature": contract.forged, "what an embedded vault signed": receipt,
})) {
  for (const event of [answer(200, lie), ends(lie)]) {
    check(next(claiming, event).name === "untrusted", `${what} is believed`);
    check(next(submitted, event).asked === wants, `${what} forgets the request`);
  }
}
check(next(included, answer(200, { ...pending, amount: "2.00" }, 22)).name === "untrusted", "other terms");

// What keeps the vault from it for a while
for (const kind of ["busy", "sponsoring-exhausted", "chain-unreachable"]) {
  const held = next(claiming, problem(503, kind, 10));
  check(held.name === "limited" && held.says === kind && held.todo.ask === "pay", `${kind} is waited for`);
  check(held.asked === wants && held.isLost, `${kind} leaves it open`);
  check(!next(held, { ...carried, at: 12 }).says, `${kind} is not said of a request that was sent`);
}
const barred = next(submitted, problem(422, "bad-receiver", 11));
check(barred.name === "limited" && barred.says === "bad-receiver", "that the token refuses the receiver is said");
check(barred.asked === wants && barred.todo.ask === "pay", "and the same request is asked for");
const lapsed = next(submitted, problem(410, "expired", 11));
check(lapsed.todo.ask === "claim" && lapsed.asked === wants, "that it has expired is asked for");
check(next(lapsed, answer(200, stands(null, claim.expiry), 12)).name === "expired", "and believed of the claim");

// The sender's page on a chain
const sentThere = next(next(sent, description), answer(200, stands(null, claim.expiry)));
const asksBack = next(sentThere, { type: "tap", asked: {}, at: 1 });
const backSubmitted = next(asksBack, carried);
const depositAway = next(sentThere, { type: "event", body: { ...pending, status: "none" }, at: 2 });
const inNoBlock = next({ ...depositAway, todo: { ask: "claim", at: 5 } }, problem(404, "unknown-claim", 5));
check(inNoBlock.name === "waiting", "a deposit that was taken back may come back");
check(asksBack.todo.ask === "receipt" && backSubmitted.name === "submitted", "a refund is sent to the chain");
check(backSubmitted.todo.ask === "receipt", "and asked for again");
const returned = next(backSubmitted, answer(200, refund));
check(returned.name === "included" && returned.outcome === "refunded", "it is in a block");
check(next(returned, said(null, claim.expiry)).name === "submitted", "which may be taken back");
const spent = next(next(next(sent, description), answer(200, stands(theirs))), ends(theirs));
check(spent.name === "included" && spent.outcome === "taken", "what was claimed is shown with its receipt");
check(next(spent, said()).says === "offer.undone", "and that it was taken back");

// Whatever a vault says without a signature, nothing becomes final, and a request that may have been sent is not
// forgotten.
let random = seed;
const draw = (count) => {
  random = (random * 1103515245 + 12345) % 2147483648;
  return Math.floor((random / 2147483648) * count);
};
const pick = (list) => list[draw(list.length)];
const scraps = [
  null, undefined, 0, -1, 1.5, 1e308, "", "x", "0x", "0x00", true, [], [null], {}, "<b>", claim.ledgerId, claim.token,
  "1.00", "claimed", "refunded", "pending", "none", claim.expiry, vault.address, "\u202e", "constructor", "__proto__",
];
const kinds = [
  "unknown-claim", "already-claimed", "expired", "not-expired", "wrong-secret", "not-deposited", "busy", "no-such", "",
  "bad-receiver",
];
function spoilt(value) {
  const copy = structuredClone(value);
  for (let count = 1 + draw(3); count > 0; count--) copy[pick(Object.keys(value))] = pick(scraps);
  return copy;
}
const forged = () => spoilt(pick([receipt, confirmed, final]));
// A receipt of which only what nobody signs has changed, or only the case of its digits, is still one.
const signed = ["ledgerId", "status", "token", "amount", "receiver", "txHash", "time", "signature", "level", "block"];
const isSame = (body) =>
  [receipt, confirmed, final].some((whole) => signed.every((name) =>
    JSON.stringify([body?.[name]]).toLowerCase() === JSON.stringify([whole[name]]).toLowerCase()));
const bodies = [
  () => pick(scraps), () => spoilt(vault), () => spoilt(pending), () => spoilt(claim), forged, () => vault,
  () => pending, () => claim, () => ({ ...pending, status: pick(["none", "submitted"]) }), () => carried.body,
  () => stands(pick([confirmed, final])),
  () => ({ type: "/problems/" + pick(kinds), receipt: pick([undefined, forged(), pick(scraps)]) }),
];
let tried = 0;
const names = new Set();
for (let run = 0; run < 300; run++) {
  let now = pick([first, sent, onChain, next(sent, description)]);
  const isOnChain = !!now.vault;
  let isAsked = false;
  for (let step = 0; step < 30; step++) {
    const body = pick(bodies)();
    if (isSame(body) || isSame(body?.receipt)) continue;
    const status = pick([200, 200, 200, 202, 204, 400, 403, 404, 409, 410, 422, 429, 500, 503]);
    const events = [
      answer(status, body, step, { retryAfter: Number(pick(scraps)), isProblem: !!draw(2) }),
      { type: "lost", at: step },
      { type: "event", body, at: step }, { type: "quiet", at: step }, { type: "wake", at: step },
      { type: "again", at: step }, { type: "tap", asked, at: step },
    ];
    // Half of the time the vault says what gets further.
    const good = { vault, claim: { ...pending, now: claim.expiry - pick([0, 100]) } }[now.todo?.ask];
    const isVaults = isOnChain && ["pay", "receipt"].includes(now.todo?.ask) && draw(2);
    const event =
      good && draw(2) ? answer(200, good, step) : isVaults ? { ...carried, at: step } : pick([events[0], ...events]);
    if (["answer", "lost"].includes(event.type) && !now.todo) continue;
    const before = now;
    now = next(now, event);
    tried++;
    names.add(now.name);
    const trace = `${before.name} + ${JSON.stringify(event)} = ${now.name}`;
    const isEnd = ["paid", "alreadyPaid", "taken", "refunded", "included"].includes(now.name);
    check(!isEnd && !now.receipt, `an end without a signature: ${trace}`);
    const isRefusal = event.isProblem && !before.isLost && /bad-receiver|not-expired/.test(event.body?.type);
    check(now.asked || !isAsked || isRefusal, `forgotten: ${trace}`);
    check(!now.asked || isAsked || event.type === "tap", `asked without a tap: ${trace}`);
    const isSo = !now.isLocked || (now.terms.amount === 1000000n && now.terms.expiry === claim.expiry);
    check(isSo, `other terms: ${trace}`);
    check(!now.todo || Number.isFinite(now.todo.at), `no time for the next request: ${trace}`);
    check(now.todo || ["untrusted", "unknown"].includes(now.name), `nothing follows: ${trace}`);
    isAsked = !!now.asked;
  }
}
for (const name of [
  "offer", "expired", "offline", "limited", "untrusted", "paying", "refunding", "submitted", "waiting",
]) {
  check(names.has(name), `the random answers never came to ${name}`);
}
return { failures: failures.slice(0, 5), tried };
