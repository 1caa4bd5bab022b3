/**
 * PostgreSQL's `text` holds every character but NUL. Where a text has one it is kept as two characters, and so is
 * U+0001, with which those begin: texts that differ stay so, in the order of their code points (MA7). Nothing reads
 * them back: documents come from their JSON, which has neither character.
 */
const NUL = { given: '\u0000', kept: '\u0001\u0001' }
const FIRST = { given: '\u0001', kept: '\u0001\u0002' }

/** Returns a text as it is kept. */
export const keptText = (text: string): string =>
  text.includes(NUL.given) || text.includes(FIRST.given)
    ? text.replaceAll(FIRST.given, FIRST.kept).replaceAll(NUL.given, NUL.kept)
    : text
