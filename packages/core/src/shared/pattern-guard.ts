import { patternGuardSchema, phraseTest } from '../domain/guard/denied-phrases.ts'
import { parse } from '../domain/parse.ts'
import type { Guard } from '../ports/guard.ts'

/** The options of a guard by phrases. */
export interface PatternGuardOptions {
  /** Phrases of whole words that are denied, in any case and with any accents: 1 to 1,000, of 200 characters. */
  readonly deny: readonly string[]
  /** The agent says this in place of a denied message or reply. */
  readonly say: string
  /** Hands the conversation off as well, to this destination. @default it goes on */
  readonly handOver?: string
}

/**
 * Returns a guard that denies messages and replies with certain phrases (GU7). It compares words and takes no regular
 * expressions, so its time grows with the length of the text alone. It does not find what is said in other words.
 *
 * @throws SCHEMA_VALIDATION_FAILED for an invalid option
 */
export function createPatternGuard(options: PatternGuardOptions): Guard {
  const { deny, handOver, say } = parse(patternGuardSchema(), options, "createPatternGuard's option field")
  const isDenied = phraseTest(deny)
  return {
    judge({ beside, text }) {
      if (![text, ...beside].some(isDenied)) return { verdict: 'allow' }
      return handOver === undefined
        ? { verdict: 'refuse', text: say }
        : { verdict: 'hand_over', destination: handOver, reason: 'Denied words', text: say }
    },
  }
}
