import { type EventJson, eventOf } from '../../domain/conversation/event.ts'
import type { EventPage } from '../../ports/store/conversations.ts'
import { type Batch, type BatchBounds, cutBatches, type EventText, extended } from '../../protocol/batch.ts'
import { batchText, eventText, storedEventText } from '../../protocol/envelope.ts'
import type { EventNames } from '../../protocol/event-names.ts'
import { expandChunks } from '../../protocol/expand-chunks.ts'
import type { Context } from '../context.ts'
import type { ReadConversation } from '../conversation/engine/engine.ts'
import type { EphemeralSnapshot } from '../room/ephemeral.ts'
import type { Feed } from '../room/feed.ts'
import { Gathering } from './gathering.ts'
import type { VisitorConnection } from './visitor-connection.ts'

/** Events that are read and sent at once. Where more are to come, replays stand in line, page by page (MS6). */
const AT_ONCE = 100

/** The number of attempts at a snapshot, which is retried because something happened meanwhile. */
const ATTEMPTS = 5

/** The time that other processes have to report on a reply in progress, milliseconds. */
const ANSWER_PATIENCE = 250

/**
 * Time between a batch that is sent while a reply streams and the frames after it, milliseconds. Clients read batches
 * and single frames in two tasks: what comes at the same moment may be handled before the batch.
 */
const BATCH_LEAD = 50

/** The start of a replay. */
export interface ReplayedFrom {
  /** The sequence of the newest event that the client has. */
  readonly cursor: number
  /** The conversation as it was before its feed was opened. */
  readonly found: ReadConversation
}

/** The last batch of the log, which is sent with what is gathered meanwhile. */
interface HeldBatch extends Batch {
  /** The version of the conversation when the last page was read. */
  readonly version: EventPage['version']
  /** False if it is empty, and another batch was sent before. */
  readonly isNeeded: boolean
}

/**
 * Brings a new connection up to date: the log after its cursor as `EVENT_BATCH`, with events added meanwhile and the
 * chunks of a reply in progress at its end, then the other ephemeral state; then it joins the feed (MS6, MS29). The
 * feed has been open since the handshake, so later events are either read here or received from the feed.
 */
export async function replay(connection: VisitorConnection, { cursor, found }: ReplayedFrom): Promise<void> {
  const { feed } = connection.session
  const heard = feed.notices
  const held = await sendLog(connection, cursor)
  if (held === null || !connection.open) return
  const gathering = new Gathering(connection, held.newest)
  feed.join(gathering, held.newest)
  // The result is still true if the log had the same version later, and no notice came in between.
  const isStill = found.version === held.version && feed.notices === heard
  const follow = (snapshot: EphemeralSnapshot, hasChunks: boolean): void => {
    feed.leave(gathering)
    gathering.passOn()
    if (connection.open) join(connection, snapshot, { hasChunks, asked: gathering.answered })
  }
  try {
    const snapshot = await takeSnapshot(connection, gathering, isStill ? found : null)
    const hasChunks = connection.open && sendRest(connection, held, { gathering, snapshot })
    if (snapshot.streams && connection.open) connection.after(BATCH_LEAD, () => follow(snapshot, hasChunks))
    else follow(snapshot, hasChunks)
  } catch (error) {
    feed.leave(gathering)
    throw error
  }
}

/** Joins the session: from here on the connection follows it directly. */
function join(
  connection: VisitorConnection,
  { sequence, events, complete }: EphemeralSnapshot,
  { hasChunks, asked }: { readonly hasChunks: boolean; readonly asked: boolean },
): void {
  const { feed } = connection.session
  feed.join(connection, connection.sent)
  const transients = events
    .filter(({ to }) => to === null || to === connection.id)
    .filter(({ type }) => type !== 'AI_AGENT_MESSAGE_CHUNK' && !(hasChunks && type === 'AI_AGENT_THINKING'))
    .map(({ type, payload, custom }) => ({ type, payload, custom, to: connection.id }))
  feed.hear({ sequence, events: [], transients })
  if (!complete && !asked) connection.ask()
}

/** Returns the ephemeral state at an instant at which everything of the log has been gathered. */
async function takeSnapshot(
  connection: VisitorConnection,
  gathering: Gathering,
  found: ReadConversation | null,
): Promise<EphemeralSnapshot> {
  const { feed, parts } = connection.session
  for (let attempt = 1; ; attempt++) {
    await feed.quiet()
    const { changes } = gathering
    const state = attempt === 1 && found !== null ? found.state : await parts.engine.load(feed.id)
    const snapshot = await parts.ephemeral.snapshot(state)
    // The last attempt skips what is outdated.
    if (!connection.open || attempt === ATTEMPTS) return snapshot
    // The store may hold an event before its notice arrives.
    if (snapshot.sequence > feed.position) feed.grown(snapshot.sequence)
    if (feed.busy || gathering.changes !== changes) continue
    if (gathering.answered || snapshot.complete || !snapshot.streams) return snapshot
    connection.ask()
    if (!gathering.answered) await connection.pause(ANSWER_PATIENCE)
    if (!feed.busy && gathering.changes === changes) return snapshot
  }
}

/**
 * Sends the log after the cursor, page by page. A page is read only after the previous one was sent, so that a slow
 * connection buffers one page, however long the log is (MS6). Events added meanwhile are in later pages. Returns the
 * last batch, which is not sent yet. Null if the session or the connection is over.
 */
