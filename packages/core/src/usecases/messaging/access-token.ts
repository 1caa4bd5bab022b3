import * as z from 'zod'
import type { ConnectorInfo } from '../../domain/access/access.ts'
import { isInForce } from '../../domain/access/in-force.ts'
import { hashSecret } from '../../domain/access/secret.ts'
import {
  isSignedWith,
  looksSigned,
  signToken,
  TOKEN_ALGORITHM,
  tokenPart,
} from '../../domain/access/signed-token.ts'
import type { AgentId, ConnectorId } from '../../domain/ids.ts'
import { refuseOver } from '../access/limiters.ts'
import type { SigningKey, TokenKeys } from '../access/token-keys.ts'
import type { Context } from '../context.ts'
import { createLastUsed } from '../shared/last-used.ts'

const ISSUER = 'colloquy'
const AUDIENCE = 'messaging'
const TYPE = 'JWT'

const headerSchema = z.object({
  alg: z.literal(TOKEN_ALGORITHM),
  typ: z.literal(TYPE),
  kid: z.string().max(64),
  /** No extension is known here that a token could insist on (RFC 7515, 4.1.11). */
  crit: z.undefined().exactOptional(),
})
const claimsSchema = z.object({
  iss: z.literal(ISSUER),
  aud: z.literal(AUDIENCE),
  sub: z.string(),
  iat: z.number(),
  exp: z.number(),
  nbf: z.number().exactOptional(),
  connector_id: z.string(),
  agent_id: z.string(),
})

/** Returns the token in a header `Authorization: Bearer <token>`. Null without such a header. */
export const bearerToken = (authorization: string | null): string | null =>
  /^bearer +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1] ?? null

/** The claims of an access token. */
export interface AccessClaims {
  readonly visitorId: string
  readonly connectorId: ConnectorId
  readonly agentId: AgentId
  /** `hashSecret` of the token. Only this is stored. */
  readonly tokenHash: string
}

/** Access tokens of visitors: three-part JWTs, signed with keys that every process of a store shares (CR10). */
export interface AccessTokens {
  issue(connector: ConnectorInfo): Promise<{ readonly accessToken: string; readonly expiresIn: number }>
  /**
   * Returns the claims of a valid token, counted against the visitor's rate. Null for any other. @throws RATE_LIMITED
   */
  use(token: string): Promise<AccessClaims | null>
  /** Returns the claims of a valid token, otherwise null. Not rate-limited, and does not read the connector. */
  read(token: string): Promise<AccessClaims | null>
  /** Returns the connector of these claims while it is in force, otherwise null. */
  connectorOf(claims: AccessClaims): Promise<ConnectorInfo | null>
}

/** Longest token that is parsed, in characters. */
const MAX_LENGTH = 4096

/**
 * The number of genuine tokens that a process remembers: those used last, since a visitor presents one twice within
 * moments.
 */
const REMEMBERED = 1_000

/** The facts about a token that was verified once. They hold as long as its key verifies. */
interface GenuineToken {
  readonly kid: string
  readonly keyId: string
  /** Null for a token of another kind. */
  readonly claims: Claims | null
}

/** The claims with the times that say when they hold. */
interface Claims extends AccessClaims {
  readonly exp: number
  readonly iat: number
  readonly nbf: number
}

export function createAccessTokens(context: Context, tokenKeys: TokenKeys): AccessTokens {
  const { clock, ids, limiters, settings, store } = context
  const genuine = createLastUsed<string, GenuineToken>(REMEMBERED)
  return {
    async issue(connector) {
      const issuedAt = Math.floor(clock.now() / 1000)
      const expiresIn = settings.accessTokenSeconds
      const key = await tokenKeys.signing()
      const header = { alg: TOKEN_ALGORITHM, typ: TYPE, kid: key.id }
      const claims: z.input<typeof claimsSchema> = {
        iss: ISSUER,
        aud: AUDIENCE,
        sub: ids.uuid(),
        iat: issuedAt,
        exp: issuedAt + expiresIn,
        connector_id: connector.id,
        agent_id: connector.agentId,
      }
      const accessToken = signToken(header, { ...claims, jti: ids.uuid() }, key.secret)
      return { accessToken, expiresIn }
    },

    read,
    connectorOf,
    async use(token) {
      const claims = await read(token)
      if (claims === null) return null
      const wait = limiters.visitors.take(claims.visitorId)
      refuseOver(typeof wait === 'number' ? wait : await wait)
      return claims
    },
  }

  async function read(token: string): Promise<AccessClaims | null> {
    const known = genuine.get(token)
    const header = known ?? readHeader(token)
    if (header === null) return null
    const keys = await tokenKeys.verifying(header.kid)
    const found =
      known !== undefined && keys.some(({ id }) => id === known.keyId)
        ? known
        : check(token, header.kid, keys)
    if (found === null || found.claims === null) return null
    return holds(found.claims, { now: clock.now(), tolerance: settings.tokenClockTolerance })
      ? found.claims
      : null
  }

  /** Checks the signature, and remembers what a genuine token says. */
  function check(token: string, kid: string, keys: readonly SigningKey[]): GenuineToken | null {
    const key = keys.find(({ secret }) => isSignedWith(token, secret))
    if (key === undefined) return null
    const found = { kid, keyId: key.id, claims: readClaims(token) }
    genuine.set(token, found)
    return found
  }

  async function connectorOf({ agentId, connectorId }: AccessClaims): Promise<ConnectorInfo | null> {
    const connector = await store.access.connectors.find(connectorId)
    if (connector === null || !isInForce(connector, clock.now())) return null
    return connector.agentId === agentId ? connector : null
  }
}

/** Returns the header of a text with the form of a token. Its signature is not checked here. */
const readHeader = (token: string): z.output<typeof headerSchema> | null =>
  token.length <= MAX_LENGTH && looksSigned(token)
    ? (headerSchema.safeParse(tokenPart(token, 'header')).data ?? null)
    : null

/** Parses the claims of a genuine token, expired or not. */
function readClaims(token: string): Claims | null {
  const claims = claimsSchema.safeParse(tokenPart(token, 'payload')).data
  if (claims === undefined) return null
  const { sub, connector_id, agent_id, exp, iat, nbf = 0 } = claims
  const tokenHash = hashSecret(token)
  return { visitorId: sub, connectorId: connector_id, agentId: agent_id, tokenHash, exp, iat, nbf }
}

/**
 * Reports whether a genuine token is valid now. It is refused from the second of its `exp` on, by this process's clock,
 * without tolerance: clients rely on the expiry that they know. Its `iat` may be as far in the future as the clocks of
 * two processes may differ.
 */
function holds(
  { exp, iat, nbf }: Claims,
  { now, tolerance }: { readonly now: number; readonly tolerance: number },
): boolean {
  const seconds = Math.floor(now / 1_000)
  return exp > seconds && nbf <= seconds && iat * 1_000 <= now + tolerance
}
