import { jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { Connector } from '../../domain/access/access.ts'
import { type AgentId, asId, type ConnectorId } from '../../domain/ids.ts'
import { refuseOver } from '../access/limiters.ts'
import type { Context } from '../context.ts'

const ISSUER = 'colloquy'
const AUDIENCE = 'messaging'
const ALGORITHM = 'HS256'

const claimsSchema = z.object({ sub: z.string(), connector_id: z.string(), agent_id: z.string() })

/** Whom an access token stands for. */
export interface AccessClaims {
  readonly visitorId: string
  readonly connectorId: ConnectorId
  readonly agentId: AgentId
}

/** Access tokens of visitors: three-part JWTs, signed with one secret that every process of a store shares (MS7). */
export interface AccessTokens {
  issue(connector: Connector): Promise<{ readonly accessToken: string; readonly expiresIn: number }>
  /**
   * The connector that a genuine, unexpired token names, while it is not revoked; null otherwise. A visitor who asks too often is
   * refused before the connector is looked up.
   * @throws RATE_LIMITED
   */
  verify(token: string): Promise<{ readonly claims: AccessClaims; readonly connector: Connector } | null>
}

/** Longest token that is looked at, in characters. */
const MAX_LENGTH = 4096

export function createAccessTokens(context: Context): AccessTokens {
  const { clock, ids, limiters, settings, store } = context
  let key: Promise<Uint8Array> | null = null

  const loadKey = (): Promise<Uint8Array> => {
    const kept = settings.tokenSecret ?? store.access.secret('token-secret', ids.secret())
    const loading = Promise.resolve(kept).then(secret => new TextEncoder().encode(secret))
    // A store that failed once is asked again.
    loading.catch(() => {
      key = null
    })
    return loading
  }
  const secretKey = (): Promise<Uint8Array> => {
    key ??= loadKey()
    return key
  }

  return {
    async issue(connector) {
      const issuedAt = Math.floor(clock.now() / 1000)
      const expiresIn = settings.accessTokenSeconds
      const accessToken = await new SignJWT({ connector_id: connector.id, agent_id: connector.agentId })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject(ids.uuid())
        .setJti(ids.uuid())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + expiresIn)
        .sign(await secretKey())
      return { accessToken, expiresIn }
    },

    async verify(token) {
      if (token.length > MAX_LENGTH) return null
      const claims = await readClaims(token, await secretKey(), clock.now())
      if (claims === null) return null
      refuseOver(limiters.visitors.take(claims.visitorId))
      const connector = await store.access.connector(claims.connectorId)
      if (connector === null || connector.revokedAt !== null) return null
      return connector.agentId === claims.agentId ? { claims, connector } : null
    },
  }
}

async function readClaims(token: string, key: Uint8Array, now: number): Promise<AccessClaims | null> {
  const payload = await jwtVerify(token, key, {
    algorithms: [ALGORITHM],
    issuer: ISSUER,
    audience: AUDIENCE,
    requiredClaims: ['exp', 'iat', 'sub'],
    currentDate: new Date(now),
  }).then(
    result => result.payload,
    () => null,
  )
  const claims = claimsSchema.safeParse(payload)
  if (!claims.success) return null
  return {
    visitorId: claims.data.sub,
    connectorId: asId(claims.data.connector_id),
    agentId: asId(claims.data.agent_id),
  }
}
