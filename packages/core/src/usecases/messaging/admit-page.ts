import { originMatches } from '../../domain/access/host-match.ts'
import { PlatformError } from '../../errors.ts'
import { MESSAGING_TEXTS } from '../../protocol/http-errors.ts'
import type { Access } from '../access/access.ts'
import { attemptRefusal } from '../access/attempt.ts'
import { type Limiters, tooOften } from '../access/limiters.ts'
import type { RateLimiter } from '../access/rate-limiter.ts'
import { createLastUsed } from '../shared/last-used.ts'
import type { AccessTokens } from './access-token.ts'
import { bearerToken } from './access-token.ts'
import { tokenAttempt } from './issue-access-token.ts'

/** What a visitor's program brings: the token of a connector, or an access token as it stands in `Authorization`. */
export type VisitorCredential =
  | { readonly connectorToken: string | null }
  | { readonly authorization: string | null }

/** A page that wants to use a credential. */
export interface PageRequest {
  readonly credential: VisitorCredential
  /** As the browser sends it. */
  readonly origin: string
  /** As in `AccessTokenInput`. */
  readonly remoteAddress: string
}

/** What a page may do. */
export interface PageVerdict {
  /** Whether it may read the answer, a refusal too. */
  readonly readable: boolean
  /** Why nothing is done for it; null when its request goes on. */
  readonly refusal: PlatformError | null
}

type Hosts = readonly string[]

/** A credential under the name by which its uses are counted. */
interface Counted {
  readonly used: RateLimiter
  readonly name: string
  readonly refusal: PlatformError | null
  find(): Promise<Hosts | null>
}

/** Credentials of which this process remembers the hosts. */
const REMEMBERED = 10_000

/** The credential opens nothing: the route says so in its own words, and no page reads them. */
const NOTHING: PageVerdict = { readable: false, refusal: null }

/**
 * Judges pages by the hosts of the connector whose credential they bring (HY2, HY3). It counts as the route itself
 * does: what is refused for its rate costs no read of the store, and whether a page asks makes no difference to how
 * often secrets may be tried (SM21, SM24). A use that goes on is charged by the route, one that is refused here is
 * charged here. The hosts that were seen last are kept for one thing alone: to tell which page may read that it asks
 * too often.
 */
export function createPageAdmission(parts: {
  readonly access: Pick<Access, 'connectorByToken'>
  readonly tokens: AccessTokens
  readonly limiters: Limiters
}): (page: PageRequest) => Promise<PageVerdict> {
  const { access, limiters, tokens } = parts
  const seen = createLastUsed<string, Hosts>(REMEMBERED)

  async function countedOf({ credential, remoteAddress }: PageRequest): Promise<Counted | null> {
    if ('connectorToken' in credential) {
      const { connectorToken } = credential
      if (!connectorToken) return null
      const attempt = tokenAttempt(limiters, connectorToken, remoteAddress)
      return {
        ...attempt,
        refusal: attemptRefusal(limiters, attempt),
        find: async () => (await access.connectorByToken(connectorToken))?.hosts ?? null,
      }
    }
    const token = bearerToken(credential.authorization)
    const claims = token === null ? null : await tokens.read(token)
    if (claims === null) return null
    const wait = limiters.visitors.wait(claims.visitorId)
    return {
      used: limiters.visitors,
      name: claims.visitorId,
      refusal: wait === 0 ? null : tooOften(wait),
      find: async () => (await tokens.connectorOf(claims))?.hosts ?? null,
    }
  }

  return async page => {
    const counted = await countedOf(page)
    if (counted === null) return NOTHING
    const { name, refusal, used } = counted
    if (refusal !== null) return { readable: originMatches(seen.get(name) ?? [], page.origin), refusal }
    const hosts = await counted.find()
    if (hosts === null) return NOTHING
    seen.set(name, hosts)
    if (originMatches(hosts, page.origin)) return { readable: true, refusal: null }
    used.take(name)
    return { readable: false, refusal: new PlatformError('MESSAGING_ORIGIN', MESSAGING_TEXTS.origin) }
  }
}
