// Money out of the wallet: a new claim, whose link and QR code whoever shall have the money opens.
//
// What was begun is written down first, without a secret: that follows from the wallet's key (statements.js). So a lost
// answer is asked for again with the very same request, and the link can be shown again.

import { ask, hear, vaultNow } from "./account.js";
import { make, money, moment, plain, read, text, write } from "./claim.js";
import { bytes, hex, parseAmount, formatAmount } from "./keys.js";
import { addressOf, known, ok, strange } from "./opening.js";
import { busy, step } from "./panel.js";
import { encode, path } from "./qr.js";
import { keyBytes } from "./seal.js";
import { claimSecret, drawId, makeClaim, sealLink, signDeposit, solve } from "./statements.js";

/** How long the link is good, and the authorization of its deposit, in seconds. */
const [day, short] = [86_400, 300];

const name = (wallet) => "bump:sent:" + addressOf(wallet);
/** What this browser sent from the wallet, the newest first. */
export function sent(wallet) {
  const records = read("localStorage", name(wallet));
  const isWhole = (it) => it && plain(it.ledgerId, 32) && plain(it.contract, 20) && parseAmount(it.amount, 6);
  return (Array.isArray(records) ? records : []).filter(isWhole);
}
const keep = (wallet, record) =>
  write("localStorage", name(wallet), [record, ...sent(wallet).filter(({ id }) => id !== record.id)].slice(0, 50));
const forget = (wallet, { id }) =>
  write("localStorage", name(wallet), sent(wallet).filter((record) => record.id !== id));

/** Asks for an amount, locks it, and shows the link. `balances` has {token, amount}, in base units. */
export async function sendOn(wallet, vault, balances) {
  const { token, amount: most } = balances.length > 1 ? await choose(balances) : balances[0];
  let value = formatAmount(most, 6);
  for (let mistake; ; ) {
    const values = { value: money({ amount: most, symbol: token.symbol }) };
    ({ value } = await ok(step("send", { field: "amount", value, mistake, values, actions: ["lock", "back"] })));
    const amount = parseAmount(value.replace(",", "."), 6);
    if (!amount) mistake = "amount";
    else if (amount > most) mistake = "tooMuch";
    else {
      const { record, problem } = await draft(wallet, vault, token, amount);
      mistake = problem ?? (await lock(wallet, vault, record));
      if (!mistake) return show(wallet, record);
    }
  }
}

async function choose(balances) {
  const list = make("div", "", "choices");
  return new Promise((resolve, reject) => {
    for (const balance of balances) {
      const button = make("button", money({ amount: balance.amount, symbol: balance.token.symbol }), "quiet");
      Object.assign(button, { type: "button", onclick: () => resolve(balance) });
      list.append(button);
    }
    ok(step("which", { content: list, actions: ["back"] })).catch(reject);
  });
}

const problems = {
  "over-cap": "cap", "insufficient-funds": "tooMuch", "too-many-pending": "pending", "too-many-deposits": "deposits",
};

/** Writes a new claim down, here and at the vault. Returns {record}, or {problem}, the name of a mistake. */
async function draft(wallet, vault, token, amount) {
  for (let tries = 0; tries < 5; tries++) {
    busy("send.wait");
    await hear(wallet);
    const expiry = Math.floor((vaultNow() + day) / 60) * 60;
    const terms = { id: drawId(), symbol: token.symbol, contract: token.address, amount, expiry };
    const { secretHash, ledgerId } = await makeClaim(keyBytes(wallet.key), terms);
    const record = { ...terms, amount: formatAmount(amount, 6), ledgerId, isLocked: false };
    keep(wallet, record);
    const body = { claimId: terms.id, secretHash, token: token.address, amount: record.amount, expiry };
    const { problem } = await known(async () => ask("/api/claims", { ...body, ...(await proofOfWork(vault)) }));
    if (!problem) return { record };
    // Nothing was locked.
    forget(wallet, record);
    if (problem !== "id-taken" && problem !== "bad-challenge") return { problem: problems[problem] ?? "refused" };
  }
  return { problem: "refused" };
}

