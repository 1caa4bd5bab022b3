import { type PlatformOptions, secretSchema } from '@colloquy/core'
import { z } from 'zod'
import { StartError } from './start-error.ts'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Environments in which passing tests and replays can be required. */
const TESTABLE = ['pre-release', 'live'] as const

/** The longest time that a variable may give, seconds: a day. */
const LONGEST_SECONDS = 86_400

/** The longest time that conversations may be kept before they are removed, days: a century. */
const LONGEST_DAYS = 36_500

/** The longest time that recordings may be kept apart from their conversations, days. */
const MOST_TURN_RECORDING_DAYS = 3_650

/** The most connections that may be allowed. */
const MOST_CONNECTIONS = 1_000_000

/** The most proxies that may stand in front. */
const MOST_PROXIES = 10

const whole = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.int().min(least).max(most))
    .exactOptional()
    .describe(`a whole number from ${least} to ${most}`)

const oneOf = <const Words extends readonly string[]>(words: Words) =>
  z
    .enum(words)
    .exactOptional()
    .describe(`one of ${words.join(', ')}`)

/** True for an address below which the OpenAI chat protocol can be spoken. */
function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, search, hash } = new URL(text)
  return /^https?:$/.test(protocol) && username + password + search + hash === ''
}

/** True for the address of a server that one of these protocols reaches, with a password that can be read. */
function isAddress(text: string, protocols: readonly string[]): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  try {
    decodeURIComponent(username + password)
  } catch {
    return false
  }
  return protocols.includes(protocol)
}

const POSTGRES = ['postgres:', 'postgresql:'] as const

/** Schemes of a bus's URL. */
const BUSES = ['redis:', 'rediss:', 'nats:', 'tls:', ...POSTGRES] as const

/** The bus of the database itself. */
const BUS_OF_DATABASE = 'postgres'

/** A word of the brand (HT39). */
const brandWord = z.string().regex(/^[A-Za-z0-9_-]{1,50}$/)

/** Host names by region or cluster. */
const hostMap = z.record(z.string().regex(/^[A-Za-z0-9_-]{1,32}$/), z.string().regex(/^[\w.-]+(:\d+)?$/))

const EXAMPLE_HOSTS =
  '{"base": {"us": "api.us.example.com"}, "platform": {"us-1": "api.us-1.example.com"}, "messaging": {"default": "messaging.example.com"}}'

function readJson(text: string, context: z.RefinementCtx<string>): unknown {
  try {
    return JSON.parse(text)
  } catch {
    context.addIssue({ code: 'custom', message: 'Not JSON' })
    return z.NEVER
  }
}

const hosts = z
  .string()
  .transform(readJson)
  .pipe(z.strictObject({ base: hostMap, platform: hostMap, messaging: hostMap }))
  .exactOptional()
  .describe(`host names by group and region as JSON, like ${EXAMPLE_HOSTS}`)

const secret = secretSchema.exactOptional().describe('16 to 512 visible ASCII characters without spaces')

/** Secrets hold no space, so a space parts them. */
const tokenSecrets = z
  .string()
  .transform(text => text.split(' '))
  .pipe(z.array(secretSchema))
  .exactOptional()
  .describe(
    '16 to 512 visible ASCII characters without spaces, or several such secrets with a space between them',
  )

/** The variables that name credentials: each is generated when it is not given (SS5). */
const credentialsSchema = z.object({
  COLLOQUY_OPERATOR_KEY: secret,
  COLLOQUY_WORKSPACE_KEY: secret,
  COLLOQUY_PROJECT_KEY: secret,
  COLLOQUY_EXTERNAL_EVENTS_KEY: secret,
  COLLOQUY_DESK_KEY: secret,
  COLLOQUY_CONNECTOR_TOKEN: secret,
})

/** A variable that names a credential. */
export type CredentialVariable = keyof z.output<typeof credentialsSchema>
/** All of them. */
export const CREDENTIAL_VARIABLES: readonly CredentialVariable[] = credentialsSchema.keyof().options

/** Environments that take only what has been proven. */
const testable = z
  .string()
  .transform(text => text.split(','))
  .pipe(z.array(z.enum(TESTABLE)))
  .exactOptional()
  .describe(`${TESTABLE.join(', ')}, or both with a comma between them`)

