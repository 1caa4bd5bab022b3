/** Half of a surrogate pair, as JSON can write it and UTF-8 cannot. */
const HALF = /\\ud[89a-f]/i

/** A whole pair, a half alone, or any other escape, which may hold a backslash. */
const ESCAPES = /(\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2})|\\ud[89a-f][0-9a-f]{2}|\\[\s\S]/gi

/**
 * JSON text whose strings can be kept: half of a surrogate pair becomes U+FFFD, as everywhere where text becomes UTF-8. Otherwise what is
 * answered now, and what is read from a store later, would differ (HT38). JSON that was decoded from UTF-8 holds halves as escapes alone.
 */
export const keepableJson = (text: string): string =>
  HALF.test(text)
    ? text.replace(ESCAPES, (found, pair: string | undefined) =>
        pair === undefined && HALF.test(found) ? '\\ufffd' : found,
      )
    : text