async function proofOfWork({ challenge: isAsked }) {
  if (!isAsked) return {};
  busy("send.wait");
  const { problem, body } = await ask("/api/challenge");
  const number = problem ? null : await solve(body);
  if (number === null) return {};
  const { algorithm, challenge, salt, signature } = body;
  return { altcha: btoa(JSON.stringify({ algorithm, challenge, number, salt, signature })) };
}

/** Has the vault lock the amount. Returns the name of a mistake if it is refused, and nothing was locked. */
async function lock(wallet, vault, record) {
  // With an authorization that was written down before, a request may be on its way.
  let isOpen = !!record.validBefore;
  record.validBefore ??= vaultNow() + short;
  keep(wallet, record);
  const token = vault.tokens.find(({ address }) => address === record.contract);
  const signature = signDeposit(
    wallet.key, wallet.domain, token, parseAmount(record.amount, 6), bytes(record.ledgerId), record.validBefore);
  const body = { sender: addressOf(wallet), authorization: hex(signature), validBefore: record.validBefore };
  for (;;) {
    busy("send.wait");
    const { problem } = await ask(`/api/claims/${record.id}/deposit`, body);
    if (!problem) break;
    if (problem === "lost" || problem === "too-many-requests") {
      isOpen ||= problem === "lost";
      await ok(step(isOpen ? "send.unknown" : "slow", { actions: ["again", "back"] }));
      continue;
    }
    // An earlier request may have locked it. The claim itself says so.
    const { problem: gone, body: claim } = await known(() => ask(`/api/claims/${record.ledgerId}`));
    if (!gone && claim?.status !== "none") break;
    // One that is on its way may lock it as long as its authorization is good.
    if (isOpen && vaultNow() <= record.validBefore) {
      await ok(step("send.unknown", { actions: ["again", "back"] }));
      continue;
    }
    forget(wallet, record);
    return problems[problem] ?? "refused";
  }
  record.isLocked = true;
  keep(wallet, record);
  return null;
}

/** Shows the link of what was sent. What may not be locked yet is asked for again first. */
export async function again(wallet, vault, record) {
  if (!record.isLocked && record.validBefore && (await lock(wallet, vault, record))) await strange("send.refused");
  if (!record.isLocked) {
    forget(wallet, record);
    await strange("send.refused");
  }
  return show(wallet, record);
}

async function show(wallet, record) {
  const secret = await claimSecret(keyBytes(wallet.key), record.id);
  const link = await sealLink(location.origin + "/claim", { ...record, amount: parseAmount(record.amount, 6) }, secret);
  const content = make("div", "", "link");
  const shown = make("p", link, "code");
  shown.id = "link";
  const watch = Object.assign(make("a", text("send.watch")), { href: `/sent/${record.ledgerId}`, target: "_blank" });
  watch.dataset.t = "send.watch";
  watch.rel = "noopener";
  content.append(drawing(link), shown, watch);
  const values = { value: money({ ...record, amount: parseAmount(record.amount, 6) }), time: moment(record.expiry) };
  for (let copied = ""; ; ) {
    const { action } = await step("send.link" + copied, { content, values, actions: ["copy", "done"] });
    if (action === "done") return;
    copied = await navigator.clipboard.writeText(link).then(() => ".copied", () => "");
  }
}

/** A QR code as a picture. */
function drawing(link) {
  const { path: squares, size } = path(encode(link));
  const space = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(space, "svg");
  const light = document.createElementNS(space, "rect");
  const dark = document.createElementNS(space, "path");
  picture.setAttribute("viewBox", `0 0 ${size} ${size}`);
  picture.setAttribute("role", "img");
  // Squares that touch are one.
  picture.setAttribute("shape-rendering", "crispEdges");
  picture.setAttribute("aria-label", text("send.picture"));
  light.setAttribute("width", size);
  light.setAttribute("height", size);
  light.setAttribute("fill", "#fff");
  dark.setAttribute("d", squares);
  picture.append(light, dark);
  return picture;
}