/** The variables of the server. The description of each says what it may hold. */
const environmentSchema = z.object({
  PORT: whole(0, 65_535),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/)
    .exactOptional()
    .describe('a host name or an IP address'),
  TRUST_PROXY: whole(0, MOST_PROXIES),
  COLLOQUY_ALLOW_INSECURE: oneOf(['on', 'off']),
  COLLOQUY_CONSOLE: oneOf(['on', 'off']),
  COLLOQUY_DEMO_PAGE: oneOf(['on', 'off']),
  COLLOQUY_BRAND: brandWord
    .refine(word => !/^live$/i.test(word))
    .exactOptional()
    .describe('1 to 50 letters, digits, _ and -, and not LIVE'),
  COLLOQUY_HEADER_BRAND: brandWord.exactOptional().describe('1 to 50 letters, digits, _ and -'),
  COLLOQUY_HOSTS: hosts,
  COLLOQUY_DATABASE: z.string().exactOptional().describe('the name of a file, or :memory:'),
  COLLOQUY_DATABASE_URL: z
    .string()
    .refine(text => isAddress(text, POSTGRES))
    .exactOptional()
    .describe('the address of a PostgreSQL database, like postgres://user:password@localhost:5432/colloquy'),
  COLLOQUY_DATABASE_SCHEMA: z
    .string()
    .regex(/^(?!pg_|information_schema$)[A-Za-z_]\w{0,62}$/)
    .exactOptional()
    .describe("1 to 63 letters, digits and _, which is no schema of PostgreSQL's own"),
  COLLOQUY_DATABASE_CONNECTIONS: whole(1, 1_000),
  COLLOQUY_DATABASE_PREPARE: oneOf(['on', 'off']),
  COLLOQUY_BUS_URL: z
    .string()
    .refine(text => text === BUS_OF_DATABASE || isAddress(text, BUSES))
    .exactOptional()
    .describe(
      'an address that begins with redis:, rediss:, nats:, tls: or postgres:, or the word postgres for the database of COLLOQUY_DATABASE_URL',
    ),
  ...credentialsSchema.shape,
  COLLOQUY_TOKEN_SECRET: tokenSecrets,
  COLLOQUY_SECRETS_KEY: tokenSecrets,
  COLLOQUY_SESSION_IDLE_SECONDS: whole(1, LONGEST_SECONDS),
  COLLOQUY_HANDOFF_TIMEOUT_SECONDS: whole(1, LONGEST_SECONDS),
  COLLOQUY_RETENTION_DAYS: whole(1, LONGEST_DAYS),
  COLLOQUY_LLM_BASE_URL: z
    .string()
    .refine(isBaseUrl)
    .exactOptional()
    .describe('an http or https URL without user name, password, query and fragment'),
  COLLOQUY_LLM_MODEL: z
    .string()
    .regex(/^[^\s\p{Cc}]{1,200}$/u)
    .exactOptional()
    .describe('1 to 200 characters without spaces'),
  COLLOQUY_LLM_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,2000}$/)
    .exactOptional()
    .describe('1 to 2000 visible ASCII characters without spaces'),
  COLLOQUY_REQUIRE_PASSING_TESTS: testable,
  COLLOQUY_REQUIRE_REPLAY: testable,
  COLLOQUY_REQUIRE_REPLAY_SAMPLE: whole(1, 1_000),
  COLLOQUY_REQUIRE_REPLAY_DAYS: whole(1, 365),
  COLLOQUY_REQUIRE_REPLAY_WORSE_PERCENT: whole(0, 100),
  COLLOQUY_REQUIRE_REPLAY_CHANGED_PERCENT: whole(0, 100),
  COLLOQUY_REQUIRE_REPLAY_NOT_REPLAYABLE_PERCENT: whole(0, 100),
  COLLOQUY_TURN_RECORDING: oneOf(['full', 'outcome']),
  COLLOQUY_TURN_RECORDING_DAYS: whole(1, MOST_TURN_RECORDING_DAYS),
  COLLOQUY_REQUEST_TIMEOUT_SECONDS: whole(1, LONGEST_SECONDS),
  COLLOQUY_MAX_CONNECTIONS: whole(1, MOST_CONNECTIONS),
  COLLOQUY_RATE_LIMITS: oneOf(['on', 'off']),
  COLLOQUY_LIST_DEBUG_CHATS: oneOf(['on', 'off']),
  COLLOQUY_WEBHOOKS_ALLOW_PRIVATE: oneOf(['on', 'answers', 'off']),
  COLLOQUY_LINK_PREVIEWS: oneOf(['on', 'pictures', 'off']),
  COLLOQUY_FILES: z.string().exactOptional().describe('the path of a folder'),
  COLLOQUY_LOG: oneOf(LOG_LEVELS),
})

/** The variables that name a language model: all of them or none. */
const LANGUAGE_MODEL = ['COLLOQUY_LLM_BASE_URL', 'COLLOQUY_LLM_MODEL', 'COLLOQUY_LLM_API_KEY'] as const

