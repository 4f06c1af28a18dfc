// The page of a claim, from its link to a receipt, and that of its sender. The wallet's page uses it, too.
//
// `next` decides what the page shows and asks, without I/O; `run` asks the vault, keeps time and draws. What the vault
// says is final only with a receipt that has the claim's terms and the vault's signature. The secret is in the address
// bar until the money is claimed, and the key made of it in a variable. Neither is sent, stored or handed on.
//
// An app that opens the page can name the receiver, and is told the status: Docs/claim-page.md.

import {
  bytes, checksummed, claimKey, formatAmount, hex, ledgerId, parseAddress, parseAmount, parseLink, proof,
  receiptSigner, secretHash,
} from "./keys.js";

// Decisions

// state.name: as Docs/claim-page.md has it; the sender's page has refunding for paying.
// state.todo: the next request and when it is due, {ask, at, from}, in seconds of a clock that is never set. The vault
// wants it no earlier than `from`, whatever a person does.
// state.asked: the request for the money, if one may have been sent: receiver, proof, ledgerId, `now`, the vault's time
// before it was sent, and isPaid once the page has said that it was paid.
// state.isLost: whether an answer to that request may be lost; isSent: whether it was sent to a chain.
// Where the vault is a contract, chain.js decides first.

const FINAL = ["paid", "alreadyPaid", "taken", "refunded", "insecure", "fragment", "garbled", "key"];
// Here a person can have the vault asked at once.
const ASKS = ["offline", "limited", "unknown", "untrusted"];
const isOwn = (name) => name === "paid" || name === "alreadyPaid";
const isWatched = ({ name }) => ["offer", "expired", "submitted", "included"].includes(name);

// Seconds until a request is repeated after failures, and until the vault is asked again for news.
const pause = (failures) => Math.min(30, 2 ** failures);
const pace = (times) => Math.min(30, 2 * 1.5 ** times);

const go = (state, name, todo = null, more) =>
  ({ ...state, says: null, outcome: null, receipt: null, ...more, name, todo });
const soon = (ask, event, wait = 0) => ({ ask, at: event.at + wait });
// The same request after a pause that grows, and not before the vault wants it.
const later = (state, event, rest = event.retryAfter || 0) => {
  const least = Math.min(3600, Math.max(0, rest));
  return { ...soon(state.todo.ask, event, Math.max(least, pause(state.failures))), from: event.at + least };
};
const due = (state) => (!state.vault ? "vault" : !state.asked ? "claim" : state.sender ? "receipt" : "pay");
const busy = (state) => !state.asked ? "loading" : state.isSent ? "submitted" : state.sender ? "refunding" : "paying";
const resume = (state, event) => go(state, busy(state), soon(due(state), event), { failures: 0, times: 0 });

// Returns the state after an event. `event.at` is the time of the clock.
export function next(state, event) {
  if (FINAL.includes(state.name)) return state;
  // A stream of events, and one that is silent.
  const live = event.type === "event";
  if (!live && event.type !== "quiet") return decided(state, event);
  return isWatched(state) ? heard(state, decided({ ...state, live }, event), event) : state;
}

// What an event asks for is asked at once, but of many each waits longer. A pause after a failure gets no shorter, and
// what is asked for already is not asked for again.
function heard({ failures, hastes = 0, todo }, state, event) {
  if (!state.todo) return state;
  const isAtOnce = state.todo.at === event.at;
  const at = Math.max(state.todo.at + (isAtOnce && hastes && pause(hastes - 1)), failures && todo.at);
  const known = { ...state, failures };
  if (isAtOnce && state.todo.ask === todo.ask && todo.at <= at) return { ...known, todo };
  return { ...known, hastes: hastes + isAtOnce, todo: { ...todo, ...state.todo, at } };
}

