/**
 * PostgreSQL's `text` holds every character but NUL. Where a text has one it is kept as two characters, and so is
 * U+0001, with which those begin: every text comes back as it went in, and texts stay in the order of their code points
 * (PG24). JSON has neither character.
 */
const NUL = { given: '\u0000', kept: '\u0001\u0001' }
const FIRST = { given: '\u0001', kept: '\u0001\u0002' }

/** A text as it is kept. */
export const keptText = (text: string): string =>
  text.includes(NUL.given) || text.includes(FIRST.given)
    ? text.replaceAll(FIRST.given, FIRST.kept).replaceAll(NUL.given, NUL.kept)
    : text

/** The text that was kept. */
export const givenText = (kept: string): string =>
  kept.includes(FIRST.given) ? kept.replaceAll(NUL.kept, NUL.given).replaceAll(FIRST.kept, FIRST.given) : kept
