// Reads what stands in the page deflated, at seven bits a byte.

/** Codes that HTML does not keep; each stands in one character with the code after it. */
const UNKEPT = [0, 13, 60];
const PAIRS = 256;

/** @param {string} text @returns {Uint8Array} */
const fromPage = (text) => {
  const codes = new Uint8Array(2 * text.length);
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= PAIRS) codes[count++] = UNKEPT[(code - PAIRS) >> 7];
    codes[count++] = code & 127;
  }
  const bytes = new Uint8Array((7 * count) >> 3);
  let [bits, held, at] = [0, 0, 0];
  for (let k = 0; k < count; k++) {
    bits = (bits << 7) | codes[k];
    held += 7;
    if (held < 8) continue;
    held -= 8;
    bytes[at++] = bits >> held;
    bits &= (1 << held) - 1;
  }
  return bytes;
};

/** Least length of a copy. */
const LEAST = 24;

/** Puts copies from afar back in their places. @param {Uint8Array} parted */
const joined = (parted) => {
  const lengths = new DataView(parted.buffer, parted.byteOffset, 8);
  const end = 8 + lengths.getUint32(0, true);
  const whole = new Uint8Array(lengths.getUint32(4, true));
  let [at, own, to] = [8, end, 0];
  const number = () => {
    for (let [value, shift] = [0, 0]; ; shift += 7) {
      const byte = parted[at++];
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < end) {
    const [same, length, back] = [number(), LEAST + number(), number()];
    whole.set(parted.subarray(own, own + same), to);
    own += same;
    to += same;
    whole.copyWithin(to, to - back, to - back + length);
    to += length;
  }
  whole.set(parted.subarray(own), to);
  return whole;
};

/** Bytes through a stream, at most so many of them. */
const through = async (bytes, stream, most = 1 << 26) => {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) throw new Error("too long");
    parts.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

const inflated = (bytes, most) => through(bytes, new DecompressionStream("deflate-raw"), most);

/** What an element of the page holds. @param {string} id */
const packedIn = (id) => fromPage(document.getElementById(id).textContent);
