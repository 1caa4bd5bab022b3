import type { ServerEvent } from './envelope.ts'
import { PROTOCOL_LIMITS } from './limits.ts'

/** An event of the log with its text. */
export interface EventText {
  readonly event: ServerEvent
  readonly text: string
}

/**
 * Cuts a replay into batches: at least one, each of at most `perBatch` events and about `batchLength` characters. A first
 * batch that begins the log goes on until it holds `AI_AGENT_JOINED`, if that is there at all: clients decide by the first
 * batch whether they have to ask for the agent (decisions.md section 8, Connect; MS5).
 */
export function cutBatches(events: readonly EventText[], perBatch: number): readonly (readonly string[])[] {
  const mustReach = events[0]?.event.type === 'SESSION_START' ? indexOfJoin(events) : -1
  const batches: string[][] = []
  let batch: string[] = []
  let length = 0
  events.forEach(({ text }, index) => {
    const full =
      batch.length >= perBatch || (batch.length > 0 && length + text.length > PROTOCOL_LIMITS.batchLength)
    if (full && index > mustReach) {
      batches.push(batch)
      batch = []
      length = 0
    }
    batch.push(text)
    length += text.length
  })
  batches.push(batch)
  return batches
}

const indexOfJoin = (events: readonly EventText[]): number =>
  events.findIndex(({ event }) => event.type === 'AI_AGENT_JOINED')
