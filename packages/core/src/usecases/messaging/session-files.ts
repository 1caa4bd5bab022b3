import type { SentFile } from '../../domain/conversation/event-payloads.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import { type Limiters, refuseOver } from '../access/limiters.ts'
import type { Context } from '../context.ts'
import { addressOf, type FileAddress, type OpenFile, openAddress } from '../files/file-address.ts'
import { filesOf } from '../files/file-port.ts'
import { type NewFile, storeFile } from '../files/store-file.ts'
import {
  findAnySession,
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

/** The dependencies of files of sessions. */
interface Deps extends Omit<HandshakeParts, 'sessions'> {
  readonly context: Context
  readonly limiters: Limiters
}

/** A visitor's session, with the credentials of the visitor's client. */
export type SessionOfVisitor = Omit<HandshakeInput, 'cursor' | 'frameHost'>

/** A file of a visitor. */
export interface SessionFile extends SessionOfVisitor {
  readonly file: NewFile
}

/** A file whose address a visitor's client asks for. */
export interface SessionFileWanted extends SessionOfVisitor {
  readonly fileId: string
}

/** Finds the session that the credentials open, as a handshake does. */
async function admit(
  { engine, limiters, tokens }: Deps,
  { accessToken, origin = null, sessionId }: SessionOfVisitor,
  find: typeof findSession,
): Promise<ConversationState | HandshakeRefusal> {
  if (!sessionId || !accessToken) return MISSING_PARAMETERS
  const claims = await tokens.read(accessToken)
  if (claims === null) return UNAUTHORISED
  refuseOver(limiters.signals.take(claims.visitorId))
  const found = await find(engine, sessionId, claims.tokenHash)
  const refusal = refusalOf(found, { connector: await tokens.connectorOf(claims), use: null, origin })
  return refusal !== null || !('state' in found) ? (refusal ?? UNKNOWN_SESSION) : found.state
}

/** See `Messaging.uploadFile`. */
export async function uploadSessionFile(
  deps: Deps,
  { file, ...input }: SessionFile,
): Promise<SentFile | HandshakeRefusal> {
  filesOf(deps.context)
  const found = await admit(deps, input, findSession).catch(laterOf)
  return 'status' in found ? found : storeFile(deps.context, found, 'visitor', file)
}

/** See `Messaging.fileAddress`. */
export async function sessionFileAddress(
  deps: Deps,
  { fileId, ...input }: SessionFileWanted,
): Promise<FileAddress | HandshakeRefusal> {
  const found = await admit(deps, input, findAnySession).catch(laterOf)
  if ('status' in found) return found
  return addressOf(deps.context, { accountId: found.accountId, conversationId: found.id }, fileId)
}

/** See `Messaging.openFile`. */
export const openSessionFile = ({ context }: Deps, token: string): Promise<OpenFile> =>
  openAddress(context, token)
