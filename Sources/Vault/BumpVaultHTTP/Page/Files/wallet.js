// The page of a wallet: what is in it, what came and went, and all that its owner may do. The key is in a variable as
// long as the page is open.

import { ask, read, readVault, removeDevice } from "./account.js";
import {
  $, drawTexts, full, make, money, moment, plain, prepare, put, switchLanguage, text,
} from "./claim.js";
import { hex, parseAmount } from "./keys.js";
import {
  addressOf, addThisDevice, codeBlock, enter, exported, isAsked, known, Left, makeRecovery, ok, openByPasskey, pinned,
  signedIn, strange, unpin,
} from "./opening.js";
import { canHavePasskeys, forgetDevice, ownDevice } from "./devices.js";
import { close, prepareWords, step } from "./panel.js";
import { again, sendOn, sent } from "./send.js";

let [vault, wallet, balances, entries, isStale] = [null, null, [], [], false];

const state = (name) => {
  $("main").dataset.state = name;
  draw();
};

/** Reads what is in the wallet. What the vault says stands until it says something else. */
async function refresh() {
  const [account, history] = [await read(wallet), await read(wallet, "/history?limit=20")];
  isStale = !!(account.problem || history.problem);
  const had = balances.length;
  if (!isStale) {
    const token = (address) => vault.tokens.find((each) => each.address === plain(address, 20));
    const list = (rows) => (Array.isArray(rows) ? rows : [])
      .map((row) => ({ ...row, token: token(row?.token), amount: parseAmount(row?.amount, 6) }))
      .filter(({ token, amount }) => token && amount);
    balances = list(account.body?.balances);
    const isTime = (time) => Number.isSafeInteger(time) && time >= 0 && time < 8.64e12;
    entries = list(history.body?.entries).filter(({ time }) => isTime(time));
  }
  draw();
  if (!had !== !balances.length) interrupt(() => null);
}

const shown = ({ amount, token }) => money({ amount, symbol: token.symbol });

function draw() {
  const { state: name } = $("main").dataset;
  drawTexts();
  const isOpen = name === "open";
  const [first, ...more] = balances;
  const head = $("head");
  put(head, isOpen && first ? text("have") + " {value}" : text(isOpen ? "empty.head" : name + ".head"), {
    value: first && shown(first),
  });
  head.className = isOpen && first ? "money" : "";
  head.style.setProperty("--length", first ? shown(first).length : 1);
  put($("sentence"), text(isOpen ? (isStale ? "stale" : first ? "open" : "empty") : name));
  put($("test"), isOpen && vault.faucet && text("test"));
  $("own").hidden = !isOpen;
  if (isOpen) put($("own"), "{address}", { address: full(addressOf(wallet)) });
  $("others").replaceChildren(...(isOpen ? more : []).map((each) => make("li", shown(each))));
  drawLists(isOpen);
}

function drawLists(isOpen) {
  $("history").hidden = !isOpen || !entries.length;
  $("entries").replaceChildren(...(isOpen ? entries : []).map((entry) => {
    const item = make("li", `${text("entry." + entry.kind) ?? ""} ${shown(entry)}, ${moment(entry.time)}`);
    item.dataset.kind = entry.kind;
    return item;
  }));
  const records = isOpen ? sent(wallet) : [];
  $("sent").hidden = !records.length;
  $("links").replaceChildren(...records.map((record) => {
    const item = make("li", "");
    const value = money({ ...record, amount: parseAmount(record.amount, 6) });
    const button = make("button", `${value}, ${moment(record.expiry)}`, "quiet");
    button.addEventListener("click", () => interrupt(() => again(wallet, vault, record)));
    item.append(button);
    return item;
  }));
}

// What the owner may do

