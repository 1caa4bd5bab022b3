import { PlatformError } from '../errors.ts'
import type { Platform } from '../platform.ts'
import { refuseUnknown } from '../shared/refuse-unknown.ts'
import { createDispatcher, type Dispatcher, type DispatcherOptions } from './dispatcher.ts'
import { routes } from './routes.ts'

/** The target that a binding mounts: a platform, or a finished dispatcher such as the console's. */
export type Mountable = Platform | Dispatcher

/** The options that go into a platform's dispatcher; a ready one has its own. */
const OF_PLATFORMS: Readonly<Record<keyof DispatcherOptions, true>> = {
  families: true,
  crossOrigin: true,
  documents: true,
  allowInsecure: true,
  responseHeaders: true,
}

const isObject = (given: unknown): given is object => typeof given === 'object' && given !== null

const isDispatcher = (given: Mountable): given is Dispatcher => 'handle' in given && 'matches' in given

/**
 * Returns the dispatcher for a binding's platform or dispatcher. Checks that it is one of them, and that every option
 * is known (EM4).
 *
 * @param where the binding's name, for its refusals
 * @param own the options of the binding itself
 * @throws SCHEMA_VALIDATION_FAILED
 */
export function dispatcherOf(
  where: string,
  given: Mountable,
  options: DispatcherOptions,
  own: readonly string[],
): Dispatcher {
  if (!isObject(given) || !('closing' in given || isDispatcher(given))) {
    const message = `${where} takes the platform first, as createPlatform returns it.`
    throw new PlatformError('SCHEMA_VALIDATION_FAILED', message)
  }
  if (isDispatcher(given)) {
    refuseUnknown(where, options, own)
    return given
  }
  refuseUnknown(where, options, [...Object.keys(OF_PLATFORMS), ...own])
  return createDispatcher(given, routes, options)
}
