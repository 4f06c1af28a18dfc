// A claim's keys, signatures and texts. Bytes are Uint8Array; amounts, times and keys are BigInt.
// Not in constant time: a key signs on its owner's machine.

const match = (text, form) => (typeof text == "string" ? text.match(form) : null);
const utf8 = (text) => new TextEncoder().encode(text);
const concat = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
const integer = (value) => BigInt(value instanceof Uint8Array ? hex(value) : value);
const word = (value) => bytes("0x" + integer(value).toString(16).padStart(64, "0"));

export const hex = (bytes) => "0x" + Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
export const bytes = (text) =>
  match(text, /^0x([0-9a-fA-F]{2})*$/) && Uint8Array.from(text.match(/../g).slice(1), (pair) => parseInt(pair, 16));

// SHA-256 (FIPS 180-4) and HMAC (RFC 2104): WebCrypto's are promises.

const primes = [2];
for (let i = 3; primes.length < 64; i += 2) if (primes.every((prime) => i % prime)) primes.push(i);
const fractions = (root) => Uint32Array.from(primes, (prime) => (root(prime) % 1) * 2 ** 32);
const cubeRoots = fractions(Math.cbrt);
const rotate = (x, ...counts) => counts.reduce((sum, i) => sum ^ (x >>> i) ^ (x << (32 - i)), 0);

function sha256(message) {
  const zeros = new Uint8Array(-(message.length + 9) & 63);
  const padded = hex(concat(message, [0x80], zeros, word(8 * message.length).slice(24)));
  const hash = fractions(Math.sqrt).slice(0, 8);
  for (const block of padded.slice(2).match(/.{128}/g)) {
    const w = block.match(/.{8}/g).map((digits) => parseInt(digits, 16));
    const state = hash.slice();
    for (let t = 0; t < 64; t++) {
      const [x, y, [a, b, c, , e, f, g, h]] = [w[t + 1], w[t + 14], state];
      w.push(w[t] + (rotate(x, 7, 18) ^ (x >>> 3)) + w[t + 9] + (rotate(y, 17, 19) ^ (y >>> 10)));
      const t1 = h + rotate(e, 6, 11, 25) + ((e & f) ^ (~e & g)) + cubeRoots[t] + w[t];
      state.copyWithin(1, 0);
      state[4] += t1;
      state[0] = t1 + rotate(a, 2, 13, 22) + ((a & b) ^ (a & c) ^ (b & c));
    }
    state.forEach((value, i) => (hash[i] += value));
  }
  return word(hash.reduce((sum, value) => (sum << 32n) + BigInt(value), 0n));
}

const hmac = (key, message) =>
  [0x36, 0x5c].reduce((inner, pad) => sha256(concat(new Uint8Array(64).map((_, i) => key[i] ^ pad), inner)), message);

// Keccak-f[1600] (FIPS 202 §3.3). The lane (x, y) is a[x + 5 * y].
function permute(a) {
  const rotate = (lane, i) => (lane << BigInt(i)) | (lane >> BigInt(64 - i));
  for (let round = 0, bits = 1; round < 24; round++) {
    // θ
    const c = a.slice(0, 5).map((lane, x) => lane ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20]);
    const b = a.map((lane, i) => lane ^ c[(i + 4) % 5] ^ rotate(c[(i + 1) % 5], 1));
    // ρ and π
    let [x, y, lane] = [1, 0, b[1]];
    for (let t = 1; t < 25; t++) {
      [x, y] = [y, (2 * x + 3 * y) % 5];
      [b[x + 5 * y], lane] = [rotate(lane, ((t * (t + 1)) / 2) % 64), b[x + 5 * y]];
    }
    // χ
    b.forEach((lane, i) => (a[i] = lane ^ (~b[i - (i % 5) + ((i + 1) % 5)] & b[i - (i % 5) + ((i + 2) % 5)])));
    // ι
    for (let j = 0; j < 7; j++) {
      if (bits & 1) a[0] ^= 1n << BigInt(2 ** j - 1);
      bits = (bits << 1) ^ ((bits >> 7) * 0x171);
    }
  }
}

// Keccak-256 as Ethereum has it, not SHA3-256.
export function keccak256(message) {
  const padded = concat(message, [1], new Uint8Array(135 - (message.length % 136)));
  padded[padded.length - 1] |= 0x80;
  const a = new BigUint64Array(25);
  new BigUint64Array(padded.buffer).forEach((lane, i) => {
    a[i % 17] ^= lane;
    if (i % 17 == 16) permute(a);
  });
  return new Uint8Array(a.buffer, 0, 32);
}

