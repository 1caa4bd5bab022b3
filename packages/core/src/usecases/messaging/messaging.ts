import type { Pinning } from '../../domain/conversation/command.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import type { ConversationId } from '../../domain/ids.ts'
import { createEventNames } from '../../protocol/event-names.ts'
import type { Access } from '../access/access.ts'
import { createConnectorWatch } from '../access/credential-watch.ts'
import type { TokenKeys } from '../access/token-keys.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import type { Ephemeral } from '../feed/ephemeral.ts'
import type { Feeds } from '../feed/feeds.ts'
import { createAccessTokens } from './access-token.ts'
import { createPageAdmission, type PageRequest, type PageVerdict } from './admit-page.ts'
import { createSession } from './create-session.ts'
import { handshake } from './handshake.ts'
import { issueAccessToken } from './issue-access-token.ts'
import { createOpenSessions } from './open-sessions.ts'

/** A transport's side of one visitor's connection. `send` and `close` never throw, also when the socket is gone. */
export interface ConnectionPort {
  /** Sends one text frame. */
  send(frame: string): void
  /** Closes with a code of contract/messaging.md, Time. */
  close(code: number, reason: string): void
  /** Resolves when little of what was sent still waits to leave, or the connection is gone. Paces a long replay. */
  drained(): Promise<void>
}

/** The platform's side of one visitor's connection. */
export interface Connection {
  readonly id: string
  /**
   * Takes one text frame of the visitor. Frames are handled in the order in which they came.
   * False asks the transport to read no further until `settled` resolves; frames that come all the same are taken, up to a
   * bound.
   */
  receive(frame: string): boolean
  /** The connection is gone. Frames that were received before still take effect. */
  closed(): void
  /** Resolves when every frame received so far has been handled. */
  settled(): Promise<void>
}

/** Why a handshake is refused: HTTP status and text of contract/messaging.md, Handshake. */
export interface HandshakeRefusal {
  readonly status: 400 | 401 | 403 | 404 | 429
  readonly message: string
  /** Whole seconds after which it may be tried again, where that is known. */
  readonly retryAfterSeconds?: number
}

/** A visitor's connection that may be opened: everything about the handshake was checked. */
export interface Handshake {
  readonly sessionId: ConversationId
  /** Opens it: the transport's socket is ready to send. The first frame is the replay. Called once at most. */
  open(port: ConnectionPort): Connection
  /** The socket never opened: gives the place back. Does nothing after `open`. */
  abandon(): void
}

/** Real-time conversations of visitors (contract/messaging.md). */
export interface Messaging {
  /**
   * Trades a connector token and a registered host for an access token.
   * @throws MESSAGING_UNAUTHORISED with a text of contract/messaging.md, Over HTTP; RATE_LIMITED
   */
  issueAccessToken(input: {
    readonly connectorToken: string | null
    readonly host: string | null
    readonly remoteAddress: string
  }): Promise<{ readonly accessToken: string; readonly expiresIn: number }>
  /**
   * Starts a session for the visitor that an access token names.
   * @throws MESSAGING_BAD_REQUEST, MESSAGING_UNAUTHORISED with a text of contract/messaging.md, Over HTTP; RATE_LIMITED
   */
  createSession(input: {
    readonly authorization: string | null
    /** Whether replies come in chunks; or how to learn it, which is asked once the token is known to be good. */
    readonly streaming: boolean | (() => Promise<boolean>)
  }): Promise<{ readonly sessionId: ConversationId }>
  /** Whether a page may use a credential, and read what comes of it: one on the hosts that are registered with its connector. */
  admitPage(page: PageRequest): Promise<PageVerdict>
  /** Checks session id, access token, origin and number of connections; a free place is taken until `open` or `abandon`. */
  handshake(input: {
    readonly sessionId: string | null
    readonly accessToken: string | null
    readonly cursor: string | null
    /** What a browser says of the page: `Origin`. @default null, no page asks */
    readonly origin?: string | null
  }): Promise<Handshake | HandshakeRefusal>
}

/**
 * The deployment that is active for a conversation now, and the variant it is to speak as: the one that the state's record
 * names, otherwise the default one. Null when no deployment is active.
 */
export type ResolvePinning = (state: ConversationState) => Promise<Pinning | null>

/** Binds the use cases of messaging to their ports. The open sessions of this process live as long as the returned object. */
export function createMessaging(
  context: Context,
  conversations: {
    readonly engine: Engine
    readonly feeds: Feeds
    readonly ephemeral: Pick<Ephemeral, 'snapshot' | 'ask'>
  },
  { access, tokenKeys }: { readonly access: Pick<Access, 'connectorByToken'>; readonly tokenKeys: TokenKeys },
  resolvePinning: ResolvePinning,
): Messaging {
  const { limiters, settings } = context
  const { engine, feeds, ephemeral } = conversations
  const tokens = createAccessTokens(context, tokenKeys)
  const names = createEventNames(settings.brand.events)
  const connectors = createConnectorWatch(context)
  const sessions = createOpenSessions({
    ...{ context, engine, feeds, ephemeral, resolvePinning, names, connectors },
  })
  return {
    issueAccessToken: input => issueAccessToken({ access, tokens, limiters }, input),
    createSession: input => createSession({ context, engine, tokens, resolvePinning }, input),
    admitPage: createPageAdmission({ access, tokens, limiters }),
    handshake: input => handshake({ engine, tokens, sessions, connectors }, input),
  }
}
