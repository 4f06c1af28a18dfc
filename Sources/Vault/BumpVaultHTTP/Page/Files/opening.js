// From a person to their open wallet: the code, and then the key, which is made here or opened here.
//
// An open wallet is {key, account, domain, credential}. Its address is that of its key. What the vault says of a wallet
// is believed as far as this browser's key, passkey or recovery code opens what the vault keeps: the account's id and
// the address are sealed in it.

import { addDevice, ask, find, readAccount, removeDevice, session, setRecovery, useDevice } from "./account.js";
import { attempt, full, make, moment, read, text, write } from "./claim.js";
import {
  canHavePasskeys, deviceName, drawCredential, forgetDevice, keepDevice, makePasskey, ownDevice, usePasskey,
} from "./devices.js";
import { addressOf as addressBytes, bytes, hex } from "./keys.js";
import { busy, step } from "./panel.js";
import { deviceKey, drawKey, keyBytes, keyOf, readCode, unwrap, wrap, wrapKey, writeCode } from "./seal.js";

/** The person has gone back. */
export class Left extends Error {}
const leave = () => {
  throw new Left();
};

export const addressOf = ({ key }) => hex(addressBytes(key));

// The wallet that was opened in this browser: {account, address}. No other is paid in one tap.
export const pinned = () => read("localStorage", "bump:wallet");
export const pin = (wallet) =>
  write("localStorage", "bump:wallet", { account: wallet.account, address: addressOf(wallet) });
export const unpin = () => attempt(() => localStorage.removeItem("bump:wallet"));

/** Sends until it is known what the vault did. Each of these requests may be sent again. */
export async function known(send) {
  for (;;) {
    busy("wait");
    const outcome = await send();
    if (outcome.problem === "too-many-requests") await ok(step("slow", { actions: ["again", "back"] }));
    else if (outcome.problem === "lost") await ok(step("silent", { actions: ["again", "back"] }));
    else return outcome;
  }
}

/** What a person answers, unless they go back. */
export async function ok(asked) {
  const answer = await asked;
  return answer.action === "back" ? leave() : answer;
}

// Signing in

// That a code was sent outlives the page: a phone may drop it while its owner reads the mail.
const sentAt = () => {
  const sent = read("sessionStorage", "bump:code");
  return sent && Date.now() - sent.at < 600_000 && Date.now() >= sent.at ? sent : null;
};
/** Whether a code was sent to this tab lately. */
export const isAsked = () => !!sentAt();

async function askAddress(kinds) {
  let [kind, mistake] = [kinds.mail ? "mail" : "phone", undefined];
  for (let value = ""; ; ) {
    const other = kinds.mail && kinds.phone ? [kind === "mail" ? "phone" : "mail"] : [];
    const name = kinds[kind] === "maildir" ? kind + ".operator" : kind;
    const answer = await ok(step(name, { field: kind, value, mistake, actions: ["send", ...other, "back"] }));
    if (answer.action !== "send") {
      [kind, value, mistake] = [answer.action, "", undefined];
      continue;
    }
    value = answer.value;
    const body = kind === "mail" ? { email: value } : { phone: value };
    const { problem } = value ? await known(() => ask("/api/sign-in", body)) : { problem: "bad-field" };
    if (!problem) return write("sessionStorage", "bump:code", { at: Date.now() });
    mistake = problem === "bad-field" ? kind : "refused";
  }
}

async function signIn(kinds) {
  for (;;) {
    if (!sentAt()) await askAddress(kinds);
    for (let [mistake, count] = []; ; ) {
      const asked = step("code", {
        field: "code", auto: /^\d{3}[ -]?\d{3}$/, mistake, count, actions: ["enter", "anew", "back"],
      });
      const { action, value } = await ok(asked);
      if (action === "anew") break;
      const { problem, body } = await known(() => ask("/api/sign-in/code", { code: value }));
      const view = problem ? null : readAccount(body);
      if (view) {
        write("sessionStorage", "bump:code", null);
        return view;
      }
      [mistake, count] = [problem === "wrong-code" ? "code" : "refused", body?.triesLeft];
      // The answer may have been lost with which this browser was signed in.
      const { view: there } = problem === "no-code-requested" ? await session() : {};
      if (there) return there;
      if (problem === "no-code-requested" || count === 0) {
        await ok(step("code.over", { actions: ["anew", "back"] }));
        break;
      }
    }
    write("sessionStorage", "bump:code", null);
  }
}

// The wallet

const opened = (vault, account, key, credential) =>
  ({ key, account, credential, domain: { chainId: vault.chainId, vault: bytes(vault.address) } });

