import type { Access } from '../access/access.ts'
import type { AccessTokens } from './access-token.ts'
import { bearerToken } from './bearer-token.ts'

/** What a visitor's program brings: the token of a connector, or an access token as it stands in `Authorization`. */
export type VisitorCredential =
  | { readonly connectorToken: string | null }
  | { readonly authorization: string | null }

/** The hosts of the connector that a credential belongs to; null when it opens nothing. */
export async function registeredHosts(
  { access, tokens }: { readonly access: Access; readonly tokens: AccessTokens },
  credential: VisitorCredential,
): Promise<readonly string[] | null> {
  if ('connectorToken' in credential) {
    const { connectorToken } = credential
    const connector = connectorToken ? await access.connectorByToken(connectorToken) : null
    return connector?.hosts ?? null
  }
  const token = bearerToken(credential.authorization)
  const verified = token === null ? null : await tokens.verify(token)
  return verified?.connector.hosts ?? null
}
