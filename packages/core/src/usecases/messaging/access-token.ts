import * as z from 'zod'
import type { Connector } from '../../domain/access/access.ts'
import { isInForce } from '../../domain/access/in-force.ts'
import {
  isSignedWith,
  looksSigned,
  signToken,
  TOKEN_ALGORITHM,
  tokenPart,
} from '../../domain/access/signed-token.ts'
import type { AgentId, ConnectorId } from '../../domain/ids.ts'
import { refuseOver } from '../access/limiters.ts'
import type { TokenKeys } from '../access/token-keys.ts'
import type { Context } from '../context.ts'

const ISSUER = 'colloquy'
const AUDIENCE = 'messaging'
const TYPE = 'JWT'

const headerSchema = z.object({
  alg: z.literal(TOKEN_ALGORITHM),
  typ: z.literal(TYPE),
  kid: z.string().max(64).exactOptional(),
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

/** The token in a header `Authorization: Bearer <token>`; null without such a header. */
export const bearerToken = (authorization: string | null): string | null =>
  /^bearer +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1] ?? null

/** The claims of an access token. */
export interface AccessClaims {
  readonly visitorId: string
  readonly connectorId: ConnectorId
  readonly agentId: AgentId
}

/** Access tokens of visitors: three-part JWTs, signed with keys that every process of a store shares (MS7, CR10). */
export interface AccessTokens {
  issue(connector: Connector): Promise<{ readonly accessToken: string; readonly expiresIn: number }>
  /** The claims of a valid token, counted against the visitor's rate; null for any other. @throws RATE_LIMITED */
  use(token: string): Promise<AccessClaims | null>
  /** The claims of a valid token; null otherwise. Not rate-limited, and does not read the connector. */
  read(token: string): Promise<AccessClaims | null>
  /** The connector of these claims, while it is in force; null otherwise. */
  connectorOf(claims: AccessClaims): Promise<Connector | null>
}

/** Longest token that is parsed, in characters. */
const MAX_LENGTH = 4096

export function createAccessTokens(context: Context, tokenKeys: TokenKeys): AccessTokens {
  const { clock, ids, limiters, settings, store } = context
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
      if (claims !== null) refuseOver(limiters.visitors.take(claims.visitorId))
      return claims
    },
  }

  async function read(token: string): Promise<AccessClaims | null> {
    const header = readHeader(token)
    if (header === null) return null
    const keys = await tokenKeys.verifying(header.kid)
    if (!keys.some(({ secret }) => isSignedWith(token, secret))) return null
    return readClaims(token, { now: clock.now(), tolerance: settings.tokenClockTolerance })
  }

  async function connectorOf({ agentId, connectorId }: AccessClaims): Promise<Connector | null> {
    const connector = await store.access.connectors.find(connectorId)
    if (connector === null || !isInForce(connector, clock.now())) return null
    return connector.agentId === agentId ? connector : null
  }
}

/** The header of a text with the form of a token. Its signature is not checked here. */
const readHeader = (token: string): z.output<typeof headerSchema> | null =>
  token.length <= MAX_LENGTH && looksSigned(token)
    ? (headerSchema.safeParse(tokenPart(token, 'header')).data ?? null)
    : null

/**
 * The claims of a genuine token. It is refused from the second of its `exp` on, by this process's clock, without
 * tolerance: clients rely on the expiry that they were told. Its `iat` may be as far in the future as the clocks of two
 * processes may differ.
 */
function readClaims(
  token: string,
  { now, tolerance }: { readonly now: number; readonly tolerance: number },
): AccessClaims | null {
  const claims = claimsSchema.safeParse(tokenPart(token, 'payload')).data
  if (claims === undefined) return null
  const seconds = Math.floor(now / 1_000)
  if (claims.exp <= seconds || (claims.nbf ?? 0) > seconds) return null
  if (claims.iat * 1_000 > now + tolerance) return null
  return { visitorId: claims.sub, connectorId: claims.connector_id, agentId: claims.agent_id }
}