async function sendLog(connection: VisitorConnection, cursor: number): Promise<HeldBatch | null> {
  const { feed, parts } = connection.session
  const { line } = parts.context
  if (isLong(feed, cursor)) await line.turn()
  let page = await firstPage(connection, cursor)
  let sent = cursor
  if (page.events.length === 0 && (await isBeyondLog(connection, cursor))) {
    page = await firstPage(connection, 0)
    sent = 0
  }
  for (let isFirst = true; ; isFirst = false) {
    const { events, more, version } = page
    feed.saw(events)
    const held = await sendAllButLast(connection, events, sent)
    sent = held.newest
    if (!connection.open) return null
    const isOver = events.some(event => event.type === 'SESSION_END')
    if (!more && !isOver) return { ...held, version, isNeeded: isFirst || events.length > 0 }
    await sendBatch(connection, held)
    if (isOver) end(connection)
    if (!connection.open) return null
    if (isLong(feed, sent)) await line.turn()
    page = await nextPage(connection, sent)
  }
}

function end(connection: VisitorConnection): void {
  connection.session.presence.stop()
  connection.close('ended')
}

/**
 * Reports whether a history is too long to be read and sent in one go. Many visitors come back at once to a server that
 * was gone.
 */
const isLong = ({ position }: Feed, sent: number): boolean => position - sent > AT_ONCE

function nextPage({ session: { feed, parts } }: VisitorConnection, sent: number): Promise<EventPage> {
  const { eventsPerBatch } = parts.context.settings.limits
  return feed.page(sent, isLong(feed, sent) ? Math.min(AT_ONCE, eventsPerBatch) : eventsPerBatch)
}

/**
 * Returns the first page of a log. That of a whole log is bounded by bytes alone if the agent did not join at its
 * beginning.
 */
async function firstPage(connection: VisitorConnection, cursor: number): Promise<EventPage> {
  const { feed } = connection.session
  if (cursor > 0) return nextPage(connection, cursor)
  const page = isLong(feed, 0) ? await nextPage(connection, 0) : null
  return page !== null && joinIn(page.events) > 0 ? page : feed.page(0, Number.MAX_SAFE_INTEGER)
}

/**
 * Reports whether a cursor is of events that are in no log. The store was set back to a backup, or to a replica without
 * them, and the client's events are no longer true.
 */
async function isBeyondLog(connection: VisitorConnection, cursor: number): Promise<boolean> {
  const { feed, parts } = connection.session
  if (cursor <= feed.position) return false
  const state = await parts.engine.load(feed.id)
  return cursor > (state?.sequence ?? 0)
}

/** @param cursor the newest event that the client has before */
async function sendAllButLast(
  connection: VisitorConnection,
  events: readonly EventJson[],
  cursor: number,
): Promise<Batch> {
  const { context, names } = connection.session.parts
  let held: Batch = { texts: [], newest: cursor }
  for (const batch of cutBatches(texts(events, names), boundsOf(context, joinIn(events)))) {
    if (held.texts.length > 0) await sendBatch(connection, held)
    held = { texts: batch.texts, newest: Math.max(cursor, batch.newest) }
  }
  return held
}

const boundsOf = ({ settings }: Pick<Context, 'settings'>, firstReaches: number): BatchBounds => {
  const { eventsPerBatch: count, replayPageBytes: bytes } = settings.limits
  return { count, bytes, firstReaches }
}

function putBatch(connection: VisitorConnection, { texts: events, newest }: Batch): void {
  const { context, names } = connection.session.parts
  const batch = { id: context.ids.uuid(), at: context.clock.now(), events }
  connection.send(batchText(batch, names), newest)
}

async function sendBatch(connection: VisitorConnection, batch: Batch): Promise<void> {
  putBatch(connection, batch)
  await connection.drained()
}

/**
 * Sends the last batch of the log with the events added meanwhile and the chunks of a reply in progress, in index order
 * behind them. True if there are such chunks.
 */
function sendRest(
  connection: VisitorConnection,
  held: HeldBatch,
  { gathering, snapshot }: { readonly gathering: Gathering; readonly snapshot: EphemeralSnapshot },
): boolean {
  const { session } = connection
  const { context, names } = session.parts
  const { sequence, events: transients } = snapshot
  for (const event of transients) if (!session.feed.outdates(event, sequence)) gathering.add(event)
  const { events, replies } = gathering.take()
  const newest = Math.max(held.newest, events.at(-1)?.sequence ?? 0)
  const added = events.flatMap(event => [...expandChunks(event, 0)].map(one => eventText(one, names)))
  const sofar = replies.flatMap(({ messageId, chunks }) =>
    chunks.map((event, at) => session.chunkText({ messageId, index: at + 1 }, event, newest)),
  )
  const rest = [...added, ...sofar].map(text => ({ event: { sequence: newest }, text }))
  const batches = extended({ texts: held.texts, newest }, rest, boundsOf(context, 0))
  connection.reached(newest)
  for (const { messageId, chunks } of replies) connection.hadChunks(messageId, chunks.length)
  if (held.isNeeded || rest.length > 0) for (const batch of batches) putBatch(connection, batch)
  if (events.some(({ type }) => type === 'SESSION_END')) end(connection)
  return replies.length > 0
}

/** Returns the events as clients get them, one by one: a streamed reply expands to more events than are stored. */
function* texts(events: readonly EventJson[], names: EventNames): Generator<EventText> {
  for (const event of events) {
    if (event.type !== 'AI_AGENT_MESSAGE_CHUNK') yield { event, text: storedEventText(event, names) }
    else
      for (const part of expandChunks(eventOf(event), 0)) yield { event: part, text: eventText(part, names) }
  }
}

/**
 * Clients decide by the first batch of a log whether they must ask for the agent, so it holds both events or neither
 * (MS6).
 */
function joinIn(events: readonly EventJson[]): number {
  if (events[0]?.type !== 'SESSION_START') return 0
  return events.find(({ type }) => type === 'AI_AGENT_JOINED')?.sequence ?? 0
}
