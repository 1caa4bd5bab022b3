import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { Connector } from '../../domain/access/access.ts'
import { isInForce } from '../../domain/access/in-force.ts'
import type { AgentId, ConnectorId } from '../../domain/ids.ts'
import { refuseOver } from '../access/limiters.ts'
import type { SigningKey, TokenKeys } from '../access/token-keys.ts'
import type { Context } from '../context.ts'

const ISSUER = 'colloquy'
const AUDIENCE = 'messaging'
const ALGORITHM = 'HS256'
const TYPE = 'JWT'

const headerSchema = z.object({
  alg: z.literal(ALGORITHM),
  typ: z.literal(TYPE),
  kid: z.string().max(64).exactOptional(),
})
const claimsSchema = z.object({
  sub: z.string(),
  iat: z.number(),
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
  /**
   * The connector that a valid token names, while it is in force; null otherwise. Rate limits apply before the
   * connector is read.
   * @throws RATE_LIMITED
   */
  verify(token: string): Promise<{ readonly claims: AccessClaims; readonly connector: Connector } | null>
  /** The claims of a valid token; null otherwise. Not rate-limited, and does not read the connector. */
  read(token: string): Promise<AccessClaims | null>
  /** The connector of these claims, while it is in force; null otherwise. */
  connectorOf(claims: AccessClaims): Promise<Connector | null>
}

/** Longest token that is parsed, in characters. */
const MAX_LENGTH = 4096

/**
 * Three parts of base64url, the last one of 32 bytes. The two unused bits of its last character must be zero: otherwise
 * four texts would encode one token.
 */
const SHAPE = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/

export function createAccessTokens(context: Context, keys: TokenKeys): AccessTokens {
  const { clock, ids, limiters, settings, store } = context
  return {
    async issue(connector) {
      const issuedAt = Math.floor(clock.now() / 1000)
      const expiresIn = settings.accessTokenSeconds
      const key = await keys.signing()
      const accessToken = await new SignJWT({ connector_id: connector.id, agent_id: connector.agentId })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: key.id })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject(ids.uuid())
        .setJti(ids.uuid())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + expiresIn)
        .sign(key.secret)
      return { accessToken, expiresIn }
    },

    read,
    connectorOf,
    async verify(token) {
      const claims = await read(token)
      if (claims === null) return null
      refuseOver(limiters.visitors.take(claims.visitorId))
      const connector = await connectorOf(claims)
      return connector === null ? null : { claims, connector }
    },
  }

  async function read(token: string): Promise<AccessClaims | null> {
    const header = readHeader(token)
    if (header === null) return null
    const candidates = await keys.verifying(header.kid)
    const times = { now: clock.now(), tolerance: settings.tokenClockTolerance }
    const claims = await Promise.all(candidates.map(key => readClaims(token, key, times)))
    return claims.find(found => found !== null) ?? null
  }

  async function connectorOf({ agentId, connectorId }: AccessClaims): Promise<Connector | null> {
    const connector = await store.access.connectors.find(connectorId)
    if (connector === null || !isInForce(connector, clock.now())) return null
    return connector.agentId === agentId ? connector : null
  }
}

/** The header of a text with the form of a token. Its signature is not checked here. */
function readHeader(token: string): z.output<typeof headerSchema> | null {
  if (token.length > MAX_LENGTH || !SHAPE.test(token)) return null
  try {
    return headerSchema.safeParse(decodeProtectedHeader(token)).data ?? null
  } catch {
    return null
  }
}

/**
 * The claims of a token signed with the key. It is refused from the second of its `exp` on, by this process's clock,
 * without tolerance: clients rely on the expiry that they were told. Its `iat` may be as far in the future as the
 * clocks of two processes may differ.
 */
async function readClaims(
  token: string,
  key: SigningKey,
  { now, tolerance }: { readonly now: number; readonly tolerance: number },
): Promise<AccessClaims | null> {
  const payload = await jwtVerify(token, key.secret, {
    algorithms: [ALGORITHM],
    typ: TYPE,
    issuer: ISSUER,
    audience: AUDIENCE,
    requiredClaims: ['exp', 'iat', 'sub'],
    currentDate: new Date(now),
  }).then(
    result => result.payload,
    () => null,
  )
  const claims = claimsSchema.safeParse(payload)
  if (!claims.success || claims.data.iat * 1_000 > now + tolerance) return null
  return {
    visitorId: claims.data.sub,
    connectorId: claims.data.connector_id,
    agentId: claims.data.agent_id,
  }
}
