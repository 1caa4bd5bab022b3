/** Returns the words of a text, without case and punctuation. */
export const wordsOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