/** Variables whose values are never shown: secrets, and addresses that may hold one. */
const HIDDEN: readonly string[] = [
  ...CREDENTIAL_VARIABLES,
  'COLLOQUY_DATABASE_URL',
  'COLLOQUY_BUS_URL',
  'COLLOQUY_TOKEN_SECRET',
  'COLLOQUY_SECRETS_KEY',
  'COLLOQUY_LLM_BASE_URL',
  'COLLOQUY_LLM_API_KEY',
]

type Environment = z.output<typeof environmentSchema>

/** Address of a language model that speaks the OpenAI chat protocol. */
export interface LanguageModelSettings {
  readonly baseUrl: string
  readonly model: string
  readonly apiKey: string
}

/** A PostgreSQL database that servers may share. */
export interface PostgresSettings {
  readonly url: string
  /** @default "colloquy" */
  readonly schema: string
  /** Connections at most. @default 10 */
  readonly maxConnections: number
  /** False behind a pooler in transaction mode. @default true */
  readonly prepare: boolean
}

/** Every variable that the server knows, with what it may hold. */
export const VARIABLES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(environmentSchema.shape).map(([name, schema]) => [name, schema.description ?? '']),
)

/** Settings of a standalone server from the environment, checked (contract/operator.md, Standalone server). */
export interface StandaloneSettings {
  /** 0: any free port. @default 8080 */
  readonly port: number
  /** @default "127.0.0.1" */
  readonly host: string
  /** Number of proxies in front whose `X-Forwarded-*` headers are trusted. @default 0 */
  readonly trustProxy: number
  /** Visitors' tokens are taken over plain text from anywhere. @default false */
  readonly allowInsecure: boolean
  /** The console is at `/`, with a sign-in of its own (SS33). @default true */
  readonly console: boolean
  /** A guest's page with the chat on it is at `/demo`. @default true */
  readonly demoPage: boolean
  /** The words in the names of events and of headers. @default "AI" for both */
  readonly brand: { readonly events: string; readonly headers: string }
  /** Hosts of each family (SS22). Null: every host serves everything. */
  readonly hosts: z.output<typeof hosts> | null
  /** A file, which is made with its folder when it is not there, or `:memory:`. @default "./.colloquy/colloquy.db" */
  readonly database: string
  /** A PostgreSQL database in place of the file. Null: the file. */
  readonly postgres: PostgresSettings | null
  /** URL of the bus between servers that share a database (SS29). Null: there is none. */
  readonly busUrl: string | null
  /** The credentials that are given; the others are generated. */
  readonly credentials: Readonly<z.output<typeof credentialsSchema>>
  /** The first signs, all verify. Null: keys are generated and kept in the database. */
  readonly tokenSecret: readonly string[] | null
  /** The first encrypts stored secrets, all decrypt. Null: they are stored as they are. */
  readonly secretsKey: readonly string[] | null
  /** @default 600 */
  readonly sessionIdleSeconds: number
  /** Null: 300 for a new connector, an existing one keeps its own. */
  readonly handoffTimeoutSeconds: number | null
  /** Conversations that finished longer ago are removed. Null: everything is kept. */
  readonly retentionDays: number | null
  /** The language model that is the agent. Null: the retrieval runtime is. */
  readonly languageModel: LanguageModelSettings | null
  /** Environments to which only what has passed its tests may go. @default none */
  readonly requirePassingTests: readonly (typeof TESTABLE)[number][]
  /** Replays that a version must have passed before it goes to an environment. @default none */
  readonly requireReplay: NonNullable<PlatformOptions['requireReplay']>
  /** Whether turns are recorded with what they wrote. @default "full" */
  readonly turnRecording: 'full' | 'outcome'
  /** Days after a conversation's end for which that is kept. Null: as long as the conversation. */
  readonly turnRecordingDays: number | null
  /** Time limit for receiving a request, its body included (SS37). @default 30 */
  readonly requestTimeoutSeconds: number
  /** Connections at a time, sockets included; further ones are closed at once (SS37). @default 20000 */
  readonly maxConnections: number
  /** @default true */
  readonly rateLimits: boolean
  readonly listDebugChats: boolean
  /**
   * Whether webhooks may also go to private addresses and over plain http, and what these answer be read.
   * @default "off"
   */
  readonly webhooksAllowPrivate: 'on' | 'answers' | 'off'
  /** Whether links in replies have a card, and pictures on it. @default "off" */
  readonly linkPreviews: 'on' | 'pictures' | 'off'
  /** The folder of files that visitors and live agents send. Null: none are taken. */
  readonly files: string | null
  /** @default "info" */
  readonly logLevel: (typeof LOG_LEVELS)[number]
  /** Variables of our prefix that mean nothing: most likely misspelt. */
  readonly unknown: readonly string[]
}

