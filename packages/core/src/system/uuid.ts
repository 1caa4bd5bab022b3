/** Ids whose random bytes are drawn at once. */
const DRAWN_TOGETHER = 256

const BYTES = 16

const DIGITS = Array.from('0123456789abcdef', digit => digit.charCodeAt(0))

/** Where the two digits of each byte stand in `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34]

const VERSION_BYTE = 6
const VARIANT_BYTE = 8

/**
 * Makes UUIDs of version 4 from the process's cryptographic random numbers. `crypto.randomUUID` puts each together from
 * 20 pieces, which are six times the memory of the id until a character of it is read.
 */
export function createUuids(): () => string {
  const drawn = new Uint8Array(DRAWN_TOGETHER * BYTES)
  let next = drawn.length
  const text: number[] = new Array(36).fill('-'.charCodeAt(0))
  return () => {
    if (next === drawn.length) {
      globalThis.crypto.getRandomValues(drawn)
      next = 0
    }
    for (let index = 0; index < BYTES; index++) {
      let byte = drawn[next++] ?? 0
      if (index === VERSION_BYTE) byte = (byte & 0x0f) | 0x40
      else if (index === VARIANT_BYTE) byte = (byte & 0x3f) | 0x80
      const place = PLACES[index] ?? 0
      text[place] = DIGITS[byte >> 4] ?? 0
      text[place + 1] = DIGITS[byte & 0x0f] ?? 0
    }
    return String.fromCharCode(...text)
  }
}
