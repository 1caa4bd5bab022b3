import type { ConversationId } from '../ids.ts'

/** The number of conversations of a sample that cite a topic, where there are as many (TE69). */
export const STRATUM = 5

/** A conversation that may be replayed. */
export interface ReplayCandidate {
  readonly id: ConversationId
  /** The topics that its replies rest on, each once. */
  readonly topics: readonly string[]
}

/** Returns the conversations that cite each topic, those of the rarest topic first. */
function byTopic(candidates: readonly ReplayCandidate[]): readonly (readonly ReplayCandidate[])[] {
  const citing = new Map<string, ReplayCandidate[]>()
  for (const one of candidates)
    for (const topic of new Set(one.topics)) citing.set(topic, [...(citing.get(topic) ?? []), one])
  return [...citing.values()].sort((one, other) => one.length - other.length)
}

/**
 * Chooses at most `size` conversations: first up to five for each cited topic, the rarest topic first, then the first
 * ones. So rare topics are seen. Keeps the order.
 */
export function stratified(candidates: readonly ReplayCandidate[], size: number): readonly ReplayCandidate[] {
  const chosen = new Set<ReplayCandidate>()
  const topics = byTopic(candidates)
  for (let wanted = 1; wanted <= STRATUM; wanted++)
    for (const citing of topics) {
      if (chosen.size >= size) break
      if (citing.filter(one => chosen.has(one)).length >= wanted) continue
      const next = citing.find(one => !chosen.has(one))
      if (next !== undefined) chosen.add(next)
    }
  for (const one of candidates) if (chosen.size < size) chosen.add(one)
  return candidates.filter(one => chosen.has(one))
}
