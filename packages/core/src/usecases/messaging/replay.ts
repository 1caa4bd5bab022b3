import { type EventJson, eventOf } from '../../domain/conversation/event.ts'
import type { EventPage } from '../../ports/store/conversations.ts'
import { cutBatches, type EventText } from '../../protocol/batch.ts'
import { batchText, eventText, storedEventText } from '../../protocol/envelope.ts'
import type { EventNames } from '../../protocol/event-names.ts'
import { expandChunks } from '../../protocol/expand-chunks.ts'
import type { ReadConversation } from '../conversation/engine/engine.ts'
import type { Feed } from '../feed/feed.ts'
import type { VisitorConnection } from './visitor-connection.ts'

/** Events that are read and sent at once. Where more are to come, replays stand in line, page by page (MS40). */
const AT_ONCE = 100

/** How often the snapshot is retried because events arrived meanwhile. */
const ATTEMPTS = 5

/** Where a replay begins. */
export interface ReplayedFrom {
  /** The sequence of the newest event that the client has. */
  readonly cursor: number
  /** The conversation as it was before its feed was opened. */
  readonly found: ReadConversation
}

/**
 * Brings a new connection up to date: the log after its cursor as `EVENT_BATCH`, then events added meanwhile, then the
 * ephemeral state; then it joins the feed (MS6). The feed has been open since the handshake, so later events are either
 * read here or received from the feed. The check that the feed has nothing newer than what was sent, and the join,
 * happen at one instant.
 */
export async function replay(connection: VisitorConnection, { cursor, found }: ReplayedFrom): Promise<void> {
  const { feed, parts } = connection.session
  const heard = feed.notices
  const version = await sendLog(connection, cursor)
  for (let attempt = 1; connection.open; attempt++) {
    await catchUp(connection)
    const { notices } = feed
    // The last attempt joins first and skips outdated events.
    const last = attempt === ATTEMPTS
    if (last && connection.open) feed.join(connection, connection.sent)
    // What was found is so still where the log had the same version later, and nothing was heard since before.
    const isStill = found.version === version && feed.notices === heard
    const state = isStill ? found.state : await parts.engine.load(feed.id)
    const { sequence, events, complete } = await parts.ephemeral.snapshot(state)
    if (!connection.open) return
    // The store may hold an event before its notice arrives.
    if (!last && sequence > connection.sent) feed.grown(sequence)
    if (!last && (feed.notices !== notices || feed.position > connection.sent)) continue
    if (!last) feed.join(connection, connection.sent)
    const transients = events
      .filter(({ to }) => to === null || to === connection.id)
      .map(({ type, payload, custom }) => ({ type, payload, custom, to: connection.id }))
    feed.hear({ sequence, events: [], transients })
    if (!complete) connection.ask()
    return
  }
}

/**
 * The log after the cursor, page by page. A page is read only when the previous one has been sent, so that a slow
 * connection buffers one page, however long the log is (MS40). Events added meanwhile are in later pages. Returns the
 * version of the conversation when the last page was read.
 */
async function sendLog(connection: VisitorConnection, cursor: number): Promise<EventPage['version']> {
  const { feed, parts, presence } = connection.session
  const { line } = parts.context
  if (isLong(feed, cursor)) await line.turn()
  let page = await firstPage(connection, cursor)
  let sent = cursor
  if (page.events.length === 0 && (await isBeyondLog(connection, cursor))) {
    page = await firstPage(connection, 0)
    sent = 0
  }
  for (let first = true; ; first = false) {
    const { events, more } = page
    feed.saw(events)
    if (first || events.length > 0) await sendBatches(connection, events, sent)
    sent = events.at(-1)?.sequence ?? sent
    connection.reached(sent)
    if (events.some(event => event.type === 'SESSION_END')) {
      presence.stop()
      connection.close('ended')
    }
    if (!more || !connection.open) return page.version
    if (isLong(feed, sent)) await line.turn()
    page = await nextPage(connection, sent)
  }
}

/** Events added while older ones were sent. */
async function catchUp(connection: VisitorConnection): Promise<void> {
  const { feed } = connection.session
  while (connection.open && connection.sent < feed.position) {
    const { events, more } = await feed.page(connection.sent)
    feed.saw(events)
    for (const event of events) connection.event(eventOf(event))
    // The log decides: a notice may have announced more than it holds.
    if (events.length === 0) return
    if (more) await connection.drained()
  }
}

/** Many visitors come back at once, to a server that was gone: their histories are not read and sent in one go. */
const isLong = ({ position }: Feed, sent: number): boolean => position - sent > AT_ONCE

function nextPage({ session: { feed, parts } }: VisitorConnection, sent: number): Promise<EventPage> {
  const { eventsPerBatch } = parts.context.settings.limits
  return feed.page(sent, isLong(feed, sent) ? Math.min(AT_ONCE, eventsPerBatch) : eventsPerBatch)
}

/** The first page of a whole log is bounded by bytes alone where the agent did not join at its beginning. */
async function firstPage(connection: VisitorConnection, cursor: number): Promise<EventPage> {
  const { feed } = connection.session
  if (cursor > 0) return nextPage(connection, cursor)
  const page = isLong(feed, 0) ? await nextPage(connection, 0) : null
  return page !== null && joinIn(page.events) > 0 ? page : feed.page(0, Number.MAX_SAFE_INTEGER)
}

/**
 * True for a cursor of events that are in no log: the store was set back, to a backup or a replica that had not got
 * them, and what the client has is not what was said.
 */
async function isBeyondLog(connection: VisitorConnection, cursor: number): Promise<boolean> {
  const { feed, parts } = connection.session
  if (cursor <= feed.position) return false
  const state = await parts.engine.load(feed.id)
  return cursor > (state?.sequence ?? 0)
}

/** @param cursor the newest event that the client has before */
async function sendBatches(
  connection: VisitorConnection,
  events: readonly EventJson[],
  cursor: number,
): Promise<void> {
  const { context, names } = connection.session.parts
  const { eventsPerBatch: count, replayPageBytes: bytes } = context.settings.limits
  const bounds = { count, bytes, firstReaches: joinIn(events) }
  for (const { texts: batch, newest } of cutBatches(texts(events, names), bounds)) {
    if (!connection.open) return
    const text = batchText({ id: context.ids.uuid(), at: context.clock.now(), events: batch }, names)
    connection.send(text, Math.max(cursor, newest))
    await connection.drained()
  }
}

/** The events as clients get them, one by one: a streamed reply expands to more events than are stored. */
function* texts(events: readonly EventJson[], names: EventNames): Generator<EventText> {
  for (const event of events) {
    if (event.type !== 'AI_AGENT_MESSAGE_CHUNK') yield { event, text: storedEventText(event, names) }
    else
      for (const part of expandChunks(eventOf(event), 0)) yield { event: part, text: eventText(part, names) }
  }
}

/**
 * Clients decide by the first batch of a log whether they must ask for the agent, so it holds both events or neither
 * (MS5).
 */
function joinIn(events: readonly EventJson[]): number {
  if (events[0]?.type !== 'SESSION_START') return 0
  return events.find(({ type }) => type === 'AI_AGENT_JOINED')?.sequence ?? 0
}
