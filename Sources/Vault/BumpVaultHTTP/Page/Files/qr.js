// A QR code of a text (ISO/IEC 18004): bytes, error correction level M, the smallest of versions 1 to 20 that holds it.

// For each version from 1 on: the error correction words of a block, and how many blocks there are (level M, table 9).
const corrections = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26];
const blockCounts = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16];

// GF(256) with x⁸ + x⁴ + x³ + x² + 1.
const powers = [1];
for (let i = 1; i < 255; i++) powers.push((powers[i - 1] << 1) ^ (powers[i - 1] & 128 ? 0x11d : 0));
const logs = Object.fromEntries(powers.map((value, at) => [value, at]));
const times = (a, b) => (a && b ? powers[(logs[a] + logs[b]) % 255] : 0);

/** The remainder of a block by Reed and Solomon's generator of that degree. */
function correction(block, degree) {
  let generator = [1];
  for (let i = 0; i < degree; i++) {
    generator = [...generator, 0].map((value, at) => value ^ (at ? times(generator[at - 1], powers[i]) : 0));
  }
  const rest = [...block, ...Array(degree).fill(0)];
  for (let i = 0; i < block.length; i++) {
    const factor = rest[i];
    generator.forEach((value, at) => (rest[i + at] ^= times(value, factor)));
  }
  return rest.slice(block.length);
}

/** Where the centres of alignment patterns are, in both directions (table E.1). */
function alignments(version) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, at) => version * 4 + 10 - step * (count - 2 - at))];
}

/** How many words of data and correction a version has. */
function wordCount(version) {
  const count = alignments(version).length;
  const taken = version === 1 ? 0 : 25 * (count * count - 3) - 10 * (count - 2);
  const size = version * 4 + 17;
  return Math.floor((size * size - 3 * 64 - 2 * (size - 16) - 31 - taken - (version > 6 ? 36 : 0)) / 8);
}

const dataCount = (version) => wordCount(version) - corrections[version - 1] * blockCounts[version - 1];

