import type { Handoff } from '@colloquy/client/http'
import { effect, signal } from '@preact/signals'
import { api } from '../../api.ts'
import { attention } from '../../attention.ts'
import { newId } from '../../data/new-id.ts'
import type { SentFile } from '../../data/sent-file.ts'
import { account, me } from '../../session.ts'
import { choice } from './choice.ts'
import {
  attentionOf,
  type Desk,
  type DeskEvent,
  deskAfter,
  emptyDesk,
  isForOther,
  type Line,
  type Talk,
  waitingOf,
} from './desk-state.ts'
import { followDesk } from './event-stream.ts'
import { notify } from './notices.ts'
import { beep } from './sound.ts'

/** Whether a sound announces new visitors and messages. @default off */
export const sound = choice('desk-sound')

/** The desk as it is known now. It goes on while the person is elsewhere in the console: visitors wait for answers. */
export const desk = signal<Desk>(emptyDesk(''))

/** The conversation that is looked at. */
const looking = signal<string | null>(null)

/** Counts the waiting visitors whom this person may take at once. */
const toTake = (): number => waitingOf(desk.value).filter(one => !isForOther(desk.value, one)).length

function tell(event: DeskEvent): void {
  const before = attentionOf(desk.value)
  const talks = desk.value.talks
  const waitedBefore = toTake()
  desk.value = deskAfter(desk.value, event)
  const id = looking.value
  const isHere = !desk.value.pausing.has(desk.value.me)
  if (event.type === 'frame' && isHere && attentionOf(desk.value) > before && sound.value === 'on') beep()
  if (event.type === 'frame' && event.frame.type === 'handoff.accepted') readGiven(event.frame.handoff, talks)
  const waiting = toTake()
  if (event.type === 'frame' && isHere && waiting > waitedBefore && document.visibilityState === 'hidden')
    notify(waiting)
  const isSeen = document.visibilityState === 'visible' && id !== null
  if (isSeen && (desk.value.talks.get(id)?.unread ?? 0) > 0)
    desk.value = deskAfter(desk.value, { type: 'seen', handoffId: id })
}

/** Reads the transcript of a visitor whom a colleague has just transferred to this person. */
function readGiven({ handoff_id: id, agent }: Handoff, before: Desk['talks']): void {
  const isNew = before.get(id)?.over !== null
  if (!isCaughtUp || !isNew || takenNow === id || agent?.id !== desk.value.me) return
  api.readHandoff({ id }).then(
    handoff => tell({ type: 'read', handoff }),
    () => {
      // It is read when the stream is opened again.
    },
  )
}

/** Reads the visitors at the desk and the transcripts of this person's talks, after frames may have been missed. */
async function catchUp(signal: AbortSignal): Promise<void> {
  const [waiting, active] = await Promise.all([
    api.listHandoffs({ status: 'waiting' }, { signal }),
    api.listHandoffs({ status: 'active' }, { signal }),
  ])
  tell({ type: 'listed', handoffs: [...waiting.handoffs, ...active.handoffs] })
  const mine = [...desk.value.talks.values()].filter(({ over }) => over === null)
  for (const { handoff } of mine)
    tell({ type: 'read', handoff: await api.readHandoff({ id: handoff.handoff_id }, { signal }) })
  isCaughtUp = true
}

/** Whether the events before the start of the stream are known. */
let isCaughtUp = false

/** The channel for a person's tabs to announce their own messages. The desk's stream only has messages of visitors. */
const tabs = new BroadcastChannel('colloquy-console-desk')

interface Told {
  readonly key: string
  readonly handoffId: string
  readonly line: Line
}

tabs.addEventListener('message', ({ data }: MessageEvent<Told>) => {
  if (data.key === following?.key) tell({ type: 'said', handoffId: data.handoffId, line: data.line })
})

/** The followed desk: one account's, for one person. */
let following: { readonly key: string; readonly end: AbortController } | null = null

/** Follows the desk of the account from now on, once. */
export function openDesk(): void {
  const person = me.value?.person.id ?? ''
  const key = `${account.value?.id ?? ''} ${person}`
  if (following?.key === key) return
  following?.end.abort()
  const end = new AbortController()
  following = { key, end }
  desk.value = emptyDesk(person)
  const listener = {
    opened() {
      isCaughtUp = false
      tell({ type: 'opened' })
      catchUp(end.signal).catch(() => {
        // The stream begins with all who are there; a transcript that could not be read is read with the next gap.
      })
    },
    frame: (frame: Extract<DeskEvent, { type: 'frame' }>['frame']) => tell({ type: 'frame', frame }),
    lost: () => tell({ type: 'lost' }),
  }
  void followDesk(person, listener, end.signal)
}

