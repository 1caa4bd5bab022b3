import type { CredentialUses } from './usecases/access/credential-uses.ts'
import type { Context } from './usecases/context.ts'
import type { Streams } from './usecases/messaging/streams.ts'

/** What the transports of core are handed besides the platform. */
export interface PlatformContext extends Context {
  readonly uses: CredentialUses
  /** The answers of this process that last as long as they are read. */
  readonly streams: Streams
}

/** By the signal that every copy of a platform shares: that of `as`, and a host's own. */
const contexts = new WeakMap<AbortSignal, PlatformContext>()

/** A platform, or a copy of it. */
type OfPlatform = { readonly closing: AbortSignal }

/** Keeps what a platform's parts are made of for the transports of core, out of the hands of hosts. */
export function keepContext({ closing }: OfPlatform, context: PlatformContext): void {
  contexts.set(closing, context)
}

/** What the parts of a platform are made of. @throws TypeError for what `createPlatform` has not made */
export function contextOf({ closing }: OfPlatform): PlatformContext {
  const context = contexts.get(closing)
  if (context === undefined)
    throw new TypeError('This platform was not made by createPlatform. Pass the one that it returned.')
  return context
}
