import type { ConversationEvent, CustomMetadata, TransientEvent } from '../../domain/conversation/event.ts'
import type { EventPayloads, SystemMessageLevel } from '../../domain/conversation/event-payloads.ts'
import type { ClientEvent } from '../../protocol/client-frame.ts'
import type { CloseReason } from '../../protocol/close-codes.ts'
import { MESSAGING_TEXTS } from '../../protocol/http-errors.ts'
import { FRAME_ERROR_TEXTS } from '../../protocol/system-messages.ts'
import { type Limiters, refuseOver } from '../access/limiters.ts'
import {
  findSession,
  type HandshakeInput,
  type HandshakeParts,
  type HandshakeRefusal,
  laterOf,
  MISSING_PARAMETERS,
  refusalOf,
  UNAUTHORISED,
  UNKNOWN_SESSION,
} from './handshake.ts'
import type { OpenSession } from './open-session.ts'
import type { SessionUse } from './open-sessions.ts'
import { readFrame } from './read-frame.ts'
import { mayBeSentAgain, takeEvent } from './take-event.ts'
import type { EventSender } from './visitor-connection.ts'

/** Events that a client sends beside its stream. */
export interface PostedEvents extends Omit<HandshakeInput, 'cursor' | 'frameHost'> {
  /** The connection of the sender's stream, as named by its first event; null: no stream gets the errors. */
  readonly stream: string | null
  /** Reads the frames, in their order; called once the sender is known to be admitted. */
  read(): Promise<readonly string[]>
}

/** The dependencies of posting events. */
export interface PostingParts extends HandshakeParts {
  readonly limiters: Limiters
}

/** An event failed that its sender may send again. */
const FAILED = { status: 503, message: MESSAGING_TEXTS.eventFailed, retryAfterSeconds: 1 } as const

/** The session sends more than is read of it (MS92). */
const TOO_MANY = { status: 429, message: FRAME_ERROR_TEXTS.rateLimited, retryAfterSeconds: 1 } as const

/**
 * A connection without a stream, for as long as a request takes. What it has to say to its sender goes to the sender's
 * stream, in whatever process that is (ES7).
 */
class Posting implements EventSender {
  readonly id: string
  readonly session: OpenSession
  closed: CloseReason | null = null

  constructor(session: OpenSession, stream: string | null) {
    this.session = session
    this.id = stream ?? session.parts.context.ids.uuid()
  }

  close(reason: CloseReason): void {
    this.closed ??= reason
  }

  resend(event: ConversationEvent): void {
    const { rooms } = this.session.parts.context
    const again = { to: this.id, sequence: event.sequence, event }
    rooms.publish(this.session.id, {
      ...{ sequence: event.sequence, events: [], transients: [], again },
    })
  }

  heartbeat(event: Extract<ClientEvent, { type: 'HEARTBEAT' }>): void {
    this.#tell({ ...event, to: this.id })
  }

  systemMessage(level: SystemMessageLevel, message: string, custom: CustomMetadata | null): void {
    const payload: EventPayloads['SYSTEM_MESSAGE'] = { level, message }
    this.#tell({ type: 'SYSTEM_MESSAGE', payload, custom, to: this.id })
  }

  /**
   * Notifies others, with the known length of the log. This makes up for notices that a stream's process has missed.
   */
  #tell(event: TransientEvent): void {
    const { feed, id, parts } = this.session
    parts.context.rooms.publish(id, {
      ...{ sequence: feed.position, events: [], transients: [event] },
    })
  }
}

/**
 * Receives events as a socket receives frames: in order, each with its effect before the next (ES7). Null once all were
 * handled; otherwise why they, or the rest of them, were not.
 */
export const postEvents = (parts: PostingParts, input: PostedEvents): Promise<HandshakeRefusal | null> =>
  post(parts, input).catch(laterOf)

async function post(parts: PostingParts, input: PostedEvents): Promise<HandshakeRefusal | null> {
  const { sessionId, accessToken, origin = null, stream } = input
  if (!sessionId || !accessToken) return MISSING_PARAMETERS
  const claims = await parts.tokens.read(accessToken)
  if (claims === null) return UNAUTHORISED
  // Each request reads the store, whatever its frames come to.
  refuseOver(parts.limiters.signals.take(claims.visitorId))
  const found = await findSession(parts.engine, sessionId, claims.tokenHash)
  const use = 'state' in found ? parts.sessions.use(found.state) : null
  try {
    // Read after the session has subscribed to revocations, as by a handshake.
    const connector = await parts.tokens.connectorOf(claims)
    const refusal = refusalOf(found, { connector, use, origin })
    if (use === null || refusal !== null) return refusal ?? UNKNOWN_SESSION
    return await takeAll(use, new Posting(use.session, stream), await input.read())
  } finally {
    use?.release()
  }
}

async function takeAll(
  use: SessionUse,
  posting: Posting,
  frames: readonly string[],
): Promise<HandshakeRefusal | null> {
  // All frames are counted first, so a request that has to come again later has no effect.
  if (frames.map(frame => use.count(frame)).some(metered => metered !== 'read')) return TOO_MANY
  for (const task of frames.map(frame => readFrame(use, frame))) {
    if (!('event' in task)) {
      posting.systemMessage(task.level, task.refusal.error, task.refusal.custom)
      continue
    }
    const taken = await takeEvent(posting, task.event)
    if (posting.closed !== null) return UNKNOWN_SESSION
    // Nothing overtakes it when it is sent again (MS44).
    if (!taken && mayBeSentAgain(task.event)) return FAILED
  }
  return null
}
