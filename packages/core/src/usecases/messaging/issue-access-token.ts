import { hostMatches } from '../../domain/access/host-match.ts'
import { PlatformError } from '../../errors.ts'
import { MESSAGING_TEXTS } from '../../protocol/http-errors.ts'
import type { Access } from '../access/access.ts'
import type { RateLimiter } from '../access/rate-limiter.ts'
import type { AccessTokens } from './access-token.ts'
import type { Messaging } from './messaging.ts'

const refuse = (message: string): never => {
  throw new PlatformError('MESSAGING_UNAUTHORISED', message)
}

/**
 * Trades a connector token and a registered host for an access token (MS8).
 *
 * @throws MESSAGING_UNAUTHORISED with a text of decisions.md section 8; RATE_LIMITED
 */
export async function issueAccessToken(
  parts: { readonly access: Access; readonly tokens: AccessTokens; readonly limiter: RateLimiter | null },
  input: Parameters<Messaging['issueAccessToken']>[0],
): ReturnType<Messaging['issueAccessToken']> {
  const { connectorToken, host } = input
  if (!connectorToken || !host) return refuse(MESSAGING_TEXTS.missingHeaders)
  const connector = await parts.access.connectorByToken(connectorToken)
  if (connector === null) return refuse(MESSAGING_TEXTS.unknownConnector)
  const retryAfterSeconds = parts.limiter?.take(`${connector.id} ${input.remoteAddress}`) ?? 0
  if (retryAfterSeconds > 0)
    throw new PlatformError('RATE_LIMITED', `Too many access tokens: retry in ${retryAfterSeconds} s`, {
      retryAfterSeconds,
    })
  if (connector.hosts.length === 0) return refuse(MESSAGING_TEXTS.noHost)
  if (!hostMatches(connector.hosts, host)) return refuse(MESSAGING_TEXTS.hostMismatch)
  return parts.tokens.issue(connector)
}
