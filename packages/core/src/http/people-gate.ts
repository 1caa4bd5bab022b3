import * as z from 'zod'
import type { Account } from '../domain/access/access.ts'
import { heldRoles, mayUseAccount, type Person, personSchema, ROLES } from '../domain/access/person.ts'
import type { Principal } from '../domain/access/principal.ts'
import { parse } from '../domain/parse.ts'
import { isPlatformError, PlatformError } from '../errors.ts'
import type { Platform } from '../platform.ts'
import { edgeOf } from '../platform-context.ts'
import type { Log } from '../ports/log.ts'
import { meant } from '../shared/refuse-unknown.ts'
import { refuseOver } from '../usecases/access/limiters.ts'
import type { Gate } from './gate.ts'
import { isOwnOrigin } from './own-origin.ts'
import { roleOf } from './people-roles.ts'
import { ACCOUNT_HEADER } from './principal-account.ts'
import type { Family, HttpRequest, Route } from './route.ts'

/** The host's own login. */
export interface SignIn {
  /** Returns the person who makes the request, from the host's session. Returns null if nobody is signed in. */
  readonly authorize: (request: HttpRequest) => Promise<Person | null> | Person | null
  /** The URL at which people sign in, returned to those who are not. @default none */
  readonly signInUrl?: string
}

const forbidden = (message: string) => new PlatformError('USER_ACCESS_FORBIDDEN', message)

/** Returns null for the error of a missing account. Throws any other. */
function unlessUnknown(error: unknown): null {
  if (isPlatformError(error) && error.code === 'ACCOUNT_NOT_FOUND') return null
  throw error
}

/** The families whose paths name no account, although their calls belong to one (PE5). */
const OF_ONE_ACCOUNT: ReadonlySet<Family> = new Set<Family>(['desk', 'webhooks', 'alerts'])

/**
 * Refuses requests that a page other than the console's own could make a browser send (PE4): no such page can set a
 * header of its own here, and browsers send the page's origin.
 *
 * @throws USER_ACCESS_FORBIDDEN
 */
function requireOwnPage({ isPlayed = false }: Route, { headers }: HttpRequest): void {
  const { 'sec-fetch-site': site } = headers
  // No page can set that one, and players cannot set the other.
  const isPlayer = isPlayed && site === 'same-origin'
  if (headers['x-console'] !== '1' && !isPlayer)
    throw forbidden('The header x-console is missing. Send "x-console: 1" with every request.')
  if (site !== undefined && site !== 'same-origin')
    throw forbidden(`The request comes from another site (${JSON.stringify(site)}). Allowed: same-origin.`)
  if (!isOwnOrigin(headers))
    throw forbidden('The request comes from a page of another host. Allowed: pages of the console itself.')
}

const namesSchema = z.looseObject({ roles: z.array(z.string()) })

/** Returns a hint with the role that was probably meant by a misspelt one. */
function hintOf(given: unknown): string {
  const { data } = namesSchema.safeParse(given)
  for (const role of data?.roles ?? []) {
    const near = ROLES.some(known => known === role) ? null : meant(role, ROLES)
    if (near !== null) return ` There is no role ${JSON.stringify(role)}. Did you mean ${near}?`
  }
  return ''
}

/**
 * Parses the value that the host's login returned. The host has to fix anything else than a person: its log describes
 * it, and the page learns whom to ask (PE2).
 * @throws USER_ACCESS_FORBIDDEN
 */
function readPerson(given: unknown, log: Log): Person | null {
  if (given === null || given === undefined) return null
  try {
    return parse(personSchema, given, "person's field")
  } catch (cause) {
    if (!isPlatformError(cause)) throw cause
    log.error(
      `authorize must return a person {id, name, roles, accounts?} or null. ${cause.message}${hintOf(given)}`,
    )
    throw forbidden('The server could not read who you are, or what you may do. Ask its operator.')
  }
}

/** @throws USER_ACCESS_FORBIDDEN */
function requireRole({ roles, accounts }: Person, { family, operation }: Route): void {
  const role = roleOf(operation)
  if (role === null) throw forbidden('No person may do this.')
  if (role !== 'anyone' && !heldRoles(roles).includes(role))
    throw forbidden(`This takes the role "${role}", which you do not have.`)
  if (family === 'operator' && accounts !== undefined)
    throw forbidden('This concerns every account, and you may use some of them alone.')
}

/**
 * Admits people whom the host has signed in, to routes that their roles allow (PE1 to PE5). Keys do not count here.
 * Routes that no person may use are not served.
 */
export function peopleGate(platform: Platform, { authorize, signInUrl }: SignIn): Gate {
  const edge = edgeOf(platform)

  async function signedIn(request: HttpRequest): Promise<Person> {
    const person = readPerson(await authorize(request), edge.log)
    if (person !== null) return person
    const details = signInUrl === undefined ? {} : { body: { sign_in_url: signInUrl } }
    throw new PlatformError('AUTH_USER_UNAUTHORISED', 'You are not signed in. Sign in first.', details)
  }

  async function namedAccount(person: Person, name: string | undefined): Promise<Account | null> {
    if (name === undefined || name === '') return null
    const account = await edge.account(name).catch(unlessUnknown)
    if (account !== null && mayUseAccount(person, account.id)) return account
    // People with access to some accounts must not learn which others exist.
    if (person.accounts !== undefined) throw forbidden('You have no permission for that account.')
    const message = `The header ${ACCOUNT_HEADER} names no account. It must be an account's id or slug.`
    throw new PlatformError('SCHEMA_VALIDATION_FAILED', message)
  }

  return {
    opens: ({ operation }) => roleOf(operation) !== null,
    regionOf: () => null,
    async authenticate(route, request): Promise<Principal> {
      requireOwnPage(route, request)
      const person = await signedIn(request)
      refuseOver(await edge.limiters.keys.take(`person:${person.id}`))
      requireRole(person, route)
      const isOfOne = OF_ONE_ACCOUNT.has(route.family)
      const account = isOfOne ? await namedAccount(person, request.headers[ACCOUNT_HEADER]) : null
      return { type: 'person', person, account }
    },
  }
}
