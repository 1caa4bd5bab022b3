import { isPlatformError } from '../errors.ts'
import type { Platform } from '../platform.ts'
import { createDispatcher, type Dispatcher, type DispatcherOptions } from './dispatcher.ts'
import { peopleGate, type SignIn } from './people-gate.ts'
import { peopleRoutes } from './people-routes.ts'
import type { HttpRequest, Route } from './route.ts'
import { routes } from './routes.ts'

/** The host's options for the people who use its platform. */
export interface PeopleOptions extends SignIn, Pick<DispatcherOptions, 'responseHeaders'> {
  /** The URL at which people sign out. @default none */
  readonly signOutUrl?: string
  /** The URL of the widget's script for pages of visitors. @default unknown */
  readonly widgetUrl?: string
  /** The most conversations that the page writes into one exported file. @default 100,000 */
  readonly mostExported?: number
  /** The version of the page that makes requests. Returned together with the signed-in person. */
  readonly version: string
}

/** Refusals of somebody who may not, or no longer; anything else that goes wrong says nothing about that. */
const REFUSALS: ReadonlySet<string> = new Set(['AUTH_USER_UNAUTHORISED', 'USER_ACCESS_FORBIDDEN'])

/**
 * Returns the dispatcher of a platform for people whom the host has signed in, in place of keys (PE1). It has the same
 * paths, and `/console/v1/me` and `/desk/v1/events` besides. For pages of the host's own origin alone.
 */
export function createPeopleDispatcher(platform: Platform, options: PeopleOptions): Dispatcher {
  const { signOutUrl = null, widgetUrl = null, mostExported = 100_000, version, responseHeaders } = options
  const gate = peopleGate(platform, options)
  const own: readonly Route[] = peopleRoutes({
    about: { signOutUrl, widgetUrl, mostExported, version },
    async mayStill(route: Route, request: HttpRequest) {
      try {
        await gate.authenticate(route, request, null)
        return true
      } catch (error) {
        if (isPlatformError(error) && REFUSALS.has(error.code)) return false
        throw error
      }
    },
  })
  return createDispatcher(platform, [...routes, ...own], {
    gate,
    crossOrigin: false,
    documents: false,
    ...(responseHeaders === undefined ? {} : { responseHeaders }),
  })
}