function decided(state, event) {
  const first = state.vault?.chain?.next(state, event);
  if (first) return first;
  // The offer has shown what was refused.
  if (state.name === "offer") state = { ...state, problem: null };
  switch (event.type) {
    // The person asks for the money. `asked` is recorded.
    case "tap": {
      const isDue = state.name === (state.sender ? "expired" : "offer");
      return isDue ? resume({ ...state, asked: event.asked, isLost: false }, event) : state;
    }
    case "receiver": return { ...state, receiver: event.receiver, isTyped: event.isTyped };
    case "again": return event.at < state.todo?.from ? state : resume(state, event);
    // The machine has slept, or is back on the network.
    case "wake": {
      const { todo } = state;
      return todo ? { ...state, todo: { ...todo, at: Math.max(event.at, todo.from || 0) } } : resume(state, event);
    }
    case "event": return told(state, event);
    case "quiet": return watch({ ...state, times: 0 }, event, state.name);
    case "lost": return lost(state, event);
    case "answer": return answered(state, event);
    default: return state;
  }
}

// The request for the money may have arrived, and what became of it is not known.
const open = (state) => ({ ...state, isLost: state.isLost || (!!state.asked && state.todo.ask === due(state)) });

// An offer stays for one lost answer.
function lost(state, event) {
  const name = isWatched(state) && !state.failures ? state.name : "offline";
  return go(open(state), name, later(state, event), { failures: state.failures + 1 });
}

// The vault contradicts itself or the link. A payment that may have been made is asked for again.
const doubt = (state, event) =>
  go(open(state), "untrusted", state.asked ? soon(due(state), event, 30) : null, { failures: 0 });

const absent = (state, event, name) =>
  go(state, name, soon("claim", event, pace(state.times)), { times: state.times + 1 });

function answered(state, event) {
  const { status, body } = event;
  const { ask } = state.todo;
  if (status === 429) {
    const name = isWatched(state) ? state.name : "limited";
    return go(state, name, later(state, event, event.retryAfter || 10), { failures: state.failures + 1 });
  }
  if (status >= 500 || status === 408) return lost(state, event);
  if (status === 202 && state.asked) return { ...open(state), todo: later(state, event, event.retryAfter || 2) };
  state = { ...state, failures: 0 };
  // A refusal of another form is a gateway's.
  const problem = status === 200 ? null : String(event.isProblem && body?.type).replace("/problems/", "");
  const isUnknown = problem === "unknown-claim" && !state.isLocked;
  switch (ask) {
    case "vault": return problem ? doubt(state, event) : met(state, event);
    case "claim":
      if (!problem) return told(state, event);
      if (!isUnknown) return doubt(state, event);
      // A draft has no ledger id. It is asked for by the id of the link, which the vault has seen in this page's path.
      return state.sender ? absent(state, event, "unknown") : { ...state, todo: soon("draft", event) };
    case "draft":
      if (problem && !isUnknown) return doubt(state, event);
      return absent(state, event, problem || !readClaim(state, body) ? "unknown" : "waiting");
  }
  if (!problem || problem === "already-claimed") return ended(state, event, problem ? body.receipt : body);
  // Nobody has signed these. The claim itself says more.
  if (ask === "pay" && problem === "expired") {
    return go(state, busy(state), soon("claim", event), { tries: state.tries + 1 });
  }
  const isRefused = state.asked && problem === (ask === "pay" ? "bad-receiver" : state.sender && "not-expired");
  if (!isRefused || state.isLost) return doubt(state, event);
  return go(state, "loading", soon("claim", event, 1), { asked: null, receiver: null, problem });
}

// The vault has described itself. The address of the token is the last of the terms.
function met(state, event) {
  const vault = readVault(event);
  if (!vault) return doubt(state, event);
  if (state.sender) return resume({ ...state, vault }, event);
  const contract = vault.tokens.find((token) => token.symbol === state.terms.symbol)?.address;
  if (!contract) return go(state, "unknown");
  const terms = { ...state.terms, contract };
  const known = { ...state, vault, terms, ledgerId: idOf(terms) };
  // A recorded proof may be for a vault that was here before.
  return known.asked && known.asked.ledgerId !== known.ledgerId ? doubt(known, event) : resume(known, event);
}

