import type { ReceivedEvent } from '../../packages/core/src/testing/index.ts'

/** A frame with the instant at which it arrived, milliseconds. */
export interface TimedFrame {
  readonly at: number
  readonly frame: ReceivedEvent
}

interface Handled {
  readonly at: number
  readonly events: readonly ReceivedEvent[]
}

const placeOf = ({ sequence }: ReceivedEvent): number => sequence ?? Number.MAX_SAFE_INTEGER

const eventsOf = ({ payload }: ReceivedEvent): readonly ReceivedEvent[] =>
  Array.isArray(payload.events) ? payload.events : []

/** Handles frames one after the other, each as late after its arrival as `lag` says. */
function task(frames: readonly TimedFrame[], lag: () => number): readonly Handled[] {
  let free = 0
  return frames.map(({ at, frame }) => {
    free = Math.max(free, at + lag())
    const events = frame.type === 'EVENT_TYPE_EVENT_BATCH' ? eventsOf(frame) : [frame]
    return { at: free, events: events.toSorted((one, other) => placeOf(one) - placeOf(other)) }
  })
}

/**
 * The bubbles on the screen of a client that was just started, as an SDK of the field makes them: batches and single
 * frames are read in two tasks, an event whose id was had is left out, and the text of a chunk goes into the open bubble,
 * which a complete chunk closes, whatever message it belongs to (contract/messaging.md, Streaming).
 *
 * @param lag milliseconds by which a task is late with a frame, for each frame
 */
export function bubblesOf(frames: readonly TimedFrame[], lag: () => number): readonly string[] {
  const isBatch = ({ frame }: TimedFrame): boolean => frame.type === 'EVENT_TYPE_EVENT_BATCH'
  const singles = task(
    frames.filter(one => !isBatch(one)),
    lag,
  )
  const batches = task(frames.filter(isBatch), lag)
  const had = new Set<string>()
  const bubbles: string[] = []
  let isOpen = false
  // At one instant the single frames come first: the worse of both orders.
  for (const { events } of [...singles, ...batches].toSorted((one, other) => one.at - other.at))
    for (const { id, sequence, type, payload } of events) {
      if (sequence !== null && had.has(id)) continue
      had.add(id)
      if (type !== 'EVENT_TYPE_AI_AGENT_MESSAGE_CHUNK') continue
      const text = `${isOpen ? (bubbles.pop() ?? '') : ''}${payload.text}`
      bubbles.push(text)
      isOpen = payload.is_complete === false
    }
  return bubbles
}
