import { startOf } from '../../domain/cut-text.ts'
import { packVector } from '../../domain/packed-vector.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Embedder } from '../../ports/embedder.ts'
import type { ClaimedTurnVectors, TurnToEmbed } from '../../ports/store/turn-vectors.ts'
import type { Settings } from '../../settings/settings.ts'
import { embedWithin } from '../../shared/embed-within.ts'

/** The dependencies of embedding. */
export interface EmbeddingPorts {
  readonly embedder: Embedder
  readonly clock: Clock
  readonly settings: Settings
}

const SIDES = ['user', 'agent'] as const

/** Returns the packed vectors of turns. Null for a side without text. Rejects as `embedWithin`: there are no gaps. */
export async function embedTurns(
  ports: EmbeddingPorts,
  turns: readonly TurnToEmbed[],
  signal: AbortSignal,
): Promise<readonly ClaimedTurnVectors[]> {
  const { batchTimeout, textLength } = ports.settings.semanticSearch
  const said = turns.flatMap(turn =>
    SIDES.map(side => ({ turn: turn.turn, side, text: startOf(turn[side].trim(), textLength) })),
  )
  const spoken = said.filter(({ text }) => text !== '')
  if (spoken.length === 0) return []
  const texts = spoken.map(({ text }) => text)
  const vectors = await embedWithin(ports, texts, batchTimeout, signal)
  const packed = new Map(spoken.map(({ turn, side }, at) => [`${turn} ${side}`, vectors[at]]))
  const packedOf = (turn: number, side: (typeof SIDES)[number]): Uint8Array | null => {
    const vector = packed.get(`${turn} ${side}`)
    return vector === undefined ? null : packVector(vector)
  }
  return turns.map(({ turn }) => ({ turn, user: packedOf(turn, 'user'), agent: packedOf(turn, 'agent') }))
}

/** Reports whether the embedder can embed a plain text. Then its failure is due to the turns. */
export async function doesPlainText(ports: EmbeddingPorts, signal: AbortSignal): Promise<boolean> {
  // A new text each time: an embedder with a cache would answer a known one even while its model is down.
  const text = `Hello at ${ports.clock.now()}.`
  try {
    await embedWithin(ports, [text], ports.settings.semanticSearch.batchTimeout, signal)
    return true
  } catch {
    return false
  }
}