// The vault has said how the claim stands.
function told(state, event) {
  const terms = readClaim(state, event.body);
  const { status, now } = event.body ?? {};
  if (!terms || (status === "none" && state.isLocked)) return doubt(state, event);
  if (status === "none") return absent(state, event, "waiting");
  const known = { ...state, terms, now, nowAt: event.at, failures: 0, isLocked: true };
  if (status !== "pending") return go(known, busy(known), soon("receipt", event));
  if (now >= terms.expiry) return watch(known, event, "expired");
  if (!known.asked) return watch(known, event, "offer");
  // The vault had called it expired. It gets the same request again.
  return go(known, busy(known), soon(due(known), event, pause(known.tries)));
}

// With a stream, one question now and then is enough. One is due when the time is up.
function watch(state, event, name) {
  const wait = state.live ? 30 : pace(state.times);
  const left = name === "offer" ? Math.max(1, state.terms.expiry - state.now - (event.at - state.nowAt)) : wait;
  return go(state, name, soon("claim", event, Math.min(wait, left)), { times: state.times + 1 });
}

function ended(state, event, receipt) {
  if (!fits(state, receipt)) return doubt(state, event);
  const { asked } = state;
  const receiver = plain(receipt.receiver, 20);
  // An old payment is no new one: by the vault's word this request made it, or its answer was lost and it is no older.
  // One that a reorganization has moved to an earlier block stays this request's.
  const isNew = event.body.made === "now" || state.isOurs || (state.isLost && asked.now <= receipt.time);
  const isOurs = receiver === asked?.receiver && isNew && !asked.isPaid;
  const isKnown = [asked?.receiver, state.receiver, ...state.own].includes(receiver);
  const name = receipt.status === "refunded" ? "refunded" : isOurs ? "paid" : isKnown ? "alreadyPaid" : "taken";
  return go(state, name, null, { receipt, isOurs: state.isOurs || isOurs });
}

// The path and the body of a request: none for a GET, null for a POST without one.
export function request(state, ask) {
  const claim = `/api/claims/${ask === "draft" ? state.terms.id : state.ledgerId}`;
  switch (ask) {
    case "vault": return ["/api/vault"];
    case "pay": return [claim + "/claim", { receiver: state.asked.receiver, proof: state.asked.proof }];
    // The answer has the receipt of a claim that has ended, and nothing happens to it any more.
    case "receipt": return [claim + "/refund", null];
    default: return [claim];
  }
}

// What the vault says

// Lower-case hex digits of so many bytes; null for anything else.
const plain = (text, count) => {
  const value = bytes(text);
  return value?.length === count ? hex(value) : null;
};
const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
// Seconds since 1970. There is no later Date.
const isTime = (value) => isCount(value) && value <= 8.64e12;
const isSymbol = (value) => typeof value === "string" && /^[A-Z0-9]{1,12}$/.test(value);
const domain = ({ chainId, address }) => ({ chainId, vault: bytes(address) });
const idOf = ({ secretHash, contract, amount, expiry }) =>
  hex(ledgerId({ secretHash: bytes(secretHash), token: bytes(contract), amount, expiry: BigInt(expiry) }));

// The vault's description of itself; null if it is none. bump counts every token in millionths.
function readVault({ body, chain }) {
  const { kind, chainId, faucet, signIn, tokens: said } = body ?? {};
  const [address, receiptKey] = [body?.address, body?.receiptKey].map((it) => plain(it, 20));
  const isKnown = kind ? chain?.isContract(body) : receiptKey === address;
  if (!address || !isKnown || !isCount(chainId) || !Array.isArray(said)) return null;
  const tokens = said.map((token) => ({ ...token, address: plain(token?.address, 20) }));
  const isToken = ({ symbol, address, decimals }) => isSymbol(symbol) && address && decimals === 6;
  if (!tokens.every(isToken) || new Set(tokens.map(({ symbol }) => symbol)).size !== tokens.length) return null;
  return { chainId, address, receiptKey, tokens, faucet, signIn, chain };
}