/** All words in the order in which they are drawn. */
function words(data, version) {
  const bits = [];
  const put = (value, count) => {
    for (let i = count - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  const total = dataCount(version);
  put(4, 4);
  put(data.length, version < 10 ? 8 : 16);
  data.forEach((byte) => put(byte, 8));
  put(0, Math.min(4, total * 8 - bits.length));
  put(0, -bits.length & 7);
  for (let pad = 0xec; bits.length < total * 8; pad ^= 0xfd) put(pad, 8);
  const all = bits.join("").match(/.{8}/g).map((text) => parseInt(text, 2));
  const [count, degree] = [blockCounts[version - 1], corrections[version - 1]];
  const short = Math.floor(total / count);
  let at = 0;
  const blocks = Array.from({ length: count }, (_, number) =>
    all.slice(at, (at += short + (number >= count - (total % count) ? 1 : 0))));
  const mixed = (rows) =>
    Array.from({ length: Math.max(...rows.map((row) => row.length)) }, (_, i) => rows.map((row) => row[i]))
      .flat().filter((value) => value !== undefined);
  return [...mixed(blocks), ...mixed(blocks.map((block) => correction(block, degree)))];
}

const masks = [
  (x, y) => (x + y) % 2, (x, y) => y % 2, (x) => x % 3, (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2, (x, y) => ((x * y) % 2) + ((x * y) % 3),
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2, (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
];

/** The remainder that protects the format's 5 bits and the version's 6 (annexes C and D). */
function protectedBits(value, count, generator) {
  let rest = value << count;
  for (let bit = 31 - Math.clz32(rest); bit >= count; bit = 31 - Math.clz32(rest)) rest ^= generator << (bit - count);
  return (value << count) | rest;
}

/** Draws all but the data. Cells are undefined where data go. */
function frame(version, mask) {
  const size = version * 4 + 17;
  const cells = Array.from({ length: size }, () => Array(size));
  const set = (x, y, value) => cells[y]?.[x] === undefined && y in cells && x >= 0 && x < size && (cells[y][x] = value);
  for (const [left, top] of [[3, 3], [size - 4, 3], [3, size - 4]]) {
    for (let y = -4; y <= 4; y++) {
      for (let x = -4; x <= 4; x++) {
        const ring = Math.max(Math.abs(x), Math.abs(y));
        set(left + x, top + y, ring !== 2 && ring !== 4 ? 1 : 0);
      }
    }
  }
  const places = alignments(version);
  const last = places.length - 1;
  places.forEach((top, row) => places.forEach((left, column) => {
    if ((row === 0 || row === last) && (column === 0 || column === last) && row + column !== 2 * last) return;
    for (let y = -2; y <= 2; y++) {
      for (let x = -2; x <= 2; x++) set(left + x, top + y, Math.max(Math.abs(x), Math.abs(y)) !== 1 ? 1 : 0);
    }
  }));
  for (let i = 8; i < size - 8; i++) {
    set(i, 6, (i + 1) % 2);
    set(6, i, (i + 1) % 2);
  }
  // Level M is 0.
  const format = protectedBits(mask, 10, 0x537) ^ 0x5412;
  for (let i = 0; i < 15; i++) {
    const bit = (format >> i) & 1;
    set(8, i < 6 ? i : i < 8 ? i + 1 : size - 15 + i, bit);
    set(i < 8 ? size - 1 - i : i === 8 ? 7 : 14 - i, 8, bit);
  }
  set(8, size - 8, 1);
  if (version > 6) {
    const bits = protectedBits(version, 12, 0x1f25);
    for (let i = 0; i < 18; i++) {
      const [a, b] = [Math.floor(i / 3), size - 11 + (i % 3)];
      set(a, b, (bits >> i) & 1);
      set(b, a, (bits >> i) & 1);
    }
  }
  return cells;
}

function drawn(stream, version, mask) {
  const cells = frame(version, mask);
  const size = cells.length;
  let at = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    const isUp = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step++) {
      const y = isUp ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (cells[y][x] !== undefined) continue;
        const bit = (stream[at >> 3] >> (7 - (at & 7))) & 1;
        cells[y][x] = bit ^ (masks[mask](x, y) ? 0 : 1);
        at++;
      }
    }
  }
  return cells;
}

/** How hard a code is to read (§7.8.3): the mask with the fewest points is taken. */
function penalty(cells) {
  const lines = (rows) => rows.map((row) => row.join(""));
  const both = [...lines(cells), ...lines(cells.map((_, x) => cells.map((row) => row[x])))];
  let points = 0;
  for (const line of both) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) points += run.length - 2;
    points += 40 * [...line.matchAll(/(?=00001011101|10111010000)/g)].length;
  }
  cells.slice(1).forEach((row, y) => row.slice(1).forEach((cell, x) => {
    if (cell === cells[y][x] && cell === cells[y][x + 1] && cell === row[x]) points += 3;
  }));
  const dark = cells.flat().reduce((sum, cell) => sum + cell, 0) / cells.length ** 2;
  return points + 10 * Math.floor(Math.abs(dark - 0.5) * 20);
}

/** The rows of a code, of 0 and 1 for light and dark; null for a text that is too long. */
export function encode(text) {
  const data = new TextEncoder().encode(text);
  const version = blockCounts.findIndex((_, at) => dataCount(at + 1) * 8 >= data.length * 8 + (at < 9 ? 12 : 20)) + 1;
  if (!version) return null;
  const stream = words([...data], version);
  const codes = masks.map((_, mask) => drawn(stream, version, mask));
  return codes.reduce((best, code) => (penalty(code) < penalty(best) ? code : best));
}

/** The path of a code's dark squares for SVG, with a light margin of four; and the width of both together. */
export function path(rows) {
  const squares = rows.flatMap((row, y) => row.map((cell, x) => (cell ? `M${x + 4} ${y + 4}h1v1h-1z` : "")));
  return { path: squares.join(""), size: rows.length + 8 };
}