/** A line for each variable that is not right. The value of a secret one is never shown. */
function faultsOf(error: z.ZodError, given: Readonly<Record<string, string>>): readonly string[] {
  const names = new Set(error.issues.map(issue => String(issue.path[0])))
  return Object.entries(environmentSchema.shape)
    .filter(([name]) => names.has(name))
    .map(([name, schema]) => {
      const value = HIDDEN.includes(name) ? '' : `, not ${JSON.stringify(given[name])}`
      return `${name} must be ${schema.description ?? 'something else'}${value}.`
    })
}

/** Each secret opens one thing: two variables of one value would be one key of two kinds. */
function doublesOf(environment: Environment): readonly string[] {
  const owners = new Map<string, CredentialVariable>()
  return CREDENTIAL_VARIABLES.flatMap(name => {
    const value = environment[name]
    const owner = value === undefined ? undefined : owners.get(value)
    if (value !== undefined && owner === undefined) owners.set(value, name)
    return owner === undefined ? [] : [`${name} must differ from ${owner}.`]
  })
}

/** A line for each variable of the language model that is missing where another one is there. */
function missingOf(environment: Environment): readonly string[] {
  const missing = LANGUAGE_MODEL.filter(name => environment[name] === undefined)
  if (missing.length === LANGUAGE_MODEL.length) return []
  return missing.map(name => `${name} is missing: ${LANGUAGE_MODEL.join(', ')} go together.`)
}

/** Variables of the PostgreSQL database, beside its URL. */
const OF_POSTGRES = [
  'COLLOQUY_DATABASE_SCHEMA',
  'COLLOQUY_DATABASE_CONNECTIONS',
  'COLLOQUY_DATABASE_PREPARE',
] as const

/** A line for each variable that goes with another one, or not with it (SS29). */
function conflictsOf(environment: Environment): readonly string[] {
  const { COLLOQUY_DATABASE_URL: url } = environment
  const faults: string[] = []
  if (url !== undefined && environment.COLLOQUY_DATABASE !== undefined)
    faults.push(
      'COLLOQUY_DATABASE and COLLOQUY_DATABASE_URL are both set. The first names a file, the second a PostgreSQL database: set one of them.',
    )
  for (const name of OF_POSTGRES)
    if (url === undefined && environment[name] !== undefined)
      faults.push(`${name} goes with COLLOQUY_DATABASE_URL, which is not set.`)
  if (url === undefined && environment.COLLOQUY_BUS_URL === BUS_OF_DATABASE)
    faults.push('COLLOQUY_BUS_URL is postgres, which goes with COLLOQUY_DATABASE_URL, which is not set.')
  return faults
}

function readEnvironment(environment: NodeJS.ProcessEnv): Environment {
  // An empty variable counts as one that is not given (SS2).
  const entries = Object.entries(environment).flatMap(([name, value = '']) =>
    value === '' ? [] : [[name, value] as const],
  )
  const given = Object.fromEntries(entries)
  const parsed = environmentSchema.safeParse(given)
  const faults = parsed.success
    ? [...doublesOf(parsed.data), ...missingOf(parsed.data), ...conflictsOf(parsed.data)]
    : faultsOf(parsed.error, given)
  if (!parsed.success || faults.length > 0) throw new StartError(faults.join('\n'))
  return parsed.data
}

function languageModelOf(given: Environment): LanguageModelSettings | null {
  const { COLLOQUY_LLM_BASE_URL: baseUrl, COLLOQUY_LLM_MODEL: model, COLLOQUY_LLM_API_KEY: apiKey } = given
  return baseUrl === undefined || model === undefined || apiKey === undefined
    ? null
    : { baseUrl, model, apiKey }
}

function postgresOf(given: Environment): PostgresSettings | null {
  const { COLLOQUY_DATABASE_URL: url, COLLOQUY_DATABASE_SCHEMA: schema = 'colloquy' } = given
  const { COLLOQUY_DATABASE_CONNECTIONS: maxConnections = 10, COLLOQUY_DATABASE_PREPARE: prepare } = given
  return url === undefined ? null : { url, schema, maxConnections, prepare: prepare !== 'off' }
}

function busUrlOf({ COLLOQUY_BUS_URL: bus, COLLOQUY_DATABASE_URL: database }: Environment): string | null {
  return (bus === BUS_OF_DATABASE ? database : bus) ?? null
}

