import type { ConversationEvent } from '../../domain/conversation/event.ts'
import { cutBatches } from '../../protocol/batch.ts'
import { batchText, eventText } from '../../protocol/envelope.ts'
import { unfold } from '../../protocol/unfold.ts'
import type { VisitorConnection } from './connection.ts'

/** How often a snapshot is asked for again because something happened meanwhile. */
const ATTEMPTS = 5

/**
 * Brings a new connection up to date: the log after its cursor as `EVENT_BATCH`, then what has been added meanwhile, then
 * what is true and in no log, then it joins its hub (MS6). The hub has been subscribed since the handshake, so whatever is
 * written from here on is either read here or heard there. Both steps that decide it, "the hub knows nothing newer than what
 * was sent" and "join", happen at one instant.
 */
export async function replay(connection: VisitorConnection, cursor: number): Promise<void> {
  const { hub } = connection
  const events = await hub.events(cursor)
  hub.saw(events)
  await sendBatches(connection, events)
  connection.reached(events.at(-1)?.sequence ?? (await clampCursor(connection, cursor)))
  closeAfterEnd(connection, events)
  for (let attempt = 1; connection.open; attempt++) {
    await catchUp(connection)
    const { notices } = hub
    // At the last attempt it listens first: what has become untrue meanwhile is left out.
    const last = attempt === ATTEMPTS
    if (last && connection.open) hub.join(connection, connection.sent)
    const standing = await hub.parts.engine.current(hub.id)
    if (!connection.open) return
    const { sequence } = standing
    // The store may know of an event before the bus does.
    if (!last && sequence > connection.sent) hub.grown({ sequence, events: [], transients: [] })
    if (!last && (hub.notices !== notices || hub.position > connection.sent)) continue
    if (!last) hub.join(connection, connection.sent)
    const transients = standing.transients
      .filter(({ to }) => to === null || to === connection.id)
      .map(({ type, payload, custom }) => ({ type, payload, custom, to: connection.id }))
    hub.grown({ sequence, events: [], transients })
    if (!standing.complete) connection.ask()
    return
  }
}

/** Events that were added while older ones were sent. */
async function catchUp(connection: VisitorConnection): Promise<void> {
  const { hub } = connection
  while (connection.open && connection.sent < hub.position) {
    const events = await hub.events(connection.sent)
    hub.saw(events)
    for (const event of events) connection.deliver(event, hub.liveText(event))
    // The log is the truth: what a notice claimed beyond it is not there.
    if (events.length === 0) return
  }
}

/** A client cannot have what is not written yet; a cursor beyond the log means its end. */
async function clampCursor(connection: VisitorConnection, cursor: number): Promise<number> {
  const { hub } = connection
  if (cursor <= hub.position) return cursor
  const newest = (await hub.events(0, 1)).at(-1)
  return Math.min(cursor, newest?.sequence ?? 0)
}

async function sendBatches(
  connection: VisitorConnection,
  events: readonly ConversationEvent[],
): Promise<void> {
  const { context, names } = connection.hub.parts
  const texts = events
    .flatMap(event => [...unfold(event, 0)])
    .map(event => ({ event, text: eventText(event, names) }))
  for (const batch of cutBatches(texts, context.settings.limits.eventsPerBatch)) {
    if (!connection.open) return
    await connection.sendBatch(
      batchText({ id: context.ids.uuid(), at: context.clock.now(), events: batch }, names),
    )
  }
}

function closeAfterEnd(connection: VisitorConnection, events: readonly ConversationEvent[]): void {
  if (events.some(event => event.type === 'SESSION_END')) connection.close('ended')
}