// The terms in an answer about a claim; null if they are not this claim's. The ledger id follows from all of them.
function readClaim(state, body) {
  const { status, expiry, now } = body ?? {};
  const [secretHash, contract] = [plain(body?.secretHash, 32), plain(body?.token, 20)];
  const amount = parseAmount(body?.amount, 6);
  const symbol = state.vault.tokens.find(({ address }) => address === contract)?.symbol;
  if (!secretHash || !symbol || !amount || !isTime(expiry) || !isTime(now)) return null;
  if (!["none", "pending", "claimed", "refunded"].includes(status)) return null;
  const terms = { ...state.terms, secretHash, contract, symbol, amount, expiry };
  return idOf(terms) === state.ledgerId && plain(body.ledgerId, 32) === state.ledgerId ? terms : null;
}

// Whether a receipt is for this claim, and signed by this vault.
function fits({ vault, terms, ledgerId }, receipt) {
  if (plain(receipt?.ledgerId, 32) !== ledgerId || plain(receipt.token, 20) !== terms.contract) return false;
  if (parseAmount(receipt.amount, 6) !== terms.amount || !isTime(receipt.time)) return false;
  const signer = (vault.chain?.receiptSigner ?? receiptSigner)(receipt, domain(vault));
  return !!signer && hex(signer) === vault.receiptKey;
}

const whole = ({ receipt, vault }) => ({ ...receipt, chainId: vault.chainId, vault: vault.address });

// What this browser keeps: the request, as long as the tab; receipts, where the person says so.

const attempt = (action) => {
  try {
    return action();
  } catch {
    return null;
  }
};
const parse = (text) => attempt(() => JSON.parse(text));
// Storage may be blocked: the link makes the same proof again.
const read = (storage, name) => parse(attempt(() => window[storage].getItem(name)));
const write = (storage, name, value) => attempt(() => window[storage].setItem(name, JSON.stringify(value)));
const keptReceipts = () => {
  const kept = read("localStorage", "bump:receipts");
  return (Array.isArray(kept) ? kept : []).filter((receipt) =>
    plain(receipt?.ledgerId, 32) && plain(receipt.receiver, 20) && isSymbol(receipt.symbol) && isTime(receipt.time) &&
    parseAmount(receipt.amount, 6));
};
const record = ({ terms }, asked) =>
  write("sessionStorage", "bump:asked:" + terms.id, asked && { terms: { ...terms, amount: `${terms.amount}` }, asked });
// The state of a page that may have asked before it was loaded; null for none.
const recorded = (id) => attempt(() => {
  const { terms, asked } = read("sessionStorage", "bump:asked:" + id);
  const isWhole = plain(terms.secretHash, 32) && isTime(terms.expiry) && plain(asked.receiver, 20);
  return isWhole ? { terms: { ...terms, id, amount: BigInt(terms.amount) }, asked, isLost: true } : null;
});

// The driver

let loads = 0;
const $ = (id) => document.getElementById(id);
const clock = () => performance.now() / 1000;

