import { RE2JS, RE2JSException } from 're2js'
import { REAL_TIME_CONFIG_LIMITS as LIMITS } from './real-time-config.ts'

/** A compiled regular expression. */
export interface Pattern {
  /** Found anywhere in the text; takes time in proportion to the text's length times `size`. */
  test(text: string): boolean
  /** Instructions. */
  readonly size: number
}

/** The regular expressions of one schema; `add` returns what is wrong with one, or null. */
export interface PatternSet {
  readonly patterns: ReadonlyMap<string, Pattern>
  add(source: string): string | null
}

/**
 * Compiles regular expressions with RE2, which takes linear time whatever the expression and the text. What RE2 does
 * not know, such as look-around and back-references, is refused.
 */
export function createPatternSet(): PatternSet {
  const patterns = new Map<string, Pattern>()
  let length = 0
  let size = 0

  function compile(source: string): string | null {
    try {
      const compiled = RE2JS.compile(RE2JS.translateRegExp(source))
      size += compiled.programSize()
      patterns.set(source, { test: text => compiled.test(text), size: compiled.programSize() })
    } catch (error) {
      if (!(error instanceof RE2JSException)) throw error
      const reason = error.message.replace('error parsing regexp: ', '')
      return `is not a regular expression of RE2, which has no look-around and no back-references (${reason})`
    }
    if (size <= LIMITS.patternsSize) return null
    return `is too large: the regular expressions of a schema have at most ${LIMITS.patternsSize} instructions, and a repetition counts as often as it may repeat`
  }

  return {
    patterns,
    add(source) {
      if (patterns.has(source)) return null
      if (source.length > LIMITS.patternLength)
        return `is longer than ${LIMITS.patternLength} characters, the limit of a regular expression`
      length += source.length
      if (length > LIMITS.patternsLength || size > LIMITS.patternsSize)
        return `is one too many: the regular expressions of a schema have at most ${LIMITS.patternsLength} characters altogether`
      return compile(source)
    },
  }
}
