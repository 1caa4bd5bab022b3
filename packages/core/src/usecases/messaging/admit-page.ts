import * as z from 'zod'
import { originMatches } from '../../domain/access/host-match.ts'
import { onFirstUse } from '../../domain/on-first-use.ts'
import { PlatformError } from '../../errors.ts'
import { MESSAGING_TEXTS } from '../../protocol/http-errors.ts'
import type { Access } from '../access/access.ts'
import { attemptRefusal } from '../access/attempt.ts'
import { type Limiters, tooOften } from '../access/limiters.ts'
import type { RateLimiter } from '../access/rate-limiter.ts'
import { own } from '../shared/arguments.ts'
import { createLastUsed } from '../shared/last-used.ts'
import type { AccessTokens } from './access-token.ts'
import { bearerToken } from './access-token.ts'
import { tokenAttempt } from './issue-access-token.ts'

/** A visitor's credential: the token of a connector, or the value of an `Authorization` header with an access token. */
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

const nullableText = z.string().nullish()

export const pageRequestSchema = onFirstUse(() =>
  z.object({
    credential: own<VisitorCredential>(
      given =>
        z.object({ connectorToken: nullableText, authorization: nullableText }).safeParse(given).success,
      'expected the token of a connector, or an authorization',
    ),
    origin: z.string(),
    remoteAddress: z.string(),
  }),
)

/** The decision about a page. */
export interface PageVerdict {
  /** Whether it may read the answer, including a refusal. */
  readonly readable: boolean
  /** The reason why its request is refused; null when it proceeds. */
  readonly refusal: PlatformError | null
}

type Hosts = readonly string[]

/** A credential with the key of its rate limit. */
interface Counted {
  readonly used: RateLimiter
  readonly name: string
  readonly refusal: PlatformError | null
  find(): Promise<Hosts | null>
}

/** Number of credentials whose hosts this process caches. */
const REMEMBERED = 10_000

/** The credential is invalid: the route answers with its own error, which pages cannot read. */
const NOTHING: PageVerdict = { readable: false, refusal: null }

/**
 * Admits pages by the hosts of the connector whose credential they send (HY2, HY3). It counts towards the same rate
 * limits as the route: a refusal for the rate costs no read of the store, and secrets cannot be tried more often from a
 * page than without one (SM20, SM24). The route charges requests that proceed; those that are refused here are charged
 * here. Hosts of recent credentials are cached for one purpose: to decide which pages may read a rate-limit refusal.
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
        refusal: await attemptRefusal(limiters, attempt),
        find: async () => (await access.connectorByToken(connectorToken))?.hosts ?? null,
      }
    }
    const token = bearerToken(credential.authorization)
    const claims = token === null ? null : await tokens.read(token)
    if (claims === null) return null
    const wait = await limiters.visitors.wait(claims.visitorId)
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
    await used.take(name)
    return { readable: false, refusal: new PlatformError('MESSAGING_ORIGIN', MESSAGING_TEXTS.origin) }
  }
}
