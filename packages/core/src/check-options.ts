import { PlatformError } from './errors.ts'
import { SETTING_NAMES } from './settings.ts'
import { refuseUnknown } from './shared/refuse-unknown.ts'

const refusal = (message: string): PlatformError => new PlatformError('SCHEMA_VALIDATION_FAILED', message)

/** What a host may hand over, and the functions that it must have. */
const PORTS: Readonly<Record<string, readonly string[]>> = {
  store: ['close'],
  runtime: ['respond'],
  bus: ['publish', 'subscribe'],
  log: ['debug', 'info', 'warn', 'error'],
  clock: ['now', 'monotonic', 'schedule'],
  ids: ['uuid', 'short', 'secret'],
  webhookSender: ['objection', 'send'],
  embedder: ['embed'],
  recordings: ['open'],
}

/** What there is no platform without, and what makes one. */
const REQUIRED: Readonly<Record<string, string>> = {
  store: 'createMemoryStore() or createSqliteStore({ filename })',
  runtime: 'createRetrievalRuntime()',
}

/** The parts of a store. */
const STORE_PARTS = ['agents', 'conversations', 'access', 'webhooks', 'audit']

const OTHERS = ['functions', 'liveAgents', 'workers']

const isFunction = (value: unknown): boolean => typeof value === 'function'
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Refuses a port that is not one. */
function refusePort(name: string, port: unknown, methods: readonly string[]): void {
  if (!isObject(port))
    throw refusal(`${name} must be an object with ${methods.join(', ')}, not ${typeof port}.`)
  if (isFunction(Reflect.get(port, 'then')))
    throw refusal(`${name} must not be a promise. Await it before it is handed over.`)
  for (const method of methods)
    if (!isFunction(Reflect.get(port, method))) throw refusal(`${name} must have a function ${method}.`)
  if (name !== 'store') return
  for (const part of STORE_PARTS)
    if (!isObject(Reflect.get(port, part))) throw refusal(`store must have a part ${part}.`)
}

/**
 * Refuses what no platform can be made of (EM4). The settings among the options are checked by `resolveSettings`.
 * @throws SCHEMA_VALIDATION_FAILED naming the option, and what is allowed
 */
export function checkOptions(options: unknown): void {
  refuseUnknown('createPlatform', options, [...Object.keys(PORTS), ...OTHERS, ...SETTING_NAMES])
  if (!isObject(options)) return
  for (const [name, methods] of Object.entries(PORTS)) {
    const port: unknown = Reflect.get(options, name)
    const example = REQUIRED[name]
    if (port !== undefined && port !== null) refusePort(name, port, methods)
    else if (example !== undefined) throw refusal(`${name} is required, for example ${example}.`)
  }
  const { functions, liveAgents, workers, onError } = {
    ...{ functions: undefined, liveAgents: undefined, workers: undefined, onError: undefined },
    ...options,
  }
  if (functions !== undefined && !isObject(functions))
    throw refusal('functions must be an object of functions by name.')
  if (liveAgents !== undefined && !isFunction(liveAgents))
    throw refusal('liveAgents must be a function that takes the callbacks and returns the live-agent system.')
  if (workers !== undefined && typeof workers !== 'boolean') throw refusal('workers must be true or false.')
  if (onError !== undefined && !isFunction(onError)) throw refusal('onError must be a function.')
}
