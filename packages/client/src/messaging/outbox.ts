import { clearTimers, type Draft, setTimer } from './draft.ts'
import type { Level } from './events.ts'
import { writeFrame } from './frames.ts'
import type { Pending } from './state.ts'
import type { ClientPayloads } from './wire.ts'

/** Time limit for the answer to an event, milliseconds. After it the connection counts as dead. */
const ANSWER_WAIT = 20_000

/** Pauses after a message was refused for its rate: doubled each time, milliseconds. */
const FIRST_THROTTLE = 1_000
const LONGEST_THROTTLE = 30_000

function frameOf({ config: { brand } }: Draft, { files, id, kind, text }: Pending): string {
  const named = files && { file_ids: files.map(file => file.id) }
  if (kind === 'message') return writeFrame('USER_MESSAGE', { text, ...named }, brand, id)
  return writeFrame(kind === 'join' ? 'REQUEST_AI_AGENT_JOIN' : 'USER_END_SESSION', {}, brand, id)
}

function transmit(draft: Draft, frame: string): void {
  draft.effects.push({ type: 'transmit', frame })
}

/** Sends an event that is not stored. */
export function tell<Name extends keyof ClientPayloads>(
  draft: Draft,
  name: Name,
  payload: ClientPayloads[Name],
): void {
  transmit(draft, writeFrame(name, payload, draft.config.brand))
}

/** Keeps an event until it has its answer. A join is not stored: a returning client asks for it again. */
export function keep(draft: Draft, pending: Pending): void {
  draft.outbox = [...draft.outbox.filter(({ id }) => id !== pending.id), pending]
  if (pending.kind !== 'join') draft.effects.push({ type: 'store pending', pending })
}

/** Changes an event in its place. */
function amend(draft: Draft, id: string, changes: Partial<Pending>): void {
  draft.outbox = draft.outbox.map(one => {
    if (one.id !== id) return one
    const pending = { ...one, ...changes }
    if (one.kind !== 'join') draft.effects.push({ type: 'store pending', pending })
    return pending
  })
}

export function forget(draft: Draft, id: string): void {
  draft.outbox = draft.outbox.filter(one => one.id !== id)
  draft.effects.push({ type: 'forget pending', id })
}

function send(draft: Draft, pending: Pending): void {
  const session = draft.session?.id ?? null
  if (pending.session !== session) amend(draft, pending.id, { session })
  transmit(draft, frameOf(draft, pending))
}

/** Sends the oldest event that waits, once the one before has its answer: so that refusals change no order. */
export function flush(draft: Draft): void {
  if (draft.phase !== 'ready' || draft.holding || draft.verifying || draft.inFlight !== null) return
  const next = draft.outbox.find(({ problem }) => problem === null)
  if (next === undefined) return
  draft.inFlight = next.id
  setTimer(draft, 'answer', ANSWER_WAIT)
  send(draft, next)
}

/** Sends an event past those that wait. It goes again in its turn, which has no effect. */
export function sendNow(draft: Draft, pending: Pending): void {
  if (draft.phase === 'ready') send(draft, pending)
}

function answered(draft: Draft, id: string): void {
  if (draft.inFlight !== id) return
  draft.inFlight = null
  clearTimers(draft, 'answer')
}

/** It took effect. */
export function settle(draft: Draft, id: string): void {
  answered(draft, id)
  draft.throttled = 0
  forget(draft, id)
}

/** It was refused, with words for the visitor or none. */
export function refuse(draft: Draft, id: string, problem: string): void {
  answered(draft, id)
  const kind = draft.outbox.find(one => one.id === id)?.kind
  if (kind === 'message') amend(draft, id, { problem })
  else forget(draft, id)
}

/** Applies the server's refusal of an event. A warning means that it came too soon. */
export function takeRefusal(draft: Draft, id: string, level: Level, words: string): void {
  if (level === 'error') {
    const isMessage = draft.outbox.some(one => one.id === id && one.kind === 'message')
    if (!isMessage) draft.log = { ...draft.log, notice: { level, message: words } }
    refuse(draft, id, words)
    return
  }
  answered(draft, id)
  draft.holding = true
  draft.throttled += 1
  const wait = Math.min(LONGEST_THROTTLE, FIRST_THROTTLE * 2 ** (draft.throttled - 1))
  setTimer(draft, 'unthrottle', wait, wait * 1.5)
}

/**
 * The session is over. Events that were sent to it may have been applied. In another session they could be there twice,
 * so the visitor decides. Unsent events wait for the next session, if there is one at once.
 */
export function closeOutbox(draft: Draft, hasNext: boolean): void {
  for (const { id, kind, problem, session } of draft.outbox) {
    if (kind !== 'message') forget(draft, id)
    else if (problem === null && (session !== null || !hasNext)) amend(draft, id, { problem: '' })
  }
}
