// Runs keys.js, and what wraps and signs for a wallet, in a worker, which has no DOM. In messages bytes are hex digits after 0x, and BigInts decimal digits.

import * as chain from "/chain.js";
import * as keys from "/keys.js";
import * as seal from "/seal.js";
import * as statements from "/statements.js";

const { bytes, hex } = keys;
const domain = ({ chainId, vault }) => ({ chainId, vault: bytes(vault) });

/** Gives these bytes in place of random ones. */
const drawing = (draws) => {
  const left = draws.map(bytes);
  return { getRandomValues: (array) => (array.set(left.shift()), array) };
};

const operations = {
  wrap: async ({ key, secret, account, nonce }) =>
    seal.wrap(BigInt(key), await seal.wrapKey(bytes(secret)), account, drawing([nonce])),
  unwrap: async ({ wrapped, secret, account, address }) =>
    seal.unwrap(bytes(wrapped), await seal.wrapKey(bytes(secret)), account, address),
  deviceKey: async (key) => {
    const [own, account] = [await seal.deviceKey(), "0x" + "ab".repeat(32)];
    const address = hex(keys.addressOf(BigInt(key)));
    const wrapped = await seal.wrap(BigInt(key), own, account);
    const read = await crypto.subtle.exportKey("raw", own).catch(({ name }) => name);
    const other = await seal.unwrap(wrapped, await seal.deviceKey(), account, address);
    return [await seal.unwrap(wrapped, own, account, address), read, other];
  },
  drawKey: (draws) => seal.drawKey(drawing(draws)),
  writeCode: (data) => seal.writeCode(bytes(data)),
  readCode: (text) => seal.readCode(text),
  signChange: ({ key, account, time, kind, parts, ...vault }) => {
    const hash = statements.changeHash(kind, ...parts.map(bytes));
    return statements.signChange(BigInt(key), domain(vault), account, hash, time);
  },
  authorization: ({ key, time, ...vault }) => statements.authorization(BigInt(key), domain(vault), time),
  signDeposit: ({ key, token, amount, ledgerId, time, ...vault }) => {
    const contract = { address: token, name: "USD Coin", version: "2" };
    return statements.signDeposit(BigInt(key), domain(vault), contract, BigInt(amount), bytes(ledgerId), time);
  },
  makeClaim: async ({ key, amount, ...rest }) => {
    const [data, terms] = [seal.keyBytes(BigInt(key)), { ...rest, symbol: "USDC", amount: BigInt(amount) }];
    const { secretHash, ledgerId } = await statements.makeClaim(data, terms);
    const secret = await statements.claimSecret(data, terms.id);
    return { secretHash, ledgerId, link: await statements.sealLink("https://vault.example/claim", terms, secret) };
  },
  drawId: (draws) => statements.drawId(drawing(draws)),
  solve: (challenge) => statements.solve(challenge),
  base64url: (data) => statements.base64url(bytes(data)),
  readBase64url: (text) => statements.readBase64url(text),
  exports: () => Object.keys(keys).sort(),
  hex: (text) => hex(bytes(text)),
  bytes: (text) => bytes(text),
  keccak256: (message) => keys.keccak256(bytes(message)),
  claim: async ({ secret, claimId, token, amount, expiry, receiver, ...vault }) => {
    const key = await keys.claimKey(bytes(secret), claimId);
    const secretHash = keys.secretHash(key);
    const ledgerId = keys.ledgerId({ secretHash, token: bytes(token), amount: BigInt(amount), expiry: BigInt(expiry) });
    const proof = keys.proof(key, domain(vault), ledgerId, bytes(receiver));
    return { key, address: keys.addressOf(key), secretHash, ledgerId, proof };
  },
  proof: ({ key, ledgerId, receiver, ...vault }) => {
    return keys.proof(BigInt(key), domain(vault), bytes(ledgerId), bytes(receiver));
  },
  addressOf: (key) => keys.addressOf(BigInt(key)),
  recover: ({ digest, signature }) => keys.recover(bytes(digest), bytes(signature)),
  receiptSigner: ({ receipt, ...vault }) => keys.receiptSigner(receipt, domain(vault)),
  chainReceiptSigner: ({ receipt, ...vault }) => chain.receiptSigner(receipt, domain(vault)),
  isContract: (description) => chain.isContract(description),
  checksummed: (address) => keys.checksummed(bytes(address)),
  parseAddress: (text) => keys.parseAddress(text),
  parseAmount: ({ text, decimals }) => keys.parseAmount(text, decimals),
  formatAmount: ({ amount, decimals }) => keys.formatAmount(BigInt(amount), decimals),
  parseLink: ({ pathname, hash, origin }) => keys.parseLink(pathname, hash, origin),
  // What each reader gives for values that it cannot read, of which JSON has only some.
  oddities: async () => {
    const fail = () => {
      throw new Error("odd");
    };
    const odd = [undefined, null, true, 7, 7n, NaN, {}, [], ["0x"], Symbol("odd"), fail, new Date(0)];
    odd.push(Object.create(null), new Proxy({}, { get: fail }), "\ud800", "\0", "a".repeat(1e6), "/".repeat(1e6));
    const readers = {
      bytes: (it) => bytes(it),
      parseAddress: (it) => keys.parseAddress(it).address ?? null,
      parseAmount: (it) => keys.parseAmount(it, 6),
      receiptSigner: (it) => keys.receiptSigner(it, { chainId: 1, vault: new Uint8Array(20) }),
      parseLink: async (it) => {
        const answers = await Promise.all([
          keys.parseLink(it, it), keys.parseLink("/claim/a", it), keys.parseLink(it, "#s=a"),
        ]);
        return answers.every(({ error }) => error == "garbled" || error == "fragment") ? null : answers;
      },
    };
    const given = {};
    for (const [name, read] of Object.entries(readers)) {
      given[name] = [];
      for (const it of odd) {
        try {
          given[name].push(await read(it));
        } catch (error) {
          given[name].push({ threw: String(error) });
        }
      }
    }
    return given;
  },
  milliseconds: async () => {
    const start = performance.now();
    const vault = { chainId: 31337, vault: new Uint8Array(20).fill(1) };
    for (let i = 1; i <= 20; i++) keys.proof(BigInt(i), vault, new Uint8Array(32), new Uint8Array(20).fill(2));
    return (performance.now() - start) / 20;
  },
};

const plain = (_, value) => {
  if (typeof value == "bigint") return String(value);
  return value instanceof Uint8Array ? hex(value) : value;
};

onmessage = async ({ data: { operation, cases } }) => {
  const answers = [];
  for (const each of cases) {
    try {
      answers.push(await operations[operation](each));
    } catch (error) {
      answers.push({ threw: String(error) });
    }
  }
  postMessage(JSON.stringify(answers, plain));
};
