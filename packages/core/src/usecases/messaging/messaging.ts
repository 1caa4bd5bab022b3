import * as z from 'zod'
import { type CallsOf, callsWith } from '../../calls/call.ts'
import type { SentFile } from '../../domain/conversation/event-payloads.ts'
import type { ConversationId } from '../../domain/ids.ts'
import { onFirstUse } from '../../domain/on-first-use.ts'
import { createEventNames } from '../../protocol/event-names.ts'
import { MESSAGING_TEXTS } from '../../protocol/http-errors.ts'
import type { Access } from '../access/access.ts'
import { createConnectorWatch } from '../access/credential-watch.ts'
import type { TokenKeys } from '../access/token-keys.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import type { FileAddress, OpenFile } from '../files/file-address.ts'
import { newFileSchema } from '../files/store-file.ts'
import { countSockets } from '../observing/count-sockets.ts'
import type { Ephemeral } from '../room/ephemeral.ts'
import { own, text } from '../shared/arguments.ts'
import { createAccessTokens } from './access-token.ts'
import { type AdmittedCall, admitCall, type CallInput } from './admit-call.ts'
import { createPageAdmission, type PageRequest, type PageVerdict, pageRequestSchema } from './admit-page.ts'
import { createSession, type NewSessionInput, type SessionRequest, sessionSchema } from './create-session.ts'
import type { LiveAnswer } from './event-stream.ts'
import { type Handshake, type HandshakeInput, type HandshakeRefusal, handshake } from './handshake.ts'
import { type AccessTokenInput, issueAccessToken } from './issue-access-token.ts'
import { createOpenSessions } from './open-sessions.ts'
import { type PostedEvents, postEvents } from './post-events.ts'
import { rateSession, type SessionRating } from './rate-session.ts'
import type { ResolvePinning } from './resolve-pinning.ts'
import {
  openSessionFile,
  type SessionFile,
  type SessionFileWanted,
  sessionFileAddress,
  uploadSessionFile,
} from './session-files.ts'
import type { Streams } from './streams.ts'

/** Real-time conversations of visitors (contract/messaging.md). */
export interface Messaging {
  /**
   * Exchanges a connector token and a registered host for an access token.
   * @throws MESSAGING_UNAUTHORISED with a text of contract/messaging.md, Over HTTP; RATE_LIMITED
   */
  issueAccessToken(
    input: AccessTokenInput,
  ): Promise<{ readonly accessToken: string; readonly expiresIn: number }>
  /**
   * Starts a session for the visitor that an access token names.
   * @throws MESSAGING_BAD_REQUEST, MESSAGING_UNAUTHORISED with a text of contract/messaging.md, Over HTTP; RATE_LIMITED
   */
  createSession(input: NewSessionInput | SessionRequest): Promise<{ readonly sessionId: ConversationId }>
  /**
   * Decides whether a page may use a credential and read the response: only pages on the hosts of its connector may.
   */
  admitPage(page: PageRequest): Promise<PageVerdict>
  /**
   * Checks session id, access token, origin and number of connections; a free slot is taken until `open` or `abandon`.
   */
  handshake(input: HandshakeInput): Promise<Handshake | HandshakeRefusal>
  /**
   * Checks the token of a connector for a call whose client shows nothing else, and the page that it comes from.
   * Nothing is opened before the call asks for it.
   */
  admitCall(input: CallInput): Promise<AdmittedCall | HandshakeRefusal>
  /** Opens a connection whose frames are read as a stream of events, after the same checks (ES1). */
  openStream(input: HandshakeInput): Promise<LiveAnswer | HandshakeRefusal>
  /** Receives events of a visitor beside their stream; null once all of them were handled (ES7). */
  postEvents(input: PostedEvents): Promise<HandshakeRefusal | null>
  /** Receives a visitor's rating of a session, also after its end (VC25). */
  rateSession(input: SessionRating): Promise<HandshakeRefusal | null>
  /**
   * Stores a file of the visitor, for a message that names it (FI1). Returns the refusal of a session that the
   * credentials do not open, as a handshake does.
   *
   * @throws NOT_IMPLEMENTED, FILE_REFUSED, FILES_LIMIT, FILES_FAILED, BODY_TOO_LARGE, RATE_LIMITED
   */
  uploadFile(input: SessionFile): Promise<SentFile | HandshakeRefusal>
  /** Returns an address of a file of the session, also after its end (FI13). @throws NOT_IMPLEMENTED, FILE_NOT_FOUND */
  fileAddress(input: SessionFileWanted): Promise<FileAddress | HandshakeRefusal>
  /** Opens the file of an address. @throws NOT_IMPLEMENTED, FILE_NOT_FOUND, FILES_FAILED */
  openFile(token: string): Promise<OpenFile>
  /**
   * Opens no more streams, ends the open ones with 1001, and resolves when they are over (ES10). A server that waits
   * for its connections calls it first; `close` of the platform calls it too.
   */
  endStreams(): Promise<void>
}

