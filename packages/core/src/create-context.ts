import { guardLog } from './guarded/log.ts'
import { guardOnError } from './guarded/on-error.ts'
import { guardPorts } from './guarded/ports.ts'
import type { PlatformOptions } from './settings/platform-options.ts'
import { resolveSettings } from './settings/resolve-settings.ts'
import { createLimiters } from './usecases/access/limiters.ts'
import type { Context } from './usecases/context.ts'
import { registerFunctions } from './usecases/conversation/functions/register-functions.ts'

/**
 * What use cases are handed, of what a host hands over: settings are resolved, and ports do not throw where it is not
 * expected.
 */
export function createContext(options: PlatformOptions): Context {
  const {
    runtime,
    functions = {},
    embedder = null,
    recordings = null,
    liveAgents: _,
    workers: __,
    ...rest
  } = options
  const { store, bus, sharedLimits, log: given, clock, ids, webhookSender, ...input } = rest
  const log = guardLog(given)
  const resolved = resolveSettings(input, log)
  const settings = { ...resolved, onError: guardOnError(resolved.onError, log) }
  const ports = guardPorts({ store, bus, sharedLimits, clock, ids, webhookSender }, { log, settings })
  return {
    ...ports,
    runtime,
    functions: registerFunctions(functions, settings),
    embedder,
    recordings,
    log,
    settings,
    limiters: createLimiters(settings.rateLimits, ports.clock, ports.sharedLimits),
  }
}
