// What a wallet signs beside claims, and the links that it makes. No DOM, no requests.
//
// `domain` is the vault's, {chainId, vault}. A wallet signs for chains alone that no public chain has (isEmbedded): the
// signature of a deposit would be good for real money on a chain that a server only names.

import {
  addressOf, bytes, claimKey, digestOf, formatAmount, hashWords, hex, keccak256, ledgerId, secretHash, sign,
} from "./keys.js";
import { join, utf8 } from "./seal.js";

const word = (number) => bytes("0x" + BigInt(number).toString(16).padStart(64, "0"));

/** Whether a chain id is one of those that embedded vaults have. */
export const isEmbedded = (chainId) => chainId === 31337 || (chainId >= 0x62756d70 && chainId <= 0x62756dff);

const kinds = { add: 1, use: 2, remove: 3, recovery: 4 };

/** The hash of a change of what opens a wallet: its kind, and its parts, each behind its length. */
export const changeHash = (kind, ...parts) =>
  keccak256(join(word(kinds[kind]), ...parts.flatMap((part) => [word(part.length), part])));

/** Lets this change be made in a session of the account until that time. */
export const signChange = (key, domain, account, hash, validBefore) =>
  sign(key, digestOf(
    domain, "Wallet(bytes32 account,bytes32 change,uint256 validBefore)", bytes(account), hash, validBefore));

/** The header that gives access to the balance and the history of the wallet until that time. */
export function authorization(key, domain, validBefore) {
  const digest = digestOf(domain, "Account(address account,uint256 validBefore)", addressOf(key), validBefore);
  return `Bump ${validBefore}.${hex(sign(key, digest))}`;
}

/**
 * Lets the vault, and nobody else, take a claim's amount from the wallet, once (EIP-3009). `token` is {address, name,
 * version}, the last two of its own EIP-712 domain.
 */
export function signDeposit(key, { chainId, vault }, token, amount, ledgerId, validBefore) {
  if (!isEmbedded(chainId)) throw new Error("the chain is not a vault's own");
  const domain = "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)";
  const text = (value) => keccak256(utf8(value));
  const separator = hashWords(text(domain), text(token.name), text(token.version), chainId, bytes(token.address));
  const type =
    "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore," +
    "bytes32 nonce)";
  const message = hashWords(text(type), addressOf(key), vault, amount, 0, validBefore, ledgerId);
  return sign(key, keccak256(join([0x19, 1], separator, message)));
}

async function hkdf(secret, salt, info, count) {
  const key = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]);
  const step = { name: "HKDF", hash: "SHA-256", salt: utf8(salt), info: utf8(info) };
  return new Uint8Array(await crypto.subtle.deriveBits(step, key, 8 * count));
}

/**
 * The secret of a claim that the wallet makes. It follows from the wallet's key and the claim's id, so that the link
 * can be made again, and is written down nowhere.
 */
export const claimSecret = (keyBytes, claimId) => hkdf(keyBytes, "bump/1 wallet claim", claimId, 16);

/** A claim of these terms: {id, symbol, contract, amount, expiry}, and the hashes by which a vault knows it. */
export async function makeClaim(keyBytes, terms) {
  const hash = secretHash(await claimKey(await claimSecret(keyBytes, terms.id), terms.id));
  const { contract, amount, expiry } = terms;
  const id = ledgerId({ secretHash: hash, token: bytes(contract), amount, expiry: BigInt(expiry) });
  return { ...terms, secretHash: hex(hash), ledgerId: hex(id) };
}

export const base64url = (data) =>
  btoa(String.fromCharCode(...data)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
/** The bytes of base64url; null for anything else. */
export function readBase64url(text) {
  if (typeof text !== "string" || !/^[\w-]*$/.test(text) || text.length % 4 === 1) return null;
  return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
}

/** The link of a claim, sealed by a MAC that its secret makes (as Docs/protocol.md has it). */
export async function sealLink(base, { id, symbol, amount, expiry }, secret) {
  const text =
    `${base}/${id}#s=${base64url(secret)}&a=${formatAmount(amount, 6)}&t=${symbol}&x=${expiry}`;
  const raw = await hkdf(secret, id, "bump/1 link-mac", 32);
  const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, utf8("bump/1 link\0" + text))).slice(0, 16);
  return `${text}&m=${base64url(mac)}`;
}

/** Draws the id of a claim: 22 letters, of which the first is no hyphen. */
export function drawId(random = crypto) {
  for (;;) {
    const id = base64url(random.getRandomValues(new Uint8Array(16)));
    if (id[0] !== "-") return id;
  }
}

/** Solves a vault's challenge: the number whose digits behind the salt have this SHA-256. Null if there is none. */
export async function solve({ salt, challenge, maxnumber }) {
  const most = Math.min(maxnumber, 10_000_000);
  for (let first = 0; first <= most; first += 512) {
    const numbers = Array.from({ length: Math.min(512, most - first + 1) }, (_, at) => first + at);
    const digests = await Promise.all(numbers.map((number) => crypto.subtle.digest("SHA-256", utf8(salt + number))));
    const at = digests.findIndex((digest) => hex(new Uint8Array(digest)).slice(2) === challenge);
    if (at >= 0) return first + at;
  }
  return null;
}