/** The refusal of a stream while the server goes away. */
const GOING_AWAY = { status: 503, message: MESSAGING_TEXTS.goingAway, retryAfterSeconds: 1 } as const

/** The dependencies of the calls of messaging. */
export type MessagingDeps = ReturnType<typeof createMessagingDeps>

/** Creates the dependencies of messaging. The open sessions of this process live as long as the returned object. */
export function createMessagingDeps(
  context: Context,
  services: {
    readonly engine: Engine
    readonly ephemeral: Pick<Ephemeral, 'snapshot' | 'ask'>
  },
  {
    access,
    tokenKeys,
    streams,
  }: {
    readonly access: Pick<Access, 'connectorByToken'>
    readonly tokenKeys: TokenKeys
    readonly streams: Streams
  },
  resolvePinning: ResolvePinning,
) {
  const { limiters, settings } = context
  const { engine, ephemeral } = services
  const tokens = createAccessTokens(context, tokenKeys)
  const names = createEventNames(settings.brand.events)
  const connectors = createConnectorWatch(context)
  const sessions = createOpenSessions({
    ...{ context, engine, ephemeral, resolvePinning, names, connectors },
    sockets: countSockets(context.telemetry),
    portFailed: error => settings.onError(error, 'messaging transport'),
  })
  const admitPage = createPageAdmission({ access, tokens, limiters })
  return { context, engine, access, tokens, limiters, sessions, streams, resolvePinning, admitPage }
}

async function openStream(
  deps: MessagingDeps,
  input: HandshakeInput,
): Promise<LiveAnswer | HandshakeRefusal> {
  const { streams } = deps
  const admitted = streams.ended ? GOING_AWAY : await handshake(deps, input)
  if ('status' in admitted) return admitted
  if (!streams.ended) return streams.open(admitted)
  admitted.abandon()
  return GOING_AWAY
}

const { call } = callsWith<MessagingDeps>()
/** A value that a visitor's page or its transport hands on. The call's result says if it is invalid. */
const token = own<string | null>()
const visitor = { sessionId: token, accessToken: token, origin: own<string | null>().exactOptional() }
const handshakeSchema = onFirstUse(() =>
  z.object({ ...visitor, cursor: token, frameHost: own<string | null>().exactOptional() }),
)

/** The implementations of the calls of messaging. */
export const messagingCalls = {
  issueAccessToken: call(
    () => [z.object({ connectorToken: token, host: token, remoteAddress: own<string>() })],
    issueAccessToken,
  ),
  createSession: call(() => [sessionSchema()], createSession),
  admitPage: call(
    () => [pageRequestSchema()],
    ({ admitPage }, page) => admitPage(page),
  ),
  handshake: call(() => [handshakeSchema()], handshake),
  admitCall: call(
    () => [z.object({ connectorToken: token, origin: token, remoteAddress: own<string>() })],
    admitCall,
  ),
  openStream: call(() => [handshakeSchema()], openStream),
  postEvents: call(
    () => [z.object({ ...visitor, stream: token, read: own<PostedEvents['read']>() })],
    postEvents,
  ),
  rateSession: call(() => [z.object({ ...visitor, read: own<SessionRating['read']>() })], rateSession),
  uploadFile: call(() => [z.object({ ...visitor, file: newFileSchema })], uploadSessionFile),
  fileAddress: call(() => [z.object({ ...visitor, fileId: text })], sessionFileAddress),
  openFile: call(() => [['token', z.string()]], openSessionFile),
  endStreams: call(
    () => [],
    ({ streams }) => streams.endAll(),
    { outlasts: true },
  ),
} satisfies CallsOf<Messaging, MessagingDeps>