const hashText = (text) => keccak256(utf8(text));
export const hashWords = (...values) => keccak256(concat(...values.map(word)));

// secp256k1 (SEC 2 §2.4.1): y² = x³ + 7 mod p. A point is x/z, y/z; infinity has z = 0.

const p = 2n ** 256n - 2n ** 32n - 977n;
const n = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const base = [
  0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
  1n,
];
const mod = (a, m = p) => ((a %= m) < 0n ? a + m : a);

function power(a, e, m = p) {
  let result = 1n;
  for (; e; e >>= 1n, a = mod(a * a, m)) if (e & 1n) result = mod(result * a, m);
  return result;
}

const inverse = (a, m = p) => power(a, m - 2n, m);

// The sum of any two points (Renes, Costello, Batina 2016, algorithm 7).
function add([x1, y1, z1], [x2, y2, z2]) {
  const [xx, yy, zz] = [3n * mod(x1 * x2), mod(y1 * y2), 21n * mod(z1 * z2)];
  const [xy, yz, xz] = [mod(x1 * y2 + x2 * y1), mod(y1 * z2 + y2 * z1), 21n * mod(x1 * z2 + x2 * z1)];
  return [mod(xy * (yy - zz) - yz * xz), mod(yy * yy - zz * zz + xx * xz), mod(yz * (yy + zz) + xx * xy)];
}

function multiply(point, scalar) {
  let sum = [0n, 1n, 0n];
  for (const bit of scalar.toString(2)) {
    sum = add(sum, sum);
    if (bit == "1") sum = add(sum, point);
  }
  return sum;
}

const affine = ([x, y, z]) => [x, y].map((it) => mod(it * inverse(z)));
const addressAt = (point) => hashWords(...affine(point)).slice(12);

// r ‖ s ‖ v, with the first nonce of RFC 6979 §3.2 and the lower s (EIP-2).
export function sign(key, digest) {
  const z = integer(digest) % n;
  let [k, v] = [new Uint8Array(32), new Uint8Array(32).fill(1)];
  for (const step of [0, 1]) {
    k = hmac(k, concat(v, [step], word(key), word(z)));
    v = hmac(k, v);
  }
  const nonce = integer(hmac(k, v));
  const [r, y] = affine(multiply(base, nonce));
  const s = mod(inverse(nonce, n) * (z + r * key), n);
  const isHigh = 2n * s > n;
  return concat(word(r), word(isHigh ? n - s : s), [27 + (Number(y & 1n) ^ isHigh)]);
}

// The address that signed (SEC 1 §4.1.6); null if none can have, or s is high.
export function recover(digest, signature) {
  if (digest?.length != 32 || signature?.length != 65) return null;
  const [r, s] = [0, 32].map((at) => integer(signature.slice(at, at + 32)));
  const odd = signature[64] - 27;
  if (!r || r >= n || !s || 2n * s > n || odd & ~1) return null;
  const square = mod(r ** 3n + 7n);
  const y = power(square, (p + 1n) / 4n);
  if (mod(y * y) != square) return null;
  const point = [r, Number(y & 1n) == odd ? y : p - y, 1n];
  const product = add(multiply(point, s), multiply(base, mod(-integer(digest), n)));
  return product[2] ? addressAt(multiply(product, inverse(r, n))) : null;
}

// HKDF-SHA256 (RFC 5869).
async function hkdf(secret, salt, info, length) {
  const key = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]);
  const step = { name: "HKDF", hash: "SHA-256", salt: utf8(salt), info: utf8(info) };
  return new Uint8Array(await crypto.subtle.deriveBits(step, key, 8 * length));
}

export const claimKey = async (secret, claimId) =>
  mod(integer(await hkdf(secret, "", "bump/1 claim key\0" + claimId, 48)), n - 1n) + 1n;
export const addressOf = (key) => addressAt(multiply(base, key));
export const secretHash = (key) => keccak256(addressOf(key));

// `token` is the contract, `amount` has base units.
export const ledgerId = ({ secretHash, token, amount, expiry }) => hashWords(secretHash, token, amount, expiry);

// A message's digest in the vault's domain (EIP-712).
export function digestOf({ chainId, vault }, type, ...values) {
  const domain = "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)";
  const separator = hashWords(...[domain, "ClaimVault", "1"].map(hashText), chainId, vault);
  return keccak256(concat([0x19, 1], separator, hashWords(hashText(type), ...values)));
}

// Pays the claim to this receiver alone.
export const proof = (key, domain, ledgerId, receiver) =>
  sign(key, digestOf(domain, "Claim(bytes32 claimId,address receiver)", ledgerId, receiver));

