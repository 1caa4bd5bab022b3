import { wellFormedText } from '../domain/cut-text.ts'
import { dot, unitVectors } from '../domain/unit-vectors.ts'
import type { Embedder } from '../ports/embedder.ts'
import type { ReplayJudge } from '../ports/replay-judge.ts'
import { refuseNumbers } from './refuse-numbers.ts'
import { refuseUnknown } from './refuse-unknown.ts'

/** Options of {@link createMeaningJudge}. */
export interface MeaningJudgeOptions {
  readonly embedder: Embedder
  /** The likeness of two replies, from 0 to 1, from which they mean the same. @default 0.85 */
  readonly alike?: number
}

/**
 * Returns a judge for replays that compares the meaning of two replies by an embedder: an answer from another topic
 * that means the same is `reworded`, other words that mean something else are `changed`. Anything else stays as it
 * is by rule (TE93).
 *
 * @throws SCHEMA_VALIDATION_FAILED for an unknown option, and a likeness that is none (EM4)
 */
export function createMeaningJudge(options: MeaningJudgeOptions): ReplayJudge {
  refuseUnknown('createMeaningJudge', options, ['embedder', 'alike'])
  refuseNumbers(options, { alike: { least: 0, most: 1, isShare: true } })
  const { embedder, alike = 0.85 } = options
  return {
    version: `meaning ${alike} ${embedder.id}`.slice(0, 200),
    async compare({ rule, before, now }, signal) {
      const texts = [before.reply, now.reply].map(wellFormedText)
      if ((rule.reason !== 'topic' && rule.reason !== 'text') || texts.includes(''))
        return { verdict: rule.verdict, reason: 'Meaning says nothing about this difference.' }
      const [one, other] = unitVectors(await embedder.embed(texts, signal), 2)
      const likeness = one === undefined || other === undefined ? 0 : dot(one, other)
      const verdict = likeness >= alike ? 'reworded' : 'changed'
      return { verdict, reason: `The replies are alike by ${likeness.toFixed(2)}.` }
    },
  }
}
