import { payloadText } from '../../domain/conversation/decided-event.ts'
import type { ConversationEvent, NewEvent } from '../../domain/conversation/event.ts'
import type { Batch, Condition } from '../documents.ts'
import { absent, type Guarded } from '../guarded.ts'
import { idOf } from '../kind-parts.ts'
import { type HeldEvent, STEP, type Step } from './kinds.ts'

/** As many events are in a step at most: a log that is taken whole comes in several. */
const MOST_EVENTS = 100

/** The progress of a conversation, without the additions of its last write. */
export interface Progress extends Omit<Step, 'added'> {
  readonly id: string
}

/** Returns the position of the newest step in a log of so many events, the last ones of which are added. */
export const newestFirst = (events: number, added: number): number =>
  events + 1 - (added === 0 ? 0 : ((added - 1) % MOST_EVENTS) + 1)

/** Returns the newest step of a log. Null if nothing is left of it. */
export const newestStep = async ({ scan }: Pick<Guarded, 'scan'>, log: string): Promise<Step | null> =>
  (await scan(STEP, 'log', { prefix: [log], descending: true, limit: 1 }))[0] ?? null

/**
 * Returns the conditions that a conversation has not progressed: its newest step is the same, and the next place is
 * empty.
 */
export function still({
  events,
  first,
  log,
  version,
}: Pick<Progress, 'events' | 'first' | 'log' | 'version'>): readonly Condition[] {
  const next = events + 1
  const newest = { kind: STEP, id: idOf(log, first), version }
  return first === next ? [newest] : [newest, absent(STEP, idOf(log, next))]
}

function heldEvent(given: NewEvent): HeldEvent {
  const { at, clientEventId, custom, id, localId, type } = given
  const event = { id, at, type, custom, clientEventId }
  return { event: localId === undefined ? event : { ...event, localId }, payload: payloadText(given) }
}

/** Returns the steps that add events to a log, which are its last ones then. One step if there are none. */
export function stepsOf(
  progress: Omit<Progress, 'id' | 'first'>,
  events: readonly NewEvent[],
): Required<Batch>['put'] {
  const { changes, indexed, log, pending, timer, turns, version, wakeAt, whole } = progress
  const rest = { version, indexed, whole, changes, wakeAt, timer, turns, pending }
  const from = progress.events - events.length + 1
  const put = []
  let at = 0
  do {
    const added = events.slice(at, at + MOST_EVENTS).map(heldEvent)
    const value: Step = { log, first: from + at, added, events: progress.events, ...rest }
    put.push({ kind: STEP, value })
    at += MOST_EVENTS
  } while (at < events.length)
  return put
}

/** Returns the events of steps, with their sequences. Their payloads are as stored. */
export const eventsOf = (
  steps: readonly Pick<Step, 'added' | 'first'>[],
): readonly (HeldEvent & Pick<ConversationEvent, 'sequence'>)[] =>
  steps.flatMap(({ added, first }) => added.map((one, at) => ({ ...one, sequence: first + at })))
