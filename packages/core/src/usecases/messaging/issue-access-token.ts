import { hostMatches } from '../../domain/access/host-match.ts'
import { networkOf } from '../../domain/access/network.ts'
import { hashSecret } from '../../domain/access/secret.ts'
import { PlatformError } from '../../errors.ts'
import { MESSAGING_TEXTS } from '../../protocol/http-errors.ts'
import type { Access } from '../access/access.ts'
import { type Attempt, attempt } from '../access/attempt.ts'
import type { Limiters } from '../access/limiters.ts'
import type { AccessTokens } from './access-token.ts'

/** The credentials that a visitor's page exchanges for an access token. */
export interface AccessTokenInput {
  readonly connectorToken: string | null
  /** The host of the page that asks: one of the connector's, or a subdomain of one. */
  readonly host: string | null
  /** The key by which attempts are counted: the client's address, or a constant if the transport knows no addresses. */
  readonly remoteAddress: string
}

const refuse = (message: string): never => {
  throw new PlatformError('MESSAGING_UNAUTHORISED', message)
}

/** Returns the rate-limit keys of a connector token: itself, and the address that it comes from. */
export const tokenAttempt = (
  { connectors }: Pick<Limiters, 'connectors'>,
  connectorToken: string,
  remoteAddress: string,
): Attempt => ({
  used: connectors,
  name: `${hashSecret(connectorToken)} ${networkOf(remoteAddress)}`,
  remoteAddress,
  what: 'access tokens',
})

/**
 * Exchanges a connector token and a registered host for an access token.
 *
 * @throws MESSAGING_UNAUTHORISED with a text of contract/messaging.md, Over HTTP; RATE_LIMITED
 */
export async function issueAccessToken(
  parts: {
    readonly access: Pick<Access, 'connectorByToken'>
    readonly tokens: AccessTokens
    readonly limiters: Limiters
  },
  input: AccessTokenInput,
): Promise<{ readonly accessToken: string; readonly expiresIn: number }> {
  const { connectorToken, host } = input
  if (!connectorToken || !host) return refuse(MESSAGING_TEXTS.missingHeaders)
  const { access, limiters, tokens } = parts
  const connector = await attempt(limiters, tokenAttempt(limiters, connectorToken, input.remoteAddress), () =>
    access.connectorByToken(connectorToken),
  )
  if (connector === null) return refuse(MESSAGING_TEXTS.unknownConnector)
  if (connector.hosts.length === 0) return refuse(MESSAGING_TEXTS.noHost)
  if (!hostMatches(connector.hosts, host)) return refuse(MESSAGING_TEXTS.hostMismatch)
  return tokens.issue(connector)
}
