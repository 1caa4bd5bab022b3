/** A place in a text, and what is not plain there. */
export interface Place {
  /**
   * `clauses`: a comment that begins with a clause about a thing instead of its name. `dialect`: a word in place of the
   * field's own. `long`: a sentence of a page with more than 25 words.
   */
  readonly kind: 'clauses' | 'dialect' | 'long'
  readonly line: number
  readonly said: string
}

/** A word that is not the field's, and the one that is. */
const DIALECT: Readonly<Record<string, string>> = {
  'under way': 'in progress',
  'at hand': 'available, in memory',
  anew: 'again',
  'by itself': 'automatically',
  'by themselves': 'automatically',
  'will do': 'is valid',
  'look again': 'retry, check again',
  'looked again': 'retried, checked again',
  'put away': 'dismissed, stored',
  'given up': 'abandoned, failed',
}

const LONGEST_SENTENCE = 25

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length

const DIALECT_WORD = new RegExp(`\\b(?:${Object.keys(DIALECT).join('|')})\\b`, 'gi')

function dialectIn(text: string, at: number, whole: string): readonly Place[] {
  return [...text.matchAll(DIALECT_WORD)].map(({ 0: word, index }) => ({
    kind: 'dialect',
    line: lineOf(whole, at + index),
    said: `"${word}". Better: ${DIALECT[word.toLowerCase()]}`,
  }))
}

const COMMENT = /\/\*\*(?<block>[\s\S]*?)\*\/|^[ \t]*\/\/(?<line>.*)$/gm
const CLAUSE = /^[\s*]*(?:@param \w+ )?(?:What|Who|Whose|Where|Which|When|How|Of)\b/

/** Finds what is not plain in the comments of a source. */
export function placesOfSource(text: string): readonly Place[] {
  return [...text.matchAll(COMMENT)].flatMap(match => {
    const said = match.groups?.block ?? match.groups?.line ?? ''
    const clause: readonly Place[] = CLAUSE.test(said)
      ? [{ kind: 'clauses', line: lineOf(text, match.index), said: said.replaceAll(/[\s*]+/g, ' ').trim() }]
      : []
    return [...clause, ...dialectIn(match[0], match.index, text)]
  })
}

const NOT_PROSE = /^```[\s\S]*?^```$|^[|#<].*$/gm
const SENTENCE_END = /(?<=[.!?:;])\s+|\n\n+|\n(?=[-*\d])/

/** Finds what is not plain in a page of Markdown: code, tables and headings are left out. */
export function placesOfPage(text: string): readonly Place[] {
  const prose = text
    .replaceAll(NOT_PROSE, block => block.replaceAll(/[^\n]/g, ' '))
    .replaceAll(/\]\([^)\n]*\)/g, ']')
  const long: Place[] = []
  let at = 0
  for (const sentence of prose.split(SENTENCE_END)) {
    const begin = prose.indexOf(sentence, at)
    at = begin + sentence.length
    const words = sentence.split(/\s+/).filter(word => /\w/.test(word)).length
    if (words > LONGEST_SENTENCE)
      long.push({
        kind: 'long',
        line: lineOf(prose, begin),
        said: `${words} words: ${sentence.trim().slice(0, 60)}…`,
      })
  }
  return [...long, ...dialectIn(prose, 0, prose)]
}
