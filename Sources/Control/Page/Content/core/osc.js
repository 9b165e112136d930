// OSC messages as bytes (OSC 1.0): an address, a text of type tags, then the arguments, each a multiple of four bytes long.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The bytes of one message. Whole numbers go as `i`, others as `f`, switches as `T` and `F`, texts as `s`. */
export function encode(address, ...args) {
  let tags = ",";
  const parts = [];
  for (const value of args) {
    if (typeof value === "boolean") {
      tags += value ? "T" : "F";
    } else if (typeof value === "number") {
      const isWhole = Number.isInteger(value) && Math.abs(value) < 2 ** 31;
      tags += isWhole ? "i" : "f";
      const bytes = new DataView(new ArrayBuffer(4));
      if (isWhole) bytes.setInt32(0, value);
      else bytes.setFloat32(0, value);
      parts.push(new Uint8Array(bytes.buffer));
    } else {
      tags += "s";
      parts.push(padded(String(value)));
    }
  }
  const all = [padded(address), padded(tags), ...parts];
  const packet = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of all) {
    packet.set(part, at);
    at += part.length;
  }
  return packet;
}

/** A text with at least one zero at its end. */
function padded(text) {
  const bytes = encoder.encode(text.replaceAll("\0", ""));
  const result = new Uint8Array((bytes.length + 4) & ~3);
  result.set(bytes);
  return result;
}

/** Calls `take(address, arguments)` for the message in `buffer`, or for each one of a bundle. Bytes that are no OSC are left out. */
export function decode(buffer, take) {
  try {
    read(new Uint8Array(buffer), new DataView(buffer), 0, buffer.byteLength, take);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
}

const BUNDLE = 0x23; // "#"

function read(bytes, view, start, end, take) {
  if (bytes[start] === BUNDLE) {
    let at = start + 16;
    while (at + 4 <= end) {
      const length = view.getInt32(at);
      if (length < 4 || at + 4 + length > end) return;
      read(bytes, view, at + 4, at + 4 + length, take);
      at += 4 + length;
    }
    return;
  }
  const addressEnd = bytes.indexOf(0, start);
  if (addressEnd < 0 || addressEnd >= end) return;
  const address = addressOf(bytes, start, addressEnd);
  let tag = next(addressEnd);
  const tagsEnd = bytes.indexOf(0, tag);
  if (tag >= end || tagsEnd < 0) return take(address, []);
  let at = next(tagsEnd);
  const args = [];
  for (tag += 1; tag < tagsEnd; tag += 1) {
    switch (bytes[tag]) {
      case 0x69: args.push(view.getInt32(at)); at += 4; break; // i
      case 0x66: args.push(view.getFloat32(at)); at += 4; break; // f
      case 0x54: args.push(1); break; // T
      case 0x46: args.push(0); break; // F
      case 0x68: case 0x74: args.push(Number(view.getBigInt64(at))); at += 8; break; // h t
      case 0x64: args.push(view.getFloat64(at)); at += 8; break; // d
      case 0x73: case 0x53: { // s S
        const textEnd = bytes.indexOf(0, at);
        if (textEnd < 0) return;
        args.push(decoder.decode(bytes.subarray(at, textEnd)));
        at = next(textEnd);
        break;
      }
      case 0x62: { // b
        const length = view.getInt32(at);
        args.push(bytes.slice(at + 4, at + 4 + length));
        at = (at + 7 + length) & ~3;
        break;
      }
      case 0x5b: case 0x5d: break; // [ ] are flattened
      default: args.push(null); // N I and what else has no bytes
    }
  }
  take(address, args);
}

/** Where the next part begins behind the zero at `index`. */
function next(index) {
  return (index + 4) & ~3;
}

// Feedback of a moving fader repeats the same addresses thirty times a second, and decoding a text costs more than all else of a message.
const known = new Map();
const MOST_KNOWN = 20_000;

function addressOf(bytes, start, end) {
  let hash = end - start;
  for (let at = start; at < end; at += 1) hash = (Math.imul(hash, 31) + bytes[at]) | 0;
  const entry = known.get(hash);
  if (entry && matches(entry.bytes, bytes, start, end)) return entry.text;
  const copy = bytes.slice(start, end);
  const text = decoder.decode(copy);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(hash, { bytes: copy, text });
  return text;
}

function matches(copy, bytes, start, end) {
  if (copy.length !== end - start) return false;
  for (let index = 0; index < copy.length; index += 1) if (copy[index] !== bytes[start + index]) return false;
  return true;
}

const WILDCARDS = { "*": "[^/]*", "?": "[^/]", "{": "(?:", ",": "|", "}": ")" };

/** What tells whether a pattern matches an address or one above it, as subscriptions use patterns. */
export function prefixes(pattern) {
  const parts = pattern.replace(/[^A-Za-z0-9_/]/g, (sign) => WILDCARDS[sign] ?? `\\${sign}`);
  const expression = new RegExp(`^${parts}(?:/|$)`);
  return (address) => expression.test(address);
}
