import { PlatformError } from '../errors.ts'
import { refuseUnknown } from '../shared/refuse-unknown.ts'
import type { PlatformOptions } from './platform-options.ts'
import { SETTINGS } from './schema.ts'
import type { SettingsInput } from './settings-input.ts'
import { shown } from './shown.ts'

type Method = (...input: never[]) => unknown

/** The names of the methods of a port. */
type MethodsOf<Port> = {
  [Name in keyof Port & string]-?: NonNullable<Port[Name]> extends Method ? Name : never
}[keyof Port & string]

/** The names of a port's parts, each a port of its own. */
type PartsOf<Port> = {
  [Name in keyof Port & string]-?: Port[Name] extends Method | string | undefined ? never : Name
}[keyof Port & string]

/** A port that a host passes in. */
interface PortRule {
  /** The methods of a port, and which it may lack. */
  readonly methods: Readonly<Record<string, true | 'optional'>>
  /** The parts of a port, and which it may lack; the contract suite checks their methods. */
  readonly parts?: Readonly<Record<string, true | 'optional'>>
  /** An example of how to make one, for ports that every platform needs. */
  readonly example?: string
  /** True if a host may pass a list of them. */
  readonly several?: true
}

/** Another option: what it must be, and the words for it. */
interface ValueRule {
  readonly is: 'function' | 'boolean' | 'object'
  readonly allowed: string
}

/** A rule that names exactly the methods and parts that the port's type has. */
type RuleOf<Option> = Option extends boolean | Method | readonly unknown[]
  ? ValueRule
  : string extends keyof Option
    ? ValueRule
    : Pick<PortRule, 'example' | 'several'> & {
        readonly methods: {
          readonly [Name in MethodsOf<Option>]-?: undefined extends Option[Name] ? 'optional' : true
        }
      } & ([PartsOf<Option>] extends [never]
          ? unknown
          : {
              readonly parts: {
                readonly [Part in PartsOf<Option>]-?: undefined extends Option[Part] ? 'optional' : true
              }
            })

/**
 * The options of `createPlatform` beside the settings. A new option, and a new method of a port, do not compile until
 * they are listed here.
 */
const OPTIONS = {
  store: {
    methods: { close: true, onCommit: 'optional' },
    parts: {
      agents: true,
      conversations: true,
      access: true,
      webhooks: true,
      alerts: true,
      audit: true,
      clock: 'optional',
    },
    example: 'createMemoryStore() or createSqliteStore({ filename })',
  },
  runtime: { methods: { respond: true, prepare: 'optional' }, example: 'createRetrievalRuntime()' },
  functions: { is: 'object', allowed: 'an object of functions by name' },
  functionSources: { methods: { functions: true }, several: true },
  liveAgents: {
    is: 'function',
    allowed: 'a function that takes the callbacks and returns the live-agent system',
  },
  deskAssistant: { methods: { summarize: true, suggest: true } },
  webhookSender: { methods: { objection: true, send: true } },
  embedder: { methods: { embed: true } },
  redactor: { methods: { redact: true } },
  guard: { methods: { judge: true } },
  testVisitor: { methods: { say: true } },
  testJudge: { methods: { judge: true } },
  replayJudge: { methods: { compare: true } },
  textCarrier: { methods: { send: true } },
  callProvider: { methods: { place: true, status: 'optional' } },
  speechProvider: { methods: { voices: true, synthesize: true, sample: true } },
  recordings: { methods: { open: 'optional' }, parts: { keep: 'optional' } },
  files: { methods: { put: true, get: true, remove: true } },
  workers: { is: 'boolean', allowed: 'true or false' },
  bus: { methods: { publish: true, subscribe: true, nameChannels: 'optional' } },
  sharedLimits: { methods: { take: true, peek: true, hold: true, renew: true, release: true } },
  log: { methods: { debug: true, info: true, warn: true, error: true } },
  telemetry: { methods: { measure: true, begin: 'optional' }, several: true },
  clock: { methods: { now: true, monotonic: true, schedule: true } },
  ids: { methods: { uuid: true, short: true, secret: true } },
} satisfies {
  readonly [Name in Exclude<keyof PlatformOptions, keyof SettingsInput>]-?: RuleOf<
    NonNullable<PlatformOptions[Name]>
  >
}

const RULES: Readonly<Record<string, PortRule | ValueRule>> = OPTIONS

const refusal = (message: string): PlatformError => new PlatformError('SCHEMA_VALIDATION_FAILED', message)
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Refuses a value without the methods of that port. */
function refusePort(name: string, port: unknown, { methods, parts = {} }: PortRule): void {
  const required = (of: PortRule['parts'] = {}) => Object.keys(of).filter(member => of[member] === true)
  const members = [...required(parts), ...required(methods)]
  if (!isObject(port))
    throw refusal(`${name} must be an object with ${members.join(', ')}, not ${shown(port)}.`)
  if (typeof Reflect.get(port, 'then') === 'function')
    throw refusal(`${name} must not be a promise. Await it before it is handed over.`)
  for (const [method, need] of Object.entries(methods)) {
    const given: unknown = Reflect.get(port, method)
    const lacks = need === 'optional' && given === undefined
    if (!lacks && typeof given !== 'function') throw refusal(`${name} must have a function ${method}.`)
  }
  for (const [part, need] of Object.entries(parts)) {
    const given: unknown = Reflect.get(port, part)
    const lacks = need === 'optional' && given === undefined
    if (!lacks && !isObject(given)) throw refusal(`${name} must have a part ${part}.`)
  }
}

/**
 * Refuses invalid options (EM4). The settings among the options are checked by `resolveSettings`.
 * @throws SCHEMA_VALIDATION_FAILED naming the option, and what is allowed
 */
export function checkOptions(options: unknown): void {
  refuseUnknown('createPlatform', options, [...Object.keys(RULES), ...Object.keys(SETTINGS)])
  for (const [name, rule] of Object.entries(RULES)) {
    const given: unknown = isObject(options) ? Reflect.get(options, name) : undefined
    if ('is' in rule) {
      const right = rule.is === 'object' ? isObject(given) : typeof given === rule.is
      if (given !== undefined && !right)
        throw refusal(`${name} must be ${rule.allowed}, not ${shown(given)}.`)
    } else if (rule.several && Array.isArray(given)) for (const one of given) refusePort(name, one, rule)
    else if (given !== undefined && given !== null) refusePort(name, given, rule)
    else if (rule.example !== undefined) throw refusal(`${name} is required, for example ${rule.example}.`)
  }
}
