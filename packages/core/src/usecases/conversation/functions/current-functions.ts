import type { AgentFunction, FunctionSource } from '../../../ports/agent-function.ts'
import type { Log } from '../../../ports/log.ts'
import type { Settings } from '../../../settings/settings.ts'
import { fitting } from '../../../shared/call-host.ts'
import { errorText } from '../turn/error-text.ts'
import { type FunctionRegistry, registerFunction, registerFunctions } from './register-functions.ts'

/** The functions that there are at this moment. */
export type CurrentFunctions = () => FunctionRegistry

interface Known {
  readonly functions: Readonly<Record<string, AgentFunction>>
  readonly registry: FunctionRegistry
}

const isGroup = (value: unknown): value is Known['functions'] =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'then') !== 'function'

const NOTHING: Known = { functions: {}, registry: new Map() }

/**
 * Returns the host's functions, checked once, and the current ones of its sources (FN50).
 *
 * @throws SCHEMA_VALIDATION_FAILED naming an invalid function of the host itself
 */
export function currentFunctions(
  given: {
    readonly functions: Readonly<Record<string, AgentFunction>>
    readonly sources: readonly FunctionSource[]
  },
  { settings, log }: { readonly settings: Settings; readonly log: Log },
): CurrentFunctions {
  const own = registerFunctions(given.functions, settings)
  if (given.sources.length === 0) return () => own
  const why = (error: unknown): string => errorText(error, settings.limits.functionErrorLength)

  /** The logged reason for each function that is left out, so that it is logged once. */
  const told = new Map<string, string>()

  function leftOut(name: string, reason: string): void {
    if (told.get(name) === reason) return
    told.set(name, reason)
    log.warn('A function of a source is left out', { function: name, reason })
  }

  function valid(functions: Known['functions'], before: Known): FunctionRegistry {
    for (const name of Object.keys(before.functions)) if (!Object.hasOwn(functions, name)) told.delete(name)
    const registry: Map<string, ReturnType<typeof registerFunction>> = new Map()
    for (const [name, one] of Object.entries(functions)) {
      try {
        registry.set(name, registerFunction(name, one, settings))
      } catch (error) {
        leftOut(name, why(error))
      }
    }
    return registry
  }

  function read(source: FunctionSource, before: Known): Known {
    try {
      const functions = fitting(source.functions(), isGroup, 'functions() of a source must return an object')
      return functions === before.functions ? before : { functions, registry: valid(functions, before) }
    } catch (error) {
      log.warn('A source of functions failed; what it gave before is kept', { reason: why(error) })
      return before
    }
  }

  let known: readonly Known[] = given.sources.map(() => NOTHING)
  let united: FunctionRegistry = own
  return () => {
    const now = given.sources.map((source, at) => read(source, known[at] ?? NOTHING))
    if (now.every((one, at) => one === known[at])) return united
    known = now
    // The host's own come first, then those of the earlier source.
    united = new Map([...known.toReversed().flatMap(({ registry }) => [...registry]), ...own])
    return united
  }
}
