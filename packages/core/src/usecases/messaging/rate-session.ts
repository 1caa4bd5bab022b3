import type { Rating } from '../../domain/conversation/rating.ts'
import { PlatformError } from '../../errors.ts'
import { MESSAGING_TEXTS } from '../../protocol/http-errors.ts'
import { type Limiters, refuseOver } from '../access/limiters.ts'
import type { Context } from '../context.ts'
import { PATIENCE, whileBusyFor } from '../shared/while-busy.ts'
import {
  findAnySession,
  type HandshakeInput,
  type HandshakeParts,
  type HandshakeRefusal,
  laterOf,
  MISSING_PARAMETERS,
  refusalOf,
  UNAUTHORISED,
  UNKNOWN_SESSION,
} from './handshake.ts'

/** A visitor's rating of a session. */
export interface SessionRating extends Omit<HandshakeInput, 'cursor' | 'frameHost'> {
  /** Reads the rating; called once the visitor is known to be admitted. */
  read(): Promise<Rating>
}

/** The dependencies of rating. */
export interface RatingParts extends Omit<HandshakeParts, 'sessions'> {
  readonly context: Pick<Context, 'clock'>
  readonly limiters: Limiters
}

/**
 * Stores the visitor's rating of a session, also after its end, in place of an earlier one (VC25). Null when it was
 * stored; otherwise the refusal, as for a handshake. A repeat has no further effect, so it is retried while the store
 * is busy.
 *
 * @throws MESSAGING_BAD_REQUEST, RATE_LIMITED
 */
export const rateSession = (parts: RatingParts, input: SessionRating): Promise<HandshakeRefusal | null> =>
  rate(parts, input).catch(laterOf)

async function rate(parts: RatingParts, input: SessionRating): Promise<HandshakeRefusal | null> {
  const { accessToken, origin = null, sessionId } = input
  const { context, engine, limiters, tokens } = parts
  if (!sessionId || !accessToken) return MISSING_PARAMETERS
  const claims = await tokens.read(accessToken)
  if (claims === null) return UNAUTHORISED
  refuseOver(limiters.signals.take(claims.visitorId))
  const found = await findAnySession(engine, sessionId, claims.tokenHash)
  const refusal = refusalOf(found, { connector: await tokens.connectorOf(claims), use: null, origin })
  if (refusal !== null || !('state' in found)) return refusal ?? UNKNOWN_SESSION
  const rating = await input.read()
  const command = { type: 'rate', rating } as const
  const outcome = await whileBusyFor(context.clock, PATIENCE, () => engine.execute(found.state.id, command))
  if (outcome.status === 'missing') return UNKNOWN_SESSION
  if (outcome.status === 'refused')
    throw new PlatformError('MESSAGING_BAD_REQUEST', MESSAGING_TEXTS.noRoomForRating)
  return null
}
