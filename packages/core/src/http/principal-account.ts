import type { Person } from '../domain/access/person.ts'
import type { Principal } from '../domain/access/principal.ts'
import type { AccountId } from '../domain/ids.ts'
import { PlatformError } from '../errors.ts'

/** The header in which a person's request names the account that its path does not (PE5). */
export const ACCOUNT_HEADER = 'x-account'

/**
 * Returns the account of a request whose path names none: that of its key, or the one that a person names in the
 * header.
 *
 * @throws SCHEMA_VALIDATION_FAILED for a person who names none
 * @throws USER_ACCESS_FORBIDDEN for a key of no account
 */
export function accountOfPrincipal(principal: Principal): AccountId {
  if (principal.type === 'person') {
    if (principal.account !== null) return principal.account.id
    const message = `The header ${ACCOUNT_HEADER} is missing. It must name an account by its id or slug.`
    throw new PlatformError('SCHEMA_VALIDATION_FAILED', message)
  }
  const accountId = principal.type === 'api_key' ? principal.key.accountId : null
  if (accountId !== null) return accountId
  throw new PlatformError('USER_ACCESS_FORBIDDEN', 'The key belongs to no account.')
}

/** Returns the person of a request. @throws AUTH_USER_UNAUTHORISED */
export function personOf(principal: Principal): Person {
  if (principal.type === 'person') return principal.person
  throw new PlatformError('AUTH_USER_UNAUTHORISED', 'This is for people who are signed in.')
}
