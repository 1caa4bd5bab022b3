const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const VALUES = new Uint8Array(128)
for (let digit = 0; digit < DIGITS.length; digit++) VALUES[DIGITS.charCodeAt(digit)] = digit

/** Writes whole numbers below 2^32 as base64 VLQ without a sign: five bits in each digit, and whether more follow. */
export function numbersToText(numbers: readonly number[]): string {
  let text = ''
  for (const number of numbers) {
    let rest = number
    for (; rest >= 32; rest = Math.floor(rest / 32)) text += DIGITS[32 + (rest % 32)]
    text += DIGITS[rest]
  }
  return text
}

/** Reads what {@link numbersToText} has written. */
export function textToNumbers(text: string): Uint32Array {
  const numbers = new Uint32Array(text.length)
  let [length, number, shift] = [0, 0, 0]
  // A counted loop: a week is millions of digits.
  for (let at = 0; at < text.length; at++) {
    const digit = VALUES[text.charCodeAt(at)] ?? 0
    number |= (digit & 31) << shift
    shift += 5
    if (digit >= 32) continue
    numbers[length++] = number
    number = 0
    shift = 0
  }
  return numbers.slice(0, length)
}