/** A wallet that its owner can open again: nothing is paid to another one. */
async function ready(wallet, needsRecovery) {
  // A key in the browser alone is lost with it.
  if (needsRecovery) await makeRecovery(wallet);
  pin(wallet);
  return wallet;
}

async function signedInAnybody(vault) {
  const { view } = await known(async () => {
    const outcome = await session();
    return outcome.problem === "lost" ? outcome : { view: outcome.view };
  });
  return view ?? signIn(vault.signIn);
}

/** The account of a wallet that is open. Its owner signs in where nobody is; null where another one is signed in. */
export async function signedIn(vault, wallet) {
  const found = await signedInAnybody(vault);
  return found.account === wallet.account ? found : null;
}

/** Says that the vault's word does not fit to what this browser knows. Nothing is paid to such a wallet. */
export const strange = (name = "strange") => step(name, { actions: ["back"] }).then(leave);

/** Opens the wallet of who is signed in, or makes one. `purpose` names the sentence with which one is made. */
export async function enter(vault, purpose) {
  const account = await signedInAnybody(vault);
  const before = pinned();
  if (before?.account === account.account && before.address !== account.wallet) {
    // Its last device was removed, or the vault does not tell the truth.
    await ok(step("changed", { actions: ["goOn", "back"], values: { address: full(before.address) } }));
    unpin();
  }
  return account.wallet ? openWallet(vault, account) : makeWallet(vault, account, purpose);
}

async function makeWallet(vault, view, purpose) {
  const mayHave = await canHavePasskeys();
  const name = purpose + (mayHave ? "" : ".plain");
  const actions = [purpose, ...(mayHave ? ["noPasskey"] : []), "haveCode", "back"];
  const { action } = await ok(step(name, { actions }));
  const key = action === "haveCode" ? await longCode() : drawKey();
  const wallet = opened(vault, view.account, key);
  const { credential, isPasskey } = await addThisDevice(wallet, view, action !== "noPasskey" && mayHave);
  return { ...(await ready({ ...wallet, credential }, !isPasskey)), isMade: true };
}

/** Adds this device to those that open the wallet. Returns {credential, isPasskey}. */
export async function addThisDevice(wallet, view, wantsPasskey) {
  const address = addressOf(wallet);
  const name = deviceName();
  let device = null;
  while (wantsPasskey && !device) {
    busy("passkey.wait");
    const label = `${text("passkey.name")} ${full(address).slice(0, 8)}`;
    const used = await makePasskey(label, view.devices.map(({ credential }) => credential));
    if (used) {
      const wrapped = await wrap(wallet.key, await wrapKey(used.secret), wallet.account);
      device = { credential: used.credential, name, wrapped, isPasskey: true };
    } else {
      // A browser has one key of its own.
      const plain = (await ownDevice(wallet.account)) ? [] : ["noPasskey"];
      const { action } = await ok(step("passkey.none", { actions: ["again", ...plain, "back"] }));
      if (action === "noPasskey") break;
    }
  }
  if (!device) {
    const own = await deviceKey();
    const credential = drawCredential();
    const wrapped = await wrap(wallet.key, own, wallet.account);
    // It is kept before the vault has what only it opens.
    if (!(await keepDevice({ account: wallet.account, credential, key: own }))) await strange("noStorage");
    device = { credential, name, wrapped, isPasskey: false };
  }
  let devices = view.devices;
  for (;;) {
    const { problem } = await known(() => addDevice(wallet, device));
    if (!problem) return device;
    if (problem !== "too-many-devices") await strange("refused");
    devices = await makeRoom(wallet, devices);
  }
}

/** The sixth device takes the place of one that the person chooses. Returns the devices that are left. */
async function makeRoom(wallet, devices) {
  const list = make("div", "", "choices");
  const chosen = await new Promise((resolve, reject) => {
    for (const device of devices) {
      const button = make("button", "", "quiet");
      button.type = "button";
      button.append(make("bdi", device.name), ` · ${moment(device.used)}`);
      button.onclick = () => resolve(device);
      list.append(button);
    }
    step("tooMany", { content: list, actions: ["back"] }).then(() => reject(new Left()));
  });
  const { problem, view } = await known(() => removeDevice(wallet, chosen.id));
  if (problem && problem !== "unknown-device") await strange("refused");
  return view?.devices ?? devices.filter(({ id }) => id !== chosen.id);
}

