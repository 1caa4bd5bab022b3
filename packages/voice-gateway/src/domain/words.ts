/** Returns the words of a text, without case and punctuation. Vowel signs are parts of words. */
export const wordsOf = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
