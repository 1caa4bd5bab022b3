import type { DeskNote, DeskSummary, Handoff, HandoffWithTranscript } from '@colloquy/client/http'
import { withNotes } from '../../data/notes.ts'
import type { SentFile } from '../../data/sent-file.ts'

/** A frame of the desk's stream. */
export type DeskFrame =
  | { readonly type: 'handoff.waiting' | 'handoff.accepted'; readonly handoff: Handoff }
  | {
      readonly type: 'handoff.visitor_message'
      readonly handoff_id: string
      readonly message: {
        readonly message_id: string
        readonly text: string
        readonly sent_at: string
        readonly files?: readonly SentFile[]
      }
    }
  | {
      readonly type: 'handoff.visitor_typing'
      readonly handoff_id: string
      readonly state: 'started' | 'stopped'
    }
  | {
      readonly type: 'handoff.visitor_presence'
      readonly handoff_id: string
      readonly state: 'here' | 'gone'
    }
  | { readonly type: 'handoff.note'; readonly handoff_id: string; readonly note: DeskNote }
  | {
      readonly type: 'handoff.offered'
      readonly handoff_id: string
      readonly offered_to: NonNullable<Handoff['offered_to']> | null
    }
  | { readonly type: 'colleague.away'; readonly agent_id: string; readonly away_since: string | null }
  | { readonly type: 'handoff.summary'; readonly handoff_id: string; readonly summary: DeskSummary }
  | { readonly type: 'handoff.ended'; readonly handoff_id: string; readonly reason?: string }

/** One line of a conversation; those of the transcript have no id. */
export interface Line {
  readonly id: string | null
  readonly from: 'visitor' | 'ai_agent' | 'live_agent'
  readonly text: string
  readonly at: string
  readonly state: 'done' | 'sending' | 'failed'
  readonly files?: readonly SentFile[]
  /** The live agent who said it. */
  readonly agent?: { readonly id: string; readonly name?: string }
}

/** A visitor whom this person has taken. */
export interface Talk {
  readonly handoff: Handoff
  readonly lines: readonly Line[]
  readonly isTyping: boolean
  /** Number of unread messages of the visitor. */
  readonly unread: number
  /**
   * The reason why it is over (the reason may be null), and who has the visitor instead, if anybody; null while it goes
   * on.
   */
  readonly over: { readonly reason: string | null; readonly with?: string } | null
}

export interface Desk {
  /** The person whose desk this is. */
  readonly me: string
  /** All waiting and active handoffs, of every live agent. */
  readonly handoffs: ReadonlyMap<string, Handoff>
  /** The talks of this person, in the order in which they were taken. */
  readonly talks: ReadonlyMap<string, Talk>
  /** Notes of colleagues, by handoff, as far as they are known. */
  readonly notes: ReadonlyMap<string, readonly DeskNote[]>
  /** Summaries by handoff, as far as they are known. */
  readonly summaries: ReadonlyMap<string, DeskSummary>
  /** Whether the host's model suggests replies. */
  readonly canSuggest: boolean
  /** Those whose visitors have no connection any more. */
  readonly away: ReadonlySet<string>
  /** Live agents who take no new visitors. */
  readonly pausing: ReadonlySet<string>
  /** Handoffs that have ended since the stream was opened. A list from before may still contain them. */
  readonly gone: ReadonlySet<string>
  /** Handoffs that the stream has reported since it was opened: an older list may not have them yet. */
  readonly fresh: ReadonlySet<string>
  readonly isLive: boolean
}

export type DeskEvent =
  | { readonly type: 'opened' }
  | { readonly type: 'lost' }
  | { readonly type: 'frame'; readonly frame: DeskFrame }
  | { readonly type: 'listed'; readonly handoffs: readonly Handoff[] }
  | { readonly type: 'read'; readonly handoff: HandoffWithTranscript }
  | { readonly type: 'said'; readonly handoffId: string; readonly line: Line }
  | {
      readonly type: 'settled'
      readonly handoffId: string
      readonly lineId: string
      readonly isSent: boolean
    }
  | { readonly type: 'seen'; readonly handoffId: string }
  | { readonly type: 'put_away'; readonly handoffId: string }

