// The account at the vault: who is signed in, and which wrapped keys open the wallet. Each request may be sent again.
//
// What the vault says is read here, and held against what the wallet's key says in opening.js. No word of the vault's
// decides to whom money goes.

import { call, plain } from "./claim.js";
import { addressOf, bytes, hex } from "./keys.js";
import { authorization, base64url, changeHash, isEmbedded, readBase64url, signChange } from "./statements.js";

// The vault's time, and when it was heard, by a clock that is never set. The browser's own time does not matter.
let heard = null;
const ticks = () => performance.now() / 1000;
/** The vault's time; null before its first answer. */
export const vaultNow = () => heard && Math.floor(heard.now + ticks() - heard.at);

const good = [200, 201, 202, 204];

/**
 * Asks the vault. Returns {body}; or {problem, body, wait}, the name of the problem: `lost` where it is not known
 * whether the vault did it, or where the answer is not the vault's.
 */
export async function ask(path, body, headers) {
  const answer = await call(path, body, headers && { headers });
  if (answer.type !== "answer") return { problem: "lost" };
  if (Number.isSafeInteger(answer.body?.now)) heard = { now: answer.body.now, at: ticks() };
  if (good.includes(answer.status)) return { body: answer.body };
  const name = String(answer.body?.type).replace("/problems/", "");
  const isOwn = answer.isProblem && answer.status < 500 && answer.status !== 408;
  return { problem: isOwn ? name : "lost", body: answer.body, wait: answer.retryAfter };
}

const readWrapped = (text) => {
  const data = readBase64url(text);
  return data?.length === 60 ? data : null;
};

/** What a wallet needs to know of the vault; null for what is none, or for whose chain nothing may be signed. */
export function readVault(body) {
  const { chainId, faucet, challenge, signIn, tokens: said } = body ?? {};
  const address = plain(body?.address, 20);
  if (!address || plain(body.receiptKey, 20) !== address || !isEmbedded(chainId) || !Array.isArray(said)) return null;
  const tokens = said.map((token) => ({
    symbol: token?.symbol, address: plain(token?.address, 20), name: token?.domain?.name,
    version: token?.domain?.version,
  }));
  const isToken = ({ symbol, address, name, version }) =>
    address && /^[A-Z0-9]{1,12}$/.test(symbol) && typeof name === "string" && typeof version === "string";
  if (!tokens.every(isToken) || said.some(({ decimals }) => decimals !== 6)) return null;
  return { chainId, address, tokens, faucet, challenge, signIn };
}

/** What the vault says of an account; null for what is none. */
export function readAccount(body) {
  const account = plain(body?.account, 32);
  const wallet = body?.wallet === undefined ? null : plain(body.wallet, 20);
  if (!account || (body.wallet !== undefined && !wallet) || !Array.isArray(body.devices)) return null;
  const devices = body.devices.map((device) => ({
    id: plain(device?.id, 32), credential: readBase64url(device?.credential), wrapped: readWrapped(device?.wrapped),
    name: device?.name, added: device?.added, used: device?.used,
  }));
  const isWhole = ({ id, credential, wrapped, name }) => id && credential && wrapped && typeof name === "string";
  if (!devices.every(isWhole)) return null;
  return { account, wallet, devices, device: plain(body.device, 32), recovery: readWrapped(body.recovery) };
}

/** The account of this browser's session: {view}, or {problem}, which is `not-signed-in` where there is none. */
export async function session() {
  const { problem, body } = await ask("/api/session");
  const view = problem ? null : readAccount(body);
  return view ? { view } : { problem: problem ?? "lost" };
}

/** The wrapped key of a passkey: {account, wallet, wrapped}, or {problem}. Nobody needs to be signed in. */
export async function find(credential) {
  const { problem, body } = await ask("/api/wallet/find", { credential: base64url(credential) });
  if (problem) return { problem };
  const [account, wallet] = [plain(body?.account, 32), plain(body?.wallet, 20)];
  const found = { account, wallet, wrapped: readWrapped(body?.wrapped) };
  return found.account && found.wallet && found.wrapped ? { found } : { problem: "lost" };
}

// What the wallet asks for. `wallet` is {key, account, domain, credential}.

/** How long a signature of the wallet's is valid, in seconds. */
const life = 300;

/** Hears the vault's time. The machine may have slept since it was heard. */
export async function hear({ credential }) {
  const { problem } = await session();
  if (problem && credential) await find(credential);
}

/** Sends what is signed until a time; once more, with the time heard anew, where that has passed. */
async function signed(wallet, refusal, send) {
  if (vaultNow() === null) await hear(wallet);
  const outcome = await send((vaultNow() ?? Math.floor(Date.now() / 1000)) + life);
  if (outcome.problem !== refusal) return outcome;
  await hear(wallet);
  return send((vaultNow() ?? 0) + life);
}

/** Makes a change of what opens the wallet. Returns {view} or {problem}. */
async function change(wallet, path, kind, parts, body) {
  const { key, account, domain } = wallet;
  const { problem, body: said } = await signed(wallet, "wallet-not-signed", (validBefore) => {
    const signature = hex(signChange(key, domain, account, changeHash(kind, ...parts), validBefore));
    return ask(path, { ...body, wallet: hex(addressOf(key)), validBefore, signature });
  });
  const view = problem ? null : readAccount(said);
  return view ? { view } : { problem: problem ?? "lost" };
}

export const addDevice = (wallet, { credential, name, wrapped }) =>
  change(wallet, "/api/wallet/devices", "add", [credential, new TextEncoder().encode(name), wrapped],
    { credential: base64url(credential), name, wrapped: base64url(wrapped) });
export const useDevice = (wallet, id) => change(wallet, `/api/wallet/devices/${id}/use`, "use", [bytes(id)]);
export const removeDevice = (wallet, id) => change(wallet, `/api/wallet/devices/${id}/remove`, "remove", [bytes(id)]);
/** Replaces the key that is wrapped under the recovery code. */
export const setRecovery = (wallet, wrapped) =>
  change(wallet, "/api/wallet/recovery", "recovery", [wrapped], { wrapped: base64url(wrapped) });

/** Reads what only the wallet's owner may: `path` is behind the address of the wallet. */
export const read = (wallet, path = "") =>
  signed(wallet, "not-signed", (validBefore) => {
    const { key, domain } = wallet;
    const headers = { Authorization: authorization(key, domain, validBefore) };
    return ask(`/api/accounts/${hex(addressOf(key))}${path}`, undefined, headers);
  });
