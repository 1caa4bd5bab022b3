import { partLength } from './words.ts'

/** The share of the shorter word that two words have in common, from which they are forms of one word. */
const COMMON_SHARE = 0.6

/**
 * Returns the similarity of two words, from 0 to 1: forms of one word, a compound and its part, a typing error. Words
 * that only share a few letters, "garbage" and "garage", are not similar.
 */
export function alike(one: string, other: string): number {
  if (one === other) return 1
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one]
  const least = Math.max(partLength(shorter), Math.ceil(COMMON_SHARE * shorter.length))
  let common = 0
  for (let start = 0; start + Math.max(least, common + 1) <= shorter.length; start += 1) {
    let end = start + Math.max(least, common + 1)
    while (end <= shorter.length && longer.includes(shorter.slice(start, end))) end += 1
    common = Math.max(common, end - 1 - start >= least ? end - 1 - start : 0)
  }
  if (common === 0) return 0
  return (common / shorter.length) * (0.6 + 0.4 * (common / longer.length))
}

/** Returns the letters of a word as bits. Some letters share a bit. */
export function lettersOf(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) & 31)
  return letters
}

/** False when words of these letters have too few in common to be alike; quicker than to compare them. */
export function mayBeAlike(one: string, other: string, letters: number, others: number): boolean {
  const missing = one.length < other.length ? letters & ~others : others & ~letters
  return bitsOf(missing) <= (1 - COMMON_SHARE) * Math.min(one.length, other.length)
}

function bitsOf(bits: number): number {
  let count = 0
  for (let left = bits; left !== 0; left &= left - 1) count += 1
  return count
}