export const emptyDesk = (me: string): Desk => ({
  me,
  handoffs: new Map(),
  talks: new Map(),
  notes: new Map(),
  summaries: new Map(),
  canSuggest: false,
  away: new Set(),
  pausing: new Set(),
  gone: new Set(),
  fresh: new Set(),
  isLive: false,
})

function put<Value>(map: ReadonlyMap<string, Value>, key: string, value: Value): ReadonlyMap<string, Value> {
  return new Map(map).set(key, value)
}

function without<Value>(map: ReadonlyMap<string, Value>, key: string): ReadonlyMap<string, Value> {
  const rest = new Map(map)
  rest.delete(key)
  return rest
}

/** Returns a set with a member, or without it. */
function marked(set: ReadonlySet<string>, id: string, isIn: boolean): ReadonlySet<string> {
  const next = new Set(set)
  if (isIn) next.add(id)
  else next.delete(id)
  return next
}

function withTalk(desk: Desk, id: string, change: (talk: Talk) => Talk): Desk {
  const talk = desk.talks.get(id)
  return talk === undefined ? desk : { ...desk, talks: put(desk.talks, id, change(talk)) }
}

const newTalk = (handoff: Handoff): Talk => ({ handoff, lines: [], isTyping: false, unread: 0, over: null })

/** Applies the state of a handoff. A late report never moves a visitor back into the queue, nor back from the end. */
function know(desk: Desk, handoff: Handoff): Desk {
  const { handoff_id: id, status } = handoff
  const known = desk.handoffs.get(id)
  const isLate = desk.gone.has(id) || (known?.status === 'active' && status !== 'active')
  if (isLate || status === 'over') return desk
  const next = { ...desk, handoffs: put(desk.handoffs, id, handoff) }
  if (status !== 'active') return next
  // Somebody else has taken the visitor over.
  if (handoff.agent?.id !== desk.me)
    return withTalk(next, id, talk => ({
      ...talk,
      handoff,
      isTyping: false,
      over: { reason: null, with: handoff.agent?.name ?? '' },
    }))
  const talk = desk.talks.get(id) ?? newTalk(handoff)
  // A visitor from a colleague asks for attention.
  const unread = talk.unread + (known?.status === 'active' && known.agent?.id !== desk.me ? 1 : 0)
  // One whom somebody else had meanwhile is this person's again.
  const over = talk.over?.with === undefined ? talk.over : null
  return { ...next, talks: put(desk.talks, id, { ...talk, handoff, over, unread }) }
}

/** Adds notes about a conversation. */
const noted = (desk: Desk, id: string, notes: readonly DeskNote[]): Desk =>
  desk.handoffs.has(id) || desk.talks.has(id)
    ? { ...desk, notes: put(desk.notes, id, withNotes(desk.notes.get(id) ?? [], notes)) }
    : desk

/** Applies to whom a waiting visitor is offered; null: to anyone. */
function offer(desk: Desk, id: string, to: NonNullable<Handoff['offered_to']> | null): Desk {
  const known = desk.handoffs.get(id)
  if (known === undefined) return desk
  const { offered_to: _, ...rest } = known
  return { ...desk, handoffs: put(desk.handoffs, id, to === null ? rest : { ...rest, offered_to: to }) }
}

/** Notes a summary, unless a newer one is known. */
function summarized(desk: Desk, id: string, summary: DeskSummary | undefined): Desk {
  const known = desk.summaries.get(id)
  if (summary === undefined || (known !== undefined && known.at > summary.at)) return desk
  if (!desk.handoffs.has(id) && !desk.talks.has(id)) return desk
  return { ...desk, summaries: put(desk.summaries, id, summary) }
}