// Sends a request to the vault. Returns the event of its answer.
async function call(path, body, more) {
  try {
    const answer = await fetch(path, {
      method: body === undefined ? "GET" : "POST", cache: "no-store", redirect: "error",
      signal: AbortSignal.timeout?.(15000), ...more,
      ...(body && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
    });
    const retryAfter = Number(answer.headers.get("Retry-After"));
    const isProblem = /^application\/problem\+json\b/.test(answer.headers.get("Content-Type"));
    const said = parse(await answer.text());
    // A browser does not load a script again that did not come.
    const chain = said?.kind === "contract" ? await import("./chain.js?" + loads++) : null;
    return { type: "answer", status: answer.status, retryAfter, isProblem, body: said, chain };
  } catch {
    return { type: "lost" };
  }
}

// The vault describes itself while the link is read.
let introduction;

// Runs a page. `page.tap` returns the request for the money, or null; `page.changed` is called with a new screen.
export function run(first, page = {}) {
  let state = { name: "loading", failures: 0, times: 0, tries: 0, own: [], ...first };
  let planned, sent, timer, stream, silence;

  const dispatch = (event) => {
    const before = state;
    state = next(state, { at: clock(), ...event });
    settle(before);
  };

  function settle(before) {
    if (state.todo !== planned) {
      planned = state.todo;
      clearTimeout(timer);
      const wait = planned?.at - clock();
      if (wait > 0) timer = setTimeout(send, wait * 1000, planned);
      else if (planned) send(planned);
    }
    if (isWatched(state) !== isWatched(before)) listen();
    draw(state);
    // The first date takes long: an offer does not wait for it.
    setTimeout(() => drawTime(state));
    page.draw?.(state);
    if (state.name !== before.name || state.receipt !== before.receipt) page.changed?.(state);
  }

  async function send(todo) {
    sent = todo;
    const answer = (todo.ask === "vault" && introduction) || call(...request(state, todo.ask));
    introduction = null;
    const event = await answer;
    // The page may have gone on to another question.
    if (state.todo === todo) dispatch(event);
  }

  // EventSource hides heartbeats: a stream is believed once an event has come, and questions check it.
  function listen() {
    clearTimeout(silence);
    stream?.close();
    if (!isWatched(state)) return;
    const source = (stream = new EventSource(request(state)[0] + "/events"));
    const quiet = () => {
      source.close();
      silence = setTimeout(listen, 60000);
      dispatch({ type: "quiet" });
    };
    silence = setTimeout(quiet, 10000);
    source.onerror = () => source.readyState === EventSource.CLOSED && stream === source && quiet();
    for (const name of ["none", "submitted", "pending", "expired", "claimed", "refunded", "unsettled"]) {
      source.addEventListener(name, ({ data }) => {
        clearTimeout(silence);
        dispatch({ type: "event", body: parse(data) });
      });
    }
  }

  // A request that is under way is not sent twice.
  const askNow = (type) => sent && sent === state.todo ? null : dispatch({ type });

  function wake() {
    if (document.hidden) return;
    listen();
    askNow("wake");
  }
  document.addEventListener("visibilitychange", wake);
  addEventListener("online", wake);
  addEventListener("pageshow", (event) => event.persisted && wake());
  // The two clocks part where the machine sleeps.
  const drift = () => Date.now() / 1000 - clock();
  let parted = drift();
  setInterval(() => {
    const now = drift();
    if (Math.abs(now - parted) > 5) wake();
    parted = now;
    drawTime(state);
  }, 1000);

  // A double click is one tap: the second one may come to another question.
  $("act").addEventListener("click", (event) => event.detail > 1 && event.preventDefault());
  $("form").addEventListener("submit", (event) => {
    event.preventDefault();
    if (state.name === "insecure") location.protocol = "https:";
    else if (ASKS.includes(state.name)) askNow("again");
    else if (isWatched(state)) {
      const asked = page.tap ? page.tap(state) : {};
      if (asked) dispatch({ type: "tap", asked });
    } else page.act?.(state);
  });
  $("language").addEventListener("click", () => {
    switchLanguage();
    settle(state);
  });

  if (state.name === "loading") state = resume(state, { at: clock() });
  settle({});
  return dispatch;
}

// The screen

let texts = {};
let language;
// Reads the page's texts, and the language in which they are shown.
export function prepare() {
  texts = parse($("texts").textContent);
  const chosen = read("sessionStorage", "bump:language");
  language = texts[chosen] ? chosen : document.documentElement.lang;
}
// Adds texts that are loaded only where they are used.
export async function addTexts(name) {
  const load = async ([language, known]) => {
    const answer = await fetch(new URL(`./${name}.${language}.json`, import.meta.url));
    if (!answer.ok) throw new Error(`no texts: ${answer.status}`);
    Object.assign(known, await answer.json());
  };
  await Promise.all(Object.entries(texts).map(load));
}
const following = () => {
  const all = Object.keys(texts);
  return all[(all.indexOf(language) + 1) % all.length];
};
export function switchLanguage() {
  language = following();
  write("sessionStorage", "bump:language", language);
}
// A text in the person's language. The sender's page has some of its own.
const text = (name) => texts[language][document.body.dataset.page + "." + name] ?? texts[language][name];

const make = (tag, textContent, className = "") =>
  Object.assign(document.createElement(tag), { textContent, className });

// Writes a text into an element, or hides it. A value of it does not change the direction of what is around it.
function put(element, template, values = {}) {
  element.hidden = !template;
  const parts = (template || "").split(/\{(\w+)\}/).map((part, at) => (at % 2 ? make("bdi", values[part]) : part));
  // A live region is not told again what it has.
  if (element.textContent !== parts.map((part) => part.textContent ?? part).join("")) element.replaceChildren(...parts);
}

const moment = (seconds) =>
  new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(seconds * 1000);
const full = (address) => checksummed(bytes(address));

// `23:59:58`, or `2 d 03:04:05`.
function duration(seconds) {
  const days = Math.floor(seconds / 86400);
  return (days ? days + " d " : "") + new Date(seconds * 1000).toISOString().slice(-13, -5);
}

// An amount with its token. From five on, digits are in groups of three.
function money({ amount, symbol }) {
  const [whole, fraction] = formatAmount(amount, 6).split(".");
  return `${whole.length < 5 ? whole : whole.replace(/\B(?=(\d{3})+$)/g, "\u202f")}.${fraction} ${symbol}`;
}

// What is the same in each state.
export function drawTexts() {
  document.documentElement.lang = language;
  document.title = text("title");
  for (const element of document.querySelectorAll("[data-t]")) element.textContent = text(element.dataset.t);
  const other = following();
  Object.assign($("language"), { textContent: texts[other].language, lang: other, hidden: false });
}

const isBusy = (state) => state.name === busy({ ...state, asked: true });

function draw(state) {
  const { name, terms, now, asked, receiver, receipt } = state;
  drawTexts();
  $("main").dataset.state = name;

  const shown = isBusy(state) ? (state.sender ? "expired" : "offer") : state.outcome ?? name;
  const over = text(shown + ".over");
  const value = over ? money(terms) : "";
  const head = $("head");
  put(head, over ? over + " {value}" : text(shown + ".head"), { value });
  head.className = over ? "money" : "";
  head.style.setProperty("--length", value.length);
  const isTo = name === "offer" && receiver;
  const isDoubt = asked && !asked.isPaid && ["offline", "limited"].includes(name);
  const sentence = isDoubt ? "asked" : isTo ? (state.isTyped ? "offer.typed" : "offer.to") : asked && name + ".asked";
  put($("sentence"), text(state.says) ?? text(sentence) ?? text(name), {
    time: receipt && moment(receipt.time), now: receipt && now && moment(now),
  });
  put($("test"), over && state.vault?.faucet && text("test"));

  const act = $("act");
  const hadFocus = document.activeElement?.closest("form");
  $("field").hidden = state.sender || name !== "offer" || !!receiver;
  put($("to"), isTo && text("to"), { receiver: isTo && full(receiver) });
  $("other").hidden = !isTo;
  $("command").hidden = name !== "key";
  put(act, text(ASKS.includes(name) ? "again" : (isOwn(name) ? "paid" : name) + ".act"));
  // Whoever uses a keyboard goes on from where the element was that is gone.
  if (hadFocus && document.activeElement.closest("[hidden]")) (act.hidden ? $("main") : act).focus();
  drawReceipt(state);
}

function drawTime(state) {
  const { name, terms, now, nowAt, failures, todo } = state;
  $("act").ariaDisabled = isBusy(state) || (ASKS.includes(name) && clock() < todo?.from);
  if (name === "offer") {
    // The time is the vault's. The browser's clock measures only what has passed since.
    const left = Math.max(0, Math.ceil(terms.expiry - now - (clock() - nowAt)));
    return put($("timer"), text("until"), { left: duration(left), time: moment(terms.expiry) });
  }
  const seconds = todo && Math.ceil(todo.at - clock());
  const isNext = (ASKS.includes(name) || (name === "included" && failures)) && seconds > 0;
  put($("timer"), isNext && text("next"), { seconds });
}

function drawReceipt({ receipt, terms, vault }) {
  $("receipt").hidden = !receipt;
  if (!receipt) return;
  const rows = {
    amount: money(terms), to: receipt.receiver && full(receipt.receiver), time: moment(receipt.time),
    transaction: plain(receipt.txHash, 32), ...vault.chain?.rows(receipt, text), vault: location.host,
  };
  const items = Object.entries(rows).filter(([, value]) => value).flatMap(([name, value]) => {
    const description = make("dd", "");
    description.append(make("bdi", value, value.startsWith("0x") ? "code" : ""));
    return [make("dt", text("receipt." + name)), description];
  });
  $("receipt").replaceChildren(...items);
}

// The sender's page: how a claim stands, and its amount back once it has expired. It has no secret: the ledger id in its
// address follows from the claim's terms, which the vault names.

function beginSent() {
  const [, ledgerId] = location.pathname.match(/^\/sent\/(0x[0-9a-fA-F]{64})$/) ?? [];
  const name = !isSecureContext ? "insecure" : ledgerId ? "loading" : "garbled";
  run({ sender: true, name, ledgerId: ledgerId?.toLowerCase() });
}

// The receiver's page

async function begin() {
  // Another link in this tab is another claim.
  addEventListener("hashchange", () => location.reload());
  if (!isSecureContext) return show({ name: "insecure" });
  const before = recorded(location.pathname.split("/").pop());
  const link = await parseLink(location.pathname, location.hash, location.origin);
  // Once it is paid, the secret is gone. The record knows the rest.
  if (link.error) return show((link.error === "fragment" && before) || { name: link.error });
  const { id, token: symbol, amount, expiry } = link;
  const key = await claimKey(link.secret, id);
  const terms = { id, symbol, amount, expiry: Number(expiry), secretHash: hex(secretHash(key)) };
  show({ ...(before?.terms.secretHash === terms.secretHash ? before : null), terms }, key);
}

function drawKept(state) {
  const { name, receipt } = state;
  const kept = keptReceipts();
  const others = kept.filter((other) => other.ledgerId !== receipt?.ledgerId);
  const keep = (receipts) => {
    write("localStorage", "bump:receipts", receipts.slice(0, 20));
    drawKept(state);
  };
  $("keep").hidden = !isOwn(name);
  $("keeper").checked = others.length < kept.length;
  $("keeper").onchange = ({ target }) =>
    keep(target.checked ? [{ ...whole(state), symbol: state.terms.symbol }, ...others] : others);
  $("forget").onclick = () => {
    keep([]);
    $("main").focus();
  };
  $("kept").hidden = !kept.length;
  put($("count"), text("kept"), { count: kept.length });
  $("list").replaceChildren(...kept.map(({ amount, symbol, time, receiver }) => {
    const item = make("li", `${money({ amount: parseAmount(amount, 6), symbol })}, ${moment(time)}`);
    item.append(make("bdi", full(receiver), "code"));
    return item;
  }));
}

function show(first, key) {
  const input = $("address");
  let [mistake, told] = [null, null];
  const address = (text) => {
    const value = parseAddress(text).address;
    return value ? hex(value) : null;
  };

  // Returns the typed address; or null, and `mistake` is what is wrong with it.
  function typed({ vault, terms }) {
    const value = input.value.trim();
    const receiver = address(value);
    const { error, at } = parseAddress(value);
    const others = ["0x" + "0".repeat(40), vault.address, terms.contract];
    if (others.includes(receiver)) refuse("receiver");
    else if (receiver) {
      if (full(receiver) === value) return receiver;
      // It has no checksum: the next tap is for what is shown now.
      dispatch({ type: "receiver", receiver, isTyped: true });
    }
    else if (error === "checksum") refuse(at === null ? "checksum" : "place", at);
    else if (at < value.length && at < 42) refuse("form", at);
    else refuse(value ? "length" : "empty");
    return null;
  }

  function refuse(name, at = null) {
    mistake = { name, at, value: input.value.trim() };
    drawField();
    input.focus();
  }

  // Says what is wrong with the address, and marks the character.
  function drawField() {
    const { name, at, value } = mistake ?? {};
    put($("problem"), name && text("problem." + name), { count: value?.length, place: at + 1 });
    if (name && at !== null) {
      const shown = make("bdi", "", "code");
      shown.append(value.slice(0, at), make("mark", value[at]), value.slice(at + 1));
      $("problem").append(" ", shown);
    }
    input.ariaInvalid = !!mistake;
  }

  const own = keptReceipts().map(({ receiver }) => plain(receiver, 20));
  const dispatch = run({ receiver: address(window.bump?.receiver), own, ...first }, {
    tap(state) {
      const receiver = state.name === "offer" && (state.receiver ?? typed(state));
      if (!receiver) return null;
      const { ledgerId, now } = state;
      const signed = hex(proof(key, domain(state.vault), bytes(ledgerId), bytes(receiver)));
      const asked = { receiver, proof: signed, ledgerId, now };
      // Recorded before it is sent: after a reload the very same request is sent again.
      record(state, asked);
      return asked;
    },
    act(state) {
      if (!isOwn(state.name)) return;
      const copy = JSON.stringify(whole(state));
      navigator.clipboard.writeText(copy).then(() => put($("act"), text("copied")), () => {});
    },
    draw(state) {
      drawField();
      drawKept(state);
    },
    changed(state) {
      const { name, receipt, asked, problem, vault } = state;
      if (name === "offer" && vault.signIn) import("./sign-in.js").then((it) => it.offer(vault));
      // Before anybody hears of the payment: after a reload it is an old one. The secret is worth nothing any more.
      if (asked && isOwn(name)) {
        record(state, { ...asked, isPaid: true });
        key = null;
        history.replaceState(null, "", location.pathname);
      }
      const message = { v: 1, status: name };
      if (receipt) message.txHash = plain(receipt.txHash, 32);
      if (receipt?.receiver) message.address = full(receipt.receiver);
      const words = JSON.stringify(message);
      if (words !== told) {
        told = words;
        attempt(() => window.webkit.messageHandlers.bump.postMessage(message));
        dispatchEvent(new CustomEvent("bump", { detail: message }));
      }
      if (problem) {
        record(state, null);
        refuse("receiver");
      }
    },
  });

  addEventListener("storage", () => dispatch({}));
  addEventListener("bump:receiver", ({ detail }) => {
    const receiver = address(detail);
    if (receiver) dispatch({ type: "receiver", receiver });
  });
  $("other").addEventListener("click", () => {
    dispatch({ type: "receiver", receiver: null });
    input.focus();
  });
  input.addEventListener("input", () => {
    mistake = null;
    drawField();
  });
}

export {
  $, attempt, busy, call, due, ended, full, go, isWatched, later, make, moment, money, open, pace, pause, plain, put,
  read, readClaim, soon, text, told, write,
};

const start = { claim: begin, sent: beginSent }[globalThis.document?.body.dataset.page];
if (start) {
  prepare();
  introduction = call("/api/vault");
  start();
}
