import type { TextPairStore } from '../../ports/store/text-pairs.ts'
import type { Guarded } from '../guarded.ts'
import { idOf } from '../kind-parts.ts'
import { TEXT_PAIR } from '../kinds.ts'

/** Pairs of numbers that text each other. */
export const textPairsOver = ({ one, save }: Guarded): TextPairStore => ({
  find: (ours, theirs) => one(TEXT_PAIR, idOf(ours, theirs)),
  save: async (pair, expectedVersion) => ((await save(TEXT_PAIR, pair, expectedVersion)) ? 'saved' : 'stale'),
})