const brandOf = ({
  COLLOQUY_BRAND: events = 'AI',
  COLLOQUY_HEADER_BRAND: headers = events,
}: Environment): StandaloneSettings['brand'] => ({ events, headers })

const requiredReplayOf = (given: Environment): StandaloneSettings['requireReplay'] => ({
  environments: given.COLLOQUY_REQUIRE_REPLAY ?? [],
  sample: given.COLLOQUY_REQUIRE_REPLAY_SAMPLE ?? 200,
  days: given.COLLOQUY_REQUIRE_REPLAY_DAYS ?? 14,
  maxWorse: (given.COLLOQUY_REQUIRE_REPLAY_WORSE_PERCENT ?? 0) / 100,
  maxChanged: (given.COLLOQUY_REQUIRE_REPLAY_CHANGED_PERCENT ?? 5) / 100,
  maxNotReplayable: (given.COLLOQUY_REQUIRE_REPLAY_NOT_REPLAYABLE_PERCENT ?? 20) / 100,
})

/** Reads the settings. @throws StartError with one line for each variable that is not right */
export function readSettings(environment: NodeJS.ProcessEnv): StandaloneSettings {
  const given = readEnvironment(environment)
  return {
    port: given.PORT ?? 8080,
    host: given.HOST ?? '127.0.0.1',
    trustProxy: given.TRUST_PROXY ?? 0,
    allowInsecure: given.COLLOQUY_ALLOW_INSECURE === 'on',
    console: given.COLLOQUY_CONSOLE !== 'off',
    demoPage: given.COLLOQUY_DEMO_PAGE !== 'off',
    brand: brandOf(given),
    hosts: given.COLLOQUY_HOSTS ?? null,
    database: given.COLLOQUY_DATABASE ?? './.colloquy/colloquy.db',
    postgres: postgresOf(given),
    busUrl: busUrlOf(given),
    credentials: credentialsSchema.parse(given),
    tokenSecret: given.COLLOQUY_TOKEN_SECRET ?? null,
    secretsKey: given.COLLOQUY_SECRETS_KEY ?? null,
    sessionIdleSeconds: given.COLLOQUY_SESSION_IDLE_SECONDS ?? 600,
    handoffTimeoutSeconds: given.COLLOQUY_HANDOFF_TIMEOUT_SECONDS ?? null,
    retentionDays: given.COLLOQUY_RETENTION_DAYS ?? null,
    languageModel: languageModelOf(given),
    requirePassingTests: given.COLLOQUY_REQUIRE_PASSING_TESTS ?? [],
    requireReplay: requiredReplayOf(given),
    turnRecording: given.COLLOQUY_TURN_RECORDING ?? 'full',
    turnRecordingDays: given.COLLOQUY_TURN_RECORDING_DAYS ?? null,
    requestTimeoutSeconds: given.COLLOQUY_REQUEST_TIMEOUT_SECONDS ?? 30,
    maxConnections: given.COLLOQUY_MAX_CONNECTIONS ?? 20_000,
    rateLimits: given.COLLOQUY_RATE_LIMITS !== 'off',
    listDebugChats: given.COLLOQUY_LIST_DEBUG_CHATS === 'on',
    webhooksAllowPrivate: given.COLLOQUY_WEBHOOKS_ALLOW_PRIVATE ?? 'off',
    linkPreviews: given.COLLOQUY_LINK_PREVIEWS ?? 'off',
    files: given.COLLOQUY_FILES ?? null,
    logLevel: given.COLLOQUY_LOG ?? 'info',
    unknown: Object.keys(environment).filter(
      name => name.startsWith('COLLOQUY_') && !Object.hasOwn(environmentSchema.shape, name),
    ),
  }
}

/** The password of an address, as it stands there and as it is meant. */
function passwordsIn(url: string | null | undefined): readonly string[] {
  if (url === null || url === undefined) return []
  const { password } = new URL(url)
  return password === '' ? [] : [password, decodeURIComponent(password)]
}

/** Every secret that the environment gives: none of them is to stand in a log. */
export const secretsOf = ({
  credentials,
  tokenSecret,
  secretsKey,
  languageModel,
  postgres,
  busUrl,
}: StandaloneSettings): readonly string[] => [
  ...Object.values(credentials),
  ...(tokenSecret ?? []),
  ...(secretsKey ?? []),
  ...(languageModel === null ? [] : [languageModel.apiKey]),
  ...passwordsIn(postgres?.url),
  ...passwordsIn(busUrl),
]