effect(() => {
  attention.value = attentionOf(desk.value)
})

/** Selects a conversation, or none. */
export function look(id: string | null): void {
  looking.value = id
  if (id !== null) tell({ type: 'seen', handoffId: id })
}

/** Whom this person has taken just now: the place to write in is where they go on. */
let takenNow: string | null = null

/** True once for a visitor who was just taken here. */
export function isTakenNow(id: string): boolean {
  const isIt = takenNow === id
  if (isIt) takenNow = null
  return isIt
}

/**
 * Takes a visitor, also from the live agent who has them.
 *
 * @throws ApiError, HANDOFF_CONFLICT if somebody else was quicker
 */
export async function take(id: string, takesOver = false): Promise<void> {
  // The desk's stream may report it before the response is here.
  takenNow = id
  try {
    const handoff = await api.acceptHandoff({ id, body: takesOver ? { take_over: true } : {} })
    tell({ type: 'read', handoff })
  } catch (error) {
    takenNow = null
    throw error
  }
}

/** Declines a visitor who is offered to this person. */
export const decline = (id: string): Promise<unknown> => api.declineHandoff({ id, body: {} })

/** Says something to a visitor; what was not sent stays, to be sent again under the same id. */
export async function say(
  handoffId: string,
  {
    text,
    files = [],
    id = newId(),
  }: { readonly text: string; readonly files?: readonly SentFile[]; readonly id?: string },
): Promise<void> {
  const at = new Date().toISOString()
  const words = text === '' ? files.map(({ name }) => name).join(', ') : text
  const agent = { id: desk.value.me }
  const said = { id, from: 'live_agent', text: words, at, files, agent } as const
  tell({ type: 'said', handoffId, line: { ...said, state: 'sending' } })
  const file_ids = files.map(({ file_id }) => file_id)
  const body = { text: words, message_id: id, ...(file_ids.length === 0 ? {} : { file_ids }) }
  const sent = api.sendHandoffMessage({ id: handoffId, body }).then(
    () => true,
    () => false,
  )
  const isSent = await sent
  tell({ type: 'settled', handoffId, lineId: id, isSent })
  if (!isSent || following === null) return
  const line: Line = { ...said, state: 'done' }
  tabs.postMessage({ key: following.key, handoffId, line } satisfies Told)
}

/** Sets this person away, or back. */
export async function setAway(isAway: boolean): Promise<void> {
  const { me: agent_id } = desk.value
  await api.updateColleague({ liveAgentId: agent_id, body: { away: isAway } })
  const away_since = isAway ? new Date().toISOString() : null
  tell({ type: 'frame', frame: { type: 'colleague.away', agent_id, away_since } })
}

/** Writes a note for colleagues about a conversation. */
export async function writeNote(
  handoffId: string,
  body: Parameters<typeof api.writeHandoffNote>[0]['body'],
): Promise<void> {
  const note = await api.writeHandoffNote({ id: handoffId, body })
  tell({ type: 'frame', frame: { type: 'handoff.note', handoff_id: handoffId, note } })
}

/** Asks the host's model for the summary of a conversation again. */
export async function summarizeAgain(id: string): Promise<void> {
  const summary = await api.summarizeHandoff({ id })
  tell({ type: 'frame', frame: { type: 'handoff.summary', handoff_id: id, summary } })
}

/** Leaves a visitor, whose session ends, or returns them to the agent. */
export async function end({ handoff: { handoff_id: id } }: Talk, how: 'leave' | 'return'): Promise<void> {
  const isReturned = how === 'return'
  await (isReturned ? api.returnHandoff({ id }) : api.leaveHandoff({ id }))
  const reason = isReturned ? { reason: 'returned' } : {}
  tell({ type: 'frame', frame: { type: 'handoff.ended', handoff_id: id, ...reason } })
}

/** A colleague or a queue, and why. */
type Target = Parameters<typeof api.transferHandoff>[0]['body']

/** Transfers a visitor to a colleague or to a queue. */
export async function transfer(id: string, to: Target): Promise<void> {
  const handoff = await api.transferHandoff({ id, body: to })
  const isOther = handoff.handoff_id !== id
  if (isOther)
    tell({ type: 'frame', frame: { type: 'handoff.ended', handoff_id: id, reason: 'transferred' } })
  tell({ type: 'frame', frame: { type: isOther ? 'handoff.waiting' : 'handoff.accepted', handoff } })
}

export const putAway = (handoffId: string): void => tell({ type: 'put_away', handoffId })
