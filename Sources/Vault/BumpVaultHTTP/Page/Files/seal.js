// A wallet's key: how it is drawn, wrapped so that its owner alone can open it, and written down. No DOM, no requests.
//
// A wrapped key is a nonce of 12 bytes and what AES-256-GCM makes of the key's 32 bytes: 60 bytes. Its associated data
// are the account's id and the wallet's address, so that it opens as what it is or not at all.

import { addressOf, bytes, hex } from "./keys.js";

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
export const utf8 = (text) => new TextEncoder().encode(text);
export const join = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));

export const keyBytes = (key) => bytes("0x" + key.toString(16).padStart(64, "0"));
/** The key of 32 bytes; null for what is none. */
export function keyOf(data) {
  const key = data?.length === 32 ? BigInt(hex(data)) : 0n;
  return key && key < order ? key : null;
}

/** Draws a key. One in 2¹²⁷ drawings is no key, and is made again. */
export function drawKey(random = crypto) {
  for (;;) {
    const key = keyOf(random.getRandomValues(new Uint8Array(32)));
    if (key) return key;
  }
}

/** What a passkey computes its secret of (WebAuthn §10.1.4, prf). */
export const passkeySalt = utf8("bump/1 wallet key");

/** The key that wraps, of a secret: a passkey's output, or the bytes of a recovery code. */
export async function wrapKey(secret) {
  const raw = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveKey"]);
  const step = { name: "HKDF", hash: "SHA-256", salt: passkeySalt, info: new Uint8Array() };
  return crypto.subtle.deriveKey(step, raw, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}

/** A device's own key, which no script can read. */
export const deviceKey = () =>
  crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);

const lock = (iv, account, address) =>
  ({ name: "AES-GCM", iv, additionalData: join(bytes(account), bytes(address)), tagLength: 128 });

/** Wraps a key for an account, whose id is 32 bytes in hex digits. */
export async function wrap(key, wrapping, account, random = crypto) {
  const nonce = random.getRandomValues(new Uint8Array(12));
  const step = lock(nonce, account, hex(addressOf(key)));
  return join(nonce, new Uint8Array(await crypto.subtle.encrypt(step, wrapping, keyBytes(key))));
}

/** The wrapped key; null if it is not this wallet's, of this account, under this key. */
export async function unwrap(wrapped, wrapping, account, address) {
  if (wrapped?.length !== 60) return null;
  try {
    const step = lock(wrapped.slice(0, 12), account, address);
    const key = keyOf(new Uint8Array(await crypto.subtle.decrypt(step, wrapping, wrapped.slice(12))));
    return key && hex(addressOf(key)) === address.toLowerCase() ? key : null;
  } catch {
    return null;
  }
}

// Recovery codes: letters and digits that are not mistaken for each other (Crockford's base 32), in groups of four.
// The short one is 16 bytes, which open the key that the vault keeps; the long one is the key's 32 bytes. A checksum
// follows, so that both end with a group: the first 12 bits of SHA-256, or the first 24 and no bits more.

const letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const sizes = { 16: 12, 32: 24 };

async function checksum(data) {
  const digest = await crypto.subtle.digest("SHA-256", join(utf8("bump/1 recovery code"), data));
  return BigInt(hex(new Uint8Array(digest).slice(0, 4))) >> BigInt(32 - sizes[data.length]);
}

/** The code of 16 or 32 bytes. */
export async function writeCode(data) {
  const value = (BigInt(hex(data)) << BigInt(sizes[data.length])) | (await checksum(data));
  const count = (8 * data.length + sizes[data.length]) / 5;
  const text = Array.from({ length: count }, (_, at) => letters[(value >> BigInt(5 * (count - 1 - at))) & 31n]);
  return text.join("").match(/.{4}/g).join("-");
}

/** The bytes of a code as a person types it; null for one with a mistake in it. */
export async function readCode(text) {
  const plain = text.toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
  const count = { 28: 16, 56: 32 }[plain.length];
  if (!count || [...plain].some((letter) => !letters.includes(letter))) return null;
  const value = [...plain].reduce((sum, letter) => sum * 32n + BigInt(letters.indexOf(letter)), 0n);
  const data = bytes("0x" + (value >> BigInt(sizes[count])).toString(16).padStart(2 * count, "0"));
  return (await checksum(data)) === (value & ((1n << BigInt(sizes[count])) - 1n)) ? data : null;
}
