import { hostMatches } from '../../domain/access/host-match.ts'
import { networkOf } from '../../domain/access/network.ts'
import { hashSecret } from '../../domain/access/secret.ts'
import { PlatformError } from '../../errors.ts'
import { MESSAGING_TEXTS } from '../../protocol/http-errors.ts'
import type { Access } from '../access/access.ts'
import { attempt } from '../access/attempt.ts'
import type { Limiters } from '../access/limiters.ts'
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
  parts: { readonly access: Access; readonly tokens: AccessTokens; readonly limiters: Limiters },
  input: Parameters<Messaging['issueAccessToken']>[0],
): ReturnType<Messaging['issueAccessToken']> {
  const { connectorToken, host } = input
  if (!connectorToken || !host) return refuse(MESSAGING_TEXTS.missingHeaders)
  const { access, limiters, tokens } = parts
  const { remoteAddress } = input
  const name = `${hashSecret(connectorToken)} ${networkOf(remoteAddress)}`
  const connector = await attempt(
    limiters,
    { used: limiters.connectors, name, remoteAddress, what: 'access tokens' },
    () => access.connectorByToken(connectorToken),
  )
  if (connector === null) return refuse(MESSAGING_TEXTS.unknownConnector)
  if (connector.hosts.length === 0) return refuse(MESSAGING_TEXTS.noHost)
  if (!hostMatches(connector.hosts, host)) return refuse(MESSAGING_TEXTS.hostMismatch)
  return tokens.issue(connector)
}