async function devices() {
  const view = await mine();
  for (let current = view; ; ) {
    const list = make("ul", "", "devices");
    const chosen = new Promise((resolve) => {
      for (const device of current.devices) {
        const isHere = device.id === current.device || hex(device.credential) === hex(wallet.credential);
        const item = make("li", "");
        const about = make("p", "");
        about.append(make("bdi", device.name), isHere ? ` (${text("device.here")})` : "");
        const button = Object.assign(make("button", text("act.remove"), "quiet"), { type: "button" });
        button.onclick = () => resolve({ device, isHere });
        button.ariaLabel = `${text("act.remove")}: ${device.name}`;
        item.append(about, make("p", `${text("device.used")} ${moment(device.used)}`, "sentence"), button);
        list.append(item);
      }
      const actions = [...(current.devices.length < 5 ? ["addDevice"] : []), "back"];
      step("devices", { content: list, actions, values: { count: current.devices.length } }).then(resolve);
    });
    const { action, device, isHere } = await chosen;
    if (action === "back") return;
    if (action === "addDevice") {
      const hasPasskeys = await canHavePasskeys();
      await addThisDevice(wallet, current, hasPasskeys);
    } else {
      const isLast = current.devices.length === 1 && !current.recovery;
      const sure = isLast ? "remove.last" : isHere ? "remove.here" : "remove.sure";
      const answer = await step(sure, { actions: ["keep", "remove"], values: { name: device.name } });
      if (answer.action === "keep") continue;
      const { problem } = await known(() => removeDevice(wallet, device.id));
      if (problem && problem !== "unknown-device") await strange("refused");
      const own = await ownDevice(wallet.account);
      if (own && isHere) await forgetDevice();
      if (isHere) return leave();
    }
    current = await mine();
  }
}

/** The account of the open wallet, whose owner has to be signed in. */
const mine = async () => (await signedIn(vault, wallet)) ?? strange("otherAccount");

function leave() {
  unpin();
  wallet = null;
  [balances, entries] = [[], []];
}

const deeds = {
  sendOn: () => sendOn(wallet, vault, balances),
  devices,
  recoveryCode: async () => {
    await mine();
    await makeRecovery(wallet);
  },
  export: async () => {
    await ok(step("export", { actions: ["show", "back"] }));
    await step("export.code", { content: codeBlock(await exported(wallet)), actions: ["done"] });
  },
  signOut: async () => {
    const { action } = await ok(step("signOut", { actions: ["signOutHere", "signOutEverywhere", "back"] }));
    const { problem } = await known(() =>
      ask("/api/sign-out", action === "signOutEverywhere" ? { everywhere: true } : {}));
    if (problem && problem !== "not-signed-in") await strange("refused");
    leave();
  },
};

// The person may choose a link below while a step is shown.
let interrupted = null;
const interrupt = (deed) => interrupted?.(deed);

async function home() {
  const actions = [...(balances.length ? ["sendOn"] : []), "devices", "recoveryCode", "export", "signOut"];
  const chosen = step("home", { actions }).then(({ action }) => deeds[action]);
  const deed = await Promise.race([chosen, new Promise((resolve) => (interrupted = resolve))]);
  interrupted = null;
  await deed();
}

async function closed() {
  state("closed");
  if (isAsked()) return enter(vault, "make");
  const actions = [...(pinned() && (await canHavePasskeys()) ? ["openPasskey", "signIn"] : ["signIn", "openPasskey"])];
  const { action } = await step("ways", { actions: (await canHavePasskeys()) ? actions : ["signIn"] });
  return action === "signIn" ? enter(vault, "make") : openByPasskey(vault);
}

async function meet() {
  for (;;) {
    const { problem, body } = await known(() => ask("/api/vault"));
    vault = problem ? null : readVault(body);
    if (vault) return vault.signIn;
    await step("stranger", { actions: ["again"] });
  }
}

async function begin() {
  prepare();
  $("language").addEventListener("click", () => {
    switchLanguage();
    draw();
  });
  await prepareWords();
  draw();
  if (!isSecureContext) return state("insecure");
  for (;;) {
    try {
      if (!(await meet())) return state("off");
      break;
    } catch (error) {
      if (!(error instanceof Left)) throw error;
    }
  }
  addEventListener("visibilitychange", () => wallet && !document.hidden && refresh());
  setInterval(() => wallet && !document.hidden && $("main").dataset.step === "home" && refresh(), 15_000);
  for (;;) {
    try {
      if (!wallet) {
        wallet = await closed();
        close();
        continue;
      }
      await refresh();
      state("open");
      await home();
    } catch (error) {
      if (!(error instanceof Left)) throw error;
    }
  }
}

begin();
