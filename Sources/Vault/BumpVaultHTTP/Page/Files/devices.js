// What unlocks a wallet on this device: a passkey that gives a secret (WebAuthn's prf), or a key in this browser's
// database that no script can read. The vault need not check the passkey: it only unlocks.

import { base64url } from "./statements.js";
import { passkeySalt } from "./seal.js";

const draw = (count) => crypto.getRandomValues(new Uint8Array(count));
const prf = { prf: { eval: { first: passkeySalt } } };
const listed = (ids) => ids.map((id) => ({ type: "public-key", id }));

/** Whether this browser may have passkeys that give a secret. What it does not say may be. */
export async function canHavePasskeys() {
  if (!globalThis.PublicKeyCredential) return false;
  const can = await PublicKeyCredential.getClientCapabilities?.().catch(() => null);
  return can?.["extension:prf"] !== false;
}

/** Whether an authenticator says that it knows its owner (WebAuthn §6.1, flag UV). */
const isVerified = (data) => (new Uint8Array(data)[32] & 4) !== 0;

/**
 * Asks for a passkey. Returns {credential, secret}; null if there is none, if the person does not want to, or if it
 * gives no secret.
 *
 * @param ids the ids of passkeys, one of which it must be; none for any of this vault's.
 */
export async function usePasskey(ids = []) {
  try {
    const got = await navigator.credentials.get({
      publicKey: {
        challenge: draw(32), allowCredentials: listed(ids), userVerification: "required", extensions: prf,
      },
    });
    const secret = got.getClientExtensionResults().prf?.results?.first;
    if (!secret || !isVerified(got.response.authenticatorData)) return null;
    return { credential: new Uint8Array(got.rawId), secret: new Uint8Array(secret) };
  } catch {
    return null;
  }
}

/** Makes a passkey. Returns what `usePasskey` does; `others` are those that its device must not have already. */
export async function makePasskey(name, others = []) {
  let made;
  try {
    made = await navigator.credentials.create({
      publicKey: {
        challenge: draw(32), rp: { name: location.host }, user: { id: draw(32), name, displayName: name },
        pubKeyCredParams: [-7, -257].map((alg) => ({ type: "public-key", alg })), excludeCredentials: listed(others),
        authenticatorSelection: { residentKey: "required", userVerification: "required" }, extensions: prf,
      },
    });
  } catch {
    return null;
  }
  const credential = new Uint8Array(made.rawId);
  const result = made.getClientExtensionResults().prf;
  if (result?.enabled && isVerified(made.response.getAuthenticatorData())) {
    // Some give the secret only when they are asked for it.
    const secret = result.results?.first;
    const used = secret ? { credential, secret: new Uint8Array(secret) } : await usePasskey([credential]);
    if (used) return used;
  }
  // It opens nothing: nobody shall be offered it.
  const unknown = { rpId: location.hostname, credentialId: base64url(credential) };
  await PublicKeyCredential.signalUnknownCredential?.(unknown).catch(() => null);
  return null;
}

// The database has one record: {account, credential, key}.

const request = (it) =>
  new Promise((resolve, reject) => {
    it.onsuccess = () => resolve(it.result);
    it.onerror = () => reject(it.error);
  });

async function store(mode, action) {
  const opening = indexedDB.open("bump", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("device");
  const database = await request(opening);
  try {
    const transaction = database.transaction("device", mode, { durability: "strict" });
    const result = await request(action(transaction.objectStore("device")));
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = transaction.onerror = () => reject(transaction.error);
      transaction.commit?.();
    });
    return result;
  } finally {
    database.close();
  }
}

/** Keeps the key of this device. It is on the disk when this returns. Returns whether it was possible. */
export async function keepDevice(record) {
  try {
    await store("readwrite", (it) => it.put(record, "own"));
    await navigator.storage?.persist?.();
    return true;
  } catch {
    return false;
  }
}

/** The key of this device for an account; null for none. */
export async function ownDevice(account) {
  const record = await store("readonly", (it) => it.get("own")).catch(() => null);
  return record?.account === account ? record : null;
}

export const forgetDevice = () => store("readwrite", (it) => it.delete("own")).catch(() => null);

export const drawCredential = () => draw(32);

/** A name by which a person knows this browser among theirs. */
export function deviceName() {
  const agent = navigator.userAgent;
  const find = (names) => names.find(([word]) => agent.includes(word))?.[1];
  const browser = find([["Edg", "Edge"], ["Firefox", "Firefox"], ["FxiOS", "Firefox"], ["Chrom", "Chrome"],
    ["CriOS", "Chrome"], ["Safari", "Safari"]]);
  const system = find([["Android", "Android"], ["iPhone", "iPhone"], ["iPad", "iPad"], ["Mac", "Mac"],
    ["Windows", "Windows"], ["Linux", "Linux"]]);
  return [browser, system].filter(Boolean).join(", ") || "browser";
}