function end(desk: Desk, id: string, reason: string | null): Desk {
  const ended = {
    ...desk,
    handoffs: without(desk.handoffs, id),
    notes: desk.talks.has(id) ? desk.notes : without(desk.notes, id),
    summaries: desk.talks.has(id) ? desk.summaries : without(desk.summaries, id),
    away: marked(desk.away, id, false),
    gone: marked(desk.gone, id, true),
  }
  return withTalk(ended, id, talk => ({
    ...talk,
    isTyping: false,
    over: talk.over?.with === undefined ? (talk.over ?? { reason }) : { reason },
  }))
}

/** Notes the newest words of a visitor who waits. */
function saidLast(desk: Desk, id: string, line: NonNullable<Handoff['last_line']>): Desk {
  const handoff = desk.handoffs.get(id)
  if (handoff === undefined || handoff.status === 'active') return desk
  return { ...desk, handoffs: put(desk.handoffs, id, { ...handoff, last_line: line }) }
}

function frameOf(desk: Desk, frame: DeskFrame): Desk {
  switch (frame.type) {
    case 'handoff.waiting':
    case 'handoff.accepted':
      return know({ ...desk, fresh: marked(desk.fresh, frame.handoff.handoff_id, true) }, frame.handoff)
    case 'handoff.ended':
      return end(desk, frame.handoff_id, frame.reason ?? null)
    case 'handoff.offered':
      return offer(desk, frame.handoff_id, frame.offered_to)
    case 'colleague.away':
      return { ...desk, pausing: marked(desk.pausing, frame.agent_id, frame.away_since !== null) }
    case 'handoff.note':
      return noted(desk, frame.handoff_id, [frame.note])
    case 'handoff.summary':
      return summarized(desk, frame.handoff_id, frame.summary)
    case 'handoff.visitor_presence':
      return { ...desk, away: marked(desk.away, frame.handoff_id, frame.state === 'gone') }
    case 'handoff.visitor_typing':
      return withTalk(desk, frame.handoff_id, talk => ({ ...talk, isTyping: frame.state === 'started' }))
    case 'handoff.visitor_message': {
      const { message_id: id, text, sent_at: at, files = [] } = frame.message
      return withTalk(saidLast(desk, frame.handoff_id, { text, at }), frame.handoff_id, talk =>
        talk.lines.some(line => line.id === id)
          ? talk
          : {
              ...talk,
              isTyping: false,
              unread: talk.unread + 1,
              lines: [...talk.lines, { id, from: 'visitor', text, at, state: 'done', files }],
            },
      )
    }
  }
}

/** Merges the transcript with the lines that came after it or have not been sent. */
function merged(talk: Talk, transcript: HandoffWithTranscript['transcript']): readonly Line[] {
  const last = transcript.at(-1)?.at ?? ''
  const later = talk.lines.filter(({ id, state, at }) => state !== 'done' || (id !== null && at > last))
  return [...transcript.map(line => ({ ...line, id: null, state: 'done' as const })), ...later]
}

/** Counts the visitor's messages since the last reading of the transcript that the stream did not deliver. */
function saidMeanwhile({ lines }: Talk, transcript: HandoffWithTranscript['transcript']): number {
  const before = lines.findLast(({ id }) => id === null)?.at
  if (before === undefined) return 0
  const since = (list: readonly { readonly from: string; readonly at: string }[]): number =>
    list.filter(({ from, at }) => from === 'visitor' && at > before).length
  return Math.max(0, since(transcript) - since(lines))
}

/** Applies a list of all handoffs. A known one that is not in it has ended in the meantime. */
function list(desk: Desk, handoffs: readonly Handoff[]): Desk {
  const named = new Set(handoffs.map(({ handoff_id }) => handoff_id))
  const missed = [...desk.handoffs.keys()].filter(id => !named.has(id) && !desk.fresh.has(id))
  const left = missed.reduce((before, id) => end(before, id, null), desk)
  return handoffs.reduce(know, left)
}