async function openWallet(vault, view) {
  const { account, wallet: address } = view;
  const own = await ownDevice(account);
  const ownEntry = own && view.devices.find(({ credential }) => hex(credential) === hex(own.credential));
  // It was removed from the account.
  if (own && !ownEntry) await forgetDevice();
  let [key, credential, isPasskey] = [null, null, !ownEntry];
  if (ownEntry) {
    key = await unwrap(ownEntry.wrapped, own.key, account, address);
    if (!key) await strange();
    credential = own.credential;
  }
  while (!key) {
    const actions = [...((await canHavePasskeys()) ? ["passkey"] : []), "haveCode", "back"];
    const { action } = await ok(step("locked", { actions }));
    if (action === "haveCode") {
      key = await recover(view);
      break;
    }
    busy("passkey.wait");
    const used = await usePasskey(view.devices.map((device) => device.credential));
    const entry = used && view.devices.find((device) => hex(device.credential) === hex(used.credential));
    if (!entry) continue;
    key = await unwrap(entry.wrapped, await wrapKey(used.secret), account, address);
    if (!key) await strange();
    credential = used.credential;
  }
  const wallet = opened(vault, account, key, credential);
  if (credential) {
    const entry = view.devices.find((device) => hex(device.credential) === hex(credential));
    // That it was used is for the list of devices alone.
    await useDevice(wallet, entry.id);
  } else {
    const wantsPasskey = (await canHavePasskeys()) &&
      (await ok(step("newDevice", { actions: ["withPasskey", "noPasskey", "back"] }))).action === "withPasskey";
    ({ credential, isPasskey } = await addThisDevice(wallet, view, wantsPasskey));
  }
  return ready({ ...wallet, credential }, !isPasskey && !view.recovery);
}

/** Opens the wallet of a passkey. Nobody needs to be signed in. */
export async function openByPasskey(vault) {
  busy("passkey.wait");
  const used = await usePasskey();
  if (!used) await strange("passkey.missing");
  const { problem, found } = await known(() => find(used.credential));
  if (problem) await strange("passkey.missing");
  const key = await unwrap(found.wrapped, await wrapKey(used.secret), found.account, found.wallet);
  if (!key) await strange();
  return ready(opened(vault, found.account, key, used.credential), false);
}

// Recovery codes

/** The key by a recovery code that the person types. */
async function recover(view) {
  for (let [mistake, value] = [undefined, ""]; ; ) {
    ({ value } = await ok(step("recover", { field: "recovery", value, mistake, actions: ["open", "back"] })));
    const data = await readCode(value);
    if (!data) mistake = "recovery";
    else if (data.length === 32) {
      const key = keyOf(data);
      if (key && hex(addressBytes(key)) === view.wallet) return key;
      mistake = "otherWallet";
    } else {
      const key = view.recovery && (await unwrap(view.recovery, await wrapKey(data), view.account, view.wallet));
      if (key) return key;
      mistake = "otherCode";
    }
  }
}

/** The key that a long recovery code is. */
async function longCode() {
  for (let [mistake, value] = [undefined, ""]; ; ) {
    ({ value } = await ok(step("bring", { field: "recovery", value, mistake, actions: ["open", "back"] })));
    const data = await readCode(value);
    const key = data?.length === 32 ? keyOf(data) : null;
    if (key) return key;
    mistake = data ? "shortCode" : "recovery";
  }
}

/** A code as a person copies it: groups, which may stand on several lines. */
export function codeBlock(code) {
  const block = make("p", "", "secret code");
  code.split("-").forEach((group, at) => block.append(at ? "-" : "", make("span", group)));
  return block;
}

/** Makes a recovery code, has the person confirm it, and then keeps the key that is wrapped under it. */
export async function makeRecovery(wallet) {
  const data = crypto.getRandomValues(new Uint8Array(16));
  const code = await writeCode(data);
  const isTyped = async (value) => {
    const typed = await readCode(value);
    return !!typed && hex(typed) === hex(data);
  };
  for (let [isShown, mistake] = [true]; ; ) {
    if (isShown) await ok(step("recovery", { content: codeBlock(code), actions: ["written", "back"] }));
    const asked = step("recovery.confirm", { field: "recovery", mistake, actions: ["confirm", "look"] });
    const { action, value } = await asked;
    isShown = action === "look";
    mistake = isShown ? undefined : "confirm";
    if (!isShown && (await isTyped(value))) break;
  }
  const wrapped = await wrap(wallet.key, await wrapKey(data), wallet.account);
  const { problem } = await known(() => setRecovery(wallet, wrapped));
  if (problem) await strange("refused");
}

/** The long code: the key itself. */
export const exported = (wallet) => writeCode(keyBytes(wallet.key));