export const receiptType =
  "Receipt(bytes32 claimId,bool refunded,address token,uint256 amount,address receiver," +
  "bytes32 transaction,uint256 time)";

// The signer of a receipt as in the vault's JSON; null for what is none.
export function receiptSigner(receipt, domain, type = receiptType, ...more) {
  try {
    const { ledgerId, status, token, amount, receiver, txHash, time, signature } = receipt;
    // A refund has no receiver, and signs zero. Null has no word.
    const isRefund = receiver === undefined;
    if (status !== (isRefund ? "refunded" : "claimed") || !Number.isSafeInteger(time)) return null;
    const [id, hash] = [ledgerId, txHash].map((text) => match(text, /^.{66}$/) && bytes(text));
    const paid = isRefund ? 0 : readAddress(receiver);
    const fields = [id, isRefund, readAddress(token), parseAmount(amount, 6), paid, hash, time, ...more];
    return recover(digestOf(domain, type, ...fields), bytes(signature));
  } catch {
    return null;
  }
}

// A letter is upper-case where the digits' hash has 8 or more (EIP-55).
export function checksummed(address) {
  const hash = hex(hashText(hex(address).slice(2)));
  return hex(address).replace(/[a-f]/g, (letter, at) => (hash[at] < "8" ? letter : letter.toUpperCase()));
}

const hasChecksum = (text) => checksummed(bytes(text)) == text;

function readAddress(text) {
  if (!match(text, /^0x[0-9a-fA-F]{40}$/)) return null;
  return /^0x([0-9a-f]*|[0-9A-F]*)$/.test(text) || hasChecksum(text) ? bytes(text) : null;
}

// The error `form` is at the first wrong character, `checksum` at the only one that another mends, or null.
export function parseAddress(text) {
  const address = readAddress(text);
  if (address) return { address };
  const at = match(text, /^(0(x[0-9a-fA-F]{0,40})?)?/)?.[0].length ?? 0;
  if (at < 42 || text.length > 42) return { error: "form", at };
  const isMended = (at) =>
    at > 1 && [..."0123456789abcdefABCDEF"].some((it) => hasChecksum(text.slice(0, at) + it + text.slice(at + 1)));
  const places = [...Array(42).keys()].filter(isMended);
  return { error: "checksum", at: places.length == 1 ? places[0] : null };
}

// Null unless 1 to 2⁶³ − 1 base units.
export function parseAmount(text, decimals) {
  const [, whole, fraction = ""] = match(text, /^(0|[1-9]\d{0,18})(?:\.(\d+))?$/) ?? [];
  if (!whole || fraction.length > decimals) return null;
  const amount = BigInt(whole + fraction.padEnd(decimals, "0"));
  return amount && amount < 2n ** 63n ? amount : null;
}

// Two decimals, or as many more as it needs.
export function formatAmount(amount, decimals) {
  const digits = `${amount}`.padStart(decimals + 1, "0");
  const at = digits.length - decimals;
  return `${digits.slice(0, at)}.${digits.slice(at)}`.replace(/(\.\d\d\d*?)0+$|\.$/, "$1");
}

const linkBase =
  /^(?=https:\/\/.|http:\/\/(localhost|127(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}|\[::1\])(:\d{1,5})?(\/|$))[!$-&(-[\]-~]{1,512}$/;
const linkTerms = /^#s=([\w-]{21}[AQgw])&a=([\d.]+)&t=([A-Z\d]{1,12})&x=(0|[1-9]\d{0,18})&m=([\w-]{21}[AQgw])$/;
const base64url = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));

// The error `key`: the MAC is made with a key, or something was changed.
export async function parseLink(pathname, hash, origin = location.origin) {
  if (!crypto.subtle) return { error: "insecure" };
  const [, path, id] = match(pathname, /^(|.*[^/])\/([A-Za-z0-9_][\w-]{0,63})$/) ?? [];
  const base = origin + path;
  if (!id || !linkBase.test(base)) return { error: "garbled" };
  if (match(hash, /^#?$/)) return { error: "fragment" };
  const [, s, a, token, x, m] = match(hash, linkTerms) ?? [];
  const amount = parseAmount(a, 6);
  if (!amount || formatAmount(amount, 6) != a || x >= 2n ** 63n) return { error: "garbled" };
  const secret = base64url(s);
  const key = await hkdf(secret, id, "bump/1 link-mac", 32);
  const mac = hmac(key, utf8(`bump/1 link\0${base}/${id}#s=${s}&a=${a}&t=${token}&x=${x}`)).slice(0, 16);
  if (hex(mac) != hex(base64url(m))) return { error: "key" };
  return { version: 1, id, secret, token, amount, expiry: BigInt(x) };
}