/** Returns the desk after an event. */
export function deskAfter(desk: Desk, event: DeskEvent): Desk {
  switch (event.type) {
    case 'opened':
      return { ...desk, isLive: true, away: new Set(), pausing: new Set(), gone: new Set(), fresh: new Set() }
    case 'lost':
      return {
        ...{ ...desk, isLive: false },
        talks: new Map([...desk.talks].map(([id, talk]) => [id, { ...talk, isTyping: false }])),
      }
    case 'frame':
      return frameOf(desk, event.frame)
    case 'listed':
      return list(desk, event.handoffs)
    case 'read': {
      const { can_suggest: canSuggest, transcript, notes, summary, ...handoff } = event.handoff
      const read = noted(know({ ...desk, canSuggest }, handoff), handoff.handoff_id, notes)
      return withTalk(summarized(read, handoff.handoff_id, summary), handoff.handoff_id, talk => ({
        ...talk,
        unread: talk.unread + saidMeanwhile(talk, transcript),
        lines: merged(talk, transcript),
      }))
    }
    case 'said':
      return withTalk(desk, event.handoffId, talk => ({
        ...talk,
        lines: [...talk.lines.filter(({ id }) => id !== event.line.id), event.line],
      }))
    case 'settled':
      return withTalk(desk, event.handoffId, talk => ({
        ...talk,
        lines: talk.lines.map(line =>
          line.id === event.lineId ? { ...line, state: event.isSent ? 'done' : 'failed' } : line,
        ),
      }))
    case 'seen':
      return withTalk(desk, event.handoffId, talk => ({ ...talk, unread: 0 }))
    case 'put_away':
      return desk.talks.get(event.handoffId)?.over
        ? {
            ...desk,
            talks: without(desk.talks, event.handoffId),
            notes: without(desk.notes, event.handoffId),
            summaries: without(desk.summaries, event.handoffId),
          }
        : desk
  }
}

const byArrival = (one: Handoff, other: Handoff): number =>
  one.waiting_since < other.waiting_since ? -1 : Number(one.waiting_since > other.waiting_since)

/** Returns the waiting handoffs, the longest waiting first. */
export const waitingOf = ({ handoffs }: Desk): readonly Handoff[] =>
  [...handoffs.values()].filter(({ status }) => status !== 'active').sort(byArrival)

/** Reports whether a waiting visitor is offered to somebody else. */
export const isForOther = ({ me }: Pick<Desk, 'me'>, { offered_to }: Handoff): boolean =>
  offered_to !== undefined && offered_to.id !== me

/** Returns the waiting visitor to take next: who is offered to this person, else the first who is for anyone. */
export function nextOf(desk: Desk): Handoff | undefined {
  const waiting = waitingOf(desk)
  return (
    waiting.find(({ offered_to }) => offered_to?.id === desk.me) ??
    waiting.find(({ offered_to }) => offered_to === undefined)
  )
}

/** Returns the handoffs that somebody else has taken. */
export const takenByOthers = ({ handoffs, me }: Desk): readonly Handoff[] =>
  [...handoffs.values()].filter(({ status, agent }) => status === 'active' && agent?.id !== me)

/** Counts the items that ask for attention: visitors who wait for this person or anyone, and unread messages. */
export const attentionOf = (desk: Desk): number =>
  waitingOf(desk).filter(one => !isForOther(desk, one)).length +
  [...desk.talks.values()].reduce((sum, { unread }) => sum + unread, 0)

/** Returns the conversation beside this one, round and round; null without any. */
export function besides(desk: Desk, id: string | undefined, step: 1 | -1): string | null {
  const ids = [...desk.talks.keys()]
  if (ids.length === 0) return null
  const at = id === undefined ? -1 : ids.indexOf(id)
  if (at < 0) return (step === 1 ? ids[0] : ids.at(-1)) ?? null
  return ids[(at + step + ids.length) % ids.length] ?? null
}
