import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readSettings, secretsOf, VARIABLES } from '../src/settings.ts'
import { StartError } from '../src/start-error.ts'

const refusal = (environment: NodeJS.ProcessEnv): string => {
  try {
    readSettings(environment)
  } catch (error) {
    if (error instanceof StartError) return error.message
    throw error
  }
  return 'not refused'
}

const LANGUAGE_MODEL = {
  COLLOQUY_LLM_BASE_URL: 'https://llm.example.com/v1',
  COLLOQUY_LLM_MODEL: 'some/model:7b',
  COLLOQUY_LLM_API_KEY: 'sk-1',
}

const HOSTS = {
  base: { us: 'api.us.example.com' },
  platform: { 'us-1': 'api.us-1.example.com:8443' },
  messaging: { default: 'messaging.example.com' },
}

test('SS2 without variables every setting has its default', () => {
  const { credentials, ...settings } = readSettings({})
  expect(credentials).toEqual({})
  expect(settings).toEqual({
    port: 8080,
    host: '127.0.0.1',
    trustProxy: 0,
    allowInsecure: false,
    console: true,
    demoPage: true,
    brand: { events: 'AI', headers: 'AI' },
    hosts: null,
    database: './.colloquy/colloquy.db',
    postgres: null,
    busUrl: null,
    tokenSecret: null,
    secretsKey: null,
    sessionIdleSeconds: 600,
    handoffTimeoutSeconds: null,
    requirePassingTests: [],
    requireReplay: {
      ...{ environments: [], sample: 200, days: 14 },
      ...{ maxWorse: 0, maxChanged: 0.05, maxNotReplayable: 0.2 },
    },
    turnRecording: 'full',
    turnRecordingDays: null,
    retentionDays: null,
    languageModel: null,
    requestTimeoutSeconds: 30,
    maxConnections: 20_000,
    rateLimits: true,
    listDebugChats: false,
    webhooksAllowPrivate: 'off',
    linkPreviews: 'off',
    files: null,
    logLevel: 'info',
    unknown: [],
  })
})

test('SS2 every variable is read', () => {
  const credentials = {
    COLLOQUY_OPERATOR_KEY: 'operator-key-1234',
    COLLOQUY_WORKSPACE_KEY: 'workspace-key-1234',
    COLLOQUY_PROJECT_KEY: 'project-key-12345',
    COLLOQUY_EXTERNAL_EVENTS_KEY: 'events-key-123456',
    COLLOQUY_DESK_KEY: 'desk-key-12345678',
    COLLOQUY_CONNECTOR_TOKEN: 'connector-token-1',
  }
  const settings = readSettings({
    ...credentials,
    PORT: '0',
    HOST: '::1',
    TRUST_PROXY: '2',
    COLLOQUY_ALLOW_INSECURE: 'on',
    COLLOQUY_CONSOLE: 'off',
    COLLOQUY_DEMO_PAGE: 'off',
    COLLOQUY_BRAND: 'Acme',
    COLLOQUY_HEADER_BRAND: 'AcmeBot',
    COLLOQUY_HOSTS: JSON.stringify(HOSTS),
    COLLOQUY_DATABASE: ':memory:',
    COLLOQUY_BUS_URL: 'rediss://user:password@redis.example.com:6380/1',
    COLLOQUY_TOKEN_SECRET: 'token-secret-1234 token-secret-before',
    COLLOQUY_SECRETS_KEY: 'secrets-key-12345 secrets-key-before',
    COLLOQUY_SESSION_IDLE_SECONDS: '86400',
    COLLOQUY_HANDOFF_TIMEOUT_SECONDS: '1',
    COLLOQUY_RETENTION_DAYS: '36500',
    COLLOQUY_REQUIRE_PASSING_TESTS: 'pre-release,live',
    COLLOQUY_REQUIRE_REPLAY: 'live',
    COLLOQUY_REQUIRE_REPLAY_SAMPLE: '1000',
    COLLOQUY_REQUIRE_REPLAY_DAYS: '365',
    COLLOQUY_REQUIRE_REPLAY_WORSE_PERCENT: '0',
    COLLOQUY_REQUIRE_REPLAY_CHANGED_PERCENT: '100',
    COLLOQUY_REQUIRE_REPLAY_NOT_REPLAYABLE_PERCENT: '25',
    COLLOQUY_TURN_RECORDING: 'outcome',
    COLLOQUY_TURN_RECORDING_DAYS: '30',
    ...LANGUAGE_MODEL,
    COLLOQUY_REQUEST_TIMEOUT_SECONDS: '5',
    COLLOQUY_MAX_CONNECTIONS: '7',
    COLLOQUY_RATE_LIMITS: 'off',
    COLLOQUY_LIST_DEBUG_CHATS: 'on',
    COLLOQUY_WEBHOOKS_ALLOW_PRIVATE: 'answers',
    COLLOQUY_LINK_PREVIEWS: 'pictures',
    COLLOQUY_FILES: './files',
    COLLOQUY_LOG: 'silent',
  })
  expect(settings).toEqual({
    port: 0,
    host: '::1',
    trustProxy: 2,
    allowInsecure: true,
    console: false,
    demoPage: false,
    brand: { events: 'Acme', headers: 'AcmeBot' },
    hosts: HOSTS,
    database: ':memory:',
    postgres: null,
    busUrl: 'rediss://user:password@redis.example.com:6380/1',
    credentials,
    tokenSecret: ['token-secret-1234', 'token-secret-before'],
    secretsKey: ['secrets-key-12345', 'secrets-key-before'],
    sessionIdleSeconds: 86_400,
    handoffTimeoutSeconds: 1,
    requirePassingTests: ['pre-release', 'live'],
    requireReplay: {
      ...{ environments: ['live'], sample: 1_000, days: 365 },
      ...{ maxWorse: 0, maxChanged: 1, maxNotReplayable: 0.25 },
    },
    turnRecording: 'outcome',
    turnRecordingDays: 30,
    retentionDays: 36_500,
    languageModel: { baseUrl: 'https://llm.example.com/v1', model: 'some/model:7b', apiKey: 'sk-1' },
    requestTimeoutSeconds: 5,
    maxConnections: 7,
    rateLimits: false,
    listDebugChats: true,
    webhooksAllowPrivate: 'answers',
    linkPreviews: 'pictures',
    files: './files',
    logLevel: 'silent',
    unknown: [],
  })
})

test('SS2 an empty variable counts as not given', () => {
  expect(readSettings({ PORT: '', COLLOQUY_DESK_KEY: '', COLLOQUY_RATE_LIMITS: '' })).toEqual(
    readSettings({}),
  )
})

test('SS2 misspelt variables of our prefix are told, those of others are not', () => {
  expect(readSettings({ COLLOQUY_RATELIMITS: 'off', PATH: '/bin' }).unknown).toEqual(['COLLOQUY_RATELIMITS'])
})

test('SS3 each variable that is not right has its line, and secrets are not repeated', () => {
  expect(
    refusal({ PORT: '1.5', COLLOQUY_DESK_KEY: 'open sesame', COLLOQUY_LOG: 'INFO' }).split('\n'),
  ).toEqual([
    'PORT must be a whole number from 0 to 65535, not "1.5".',
    'COLLOQUY_DESK_KEY must be 16 to 512 visible ASCII characters without spaces.',
    'COLLOQUY_LOG must be one of fatal, error, warn, info, debug, trace, silent, not "INFO".',
  ])
})

test.each([
  [{ HOST: 'no host' }, 'HOST must be a host name or an IP address, not "no host".'],
  [{ COLLOQUY_LOG: 'loud' }, /^COLLOQUY_LOG must be one of .*info.*, not "loud"\.$/],
  [{ COLLOQUY_RATE_LIMITS: 'maybe' }, 'COLLOQUY_RATE_LIMITS must be one of on, off, not "maybe".'],
  [{ COLLOQUY_SESSION_IDLE_SECONDS: '0' }, /^COLLOQUY_SESSION_IDLE_SECONDS must be .*, not "0"\.$/],
  [{ COLLOQUY_HANDOFF_TIMEOUT_SECONDS: '-5' }, /^COLLOQUY_HANDOFF_TIMEOUT_SECONDS must be .*, not "-5"\.$/],
  [{ COLLOQUY_DESK_KEY: 'tiny secret' }, /^COLLOQUY_DESK_KEY must be 16 to 512 visible .* spaces\.$/],
])('SS3 a setting that is not right is named in one line: %o', (environment, line) => {
  const message = refusal(environment)
  if (typeof line === 'string') expect(message).toBe(line)
  else expect(message).toMatch(line)
  expect(message).not.toContain('\n')
  expect(message).not.toContain('tiny secret')
})

test.each(['', ' ', '-1', '65536', 'http', '1e3', '0x10', '١', 'NaN', '99999999999999999999'])(
  'SS3 the port %j is taken as not given, or refused',
  port => {
    const message = refusal({ PORT: port })
    if (port === '') expect(message).toBe('not refused')
    else expect(message).toBe(`PORT must be a whole number from 0 to 65535, not ${JSON.stringify(port)}.`)
  },
)

test.each(['0', '36501', '1.5', '-1', 'forever'])('SS2 %s days of retention are refused', days => {
  expect(refusal({ COLLOQUY_RETENTION_DAYS: days })).toBe(
    `COLLOQUY_RETENTION_DAYS must be a whole number from 1 to 36500, not ${JSON.stringify(days)}.`,
  )
})

test('SS11 a token secret is one or a list; one that is not right is refused and not repeated', () => {
  const secrets = (given: string) => readSettings({ COLLOQUY_TOKEN_SECRET: given }).tokenSecret
  expect(secrets('a-single-secret-of-us')).toEqual(['a-single-secret-of-us'])
  expect(secrets('the-newer-secret-of-us the-older-secret-of-us')).toEqual([
    'the-newer-secret-of-us',
    'the-older-secret-of-us',
  ])
  for (const given of [
    'short',
    'the-newer-secret-of-us short',
    'the-newer-secret-of-us  the-older-secret-of-us',
  ])
    expect(refusal({ COLLOQUY_TOKEN_SECRET: given })).toBe(
      'COLLOQUY_TOKEN_SECRET must be 16 to 512 visible ASCII characters without spaces, or several such secrets with a space between them.',
    )
})

test('SS2 the brand is the word for headers too, unless they have their own', () => {
  expect(readSettings({ COLLOQUY_BRAND: 'ACME' }).brand).toEqual({ events: 'ACME', headers: 'ACME' })
  expect(readSettings({ COLLOQUY_HEADER_BRAND: 'AcmeBot' }).brand).toEqual({
    events: 'AI',
    headers: 'AcmeBot',
  })
})

test.each(['Acme Bot', 'Ü', 'a\nb', 'live', 'x'.repeat(51)])(
  'SS2 the brand %j is refused',
  COLLOQUY_BRAND => {
    expect(refusal({ COLLOQUY_BRAND })).toBe(
      `COLLOQUY_BRAND must be 1 to 50 letters, digits, _ and -, and not LIVE, not ${JSON.stringify(COLLOQUY_BRAND)}.`,
    )
  },
)

test('SS2 a brand for headers that no header can hold is refused', () => {
  expect(refusal({ COLLOQUY_HEADER_BRAND: 'Acme:Bot' })).toBe(
    'COLLOQUY_HEADER_BRAND must be 1 to 50 letters, digits, _ and -, not "Acme:Bot".',
  )
})

test.each([
  'api.example.com',
  '[]',
  '{}',
  JSON.stringify({ ...HOSTS, messaging: undefined }),
  JSON.stringify({ ...HOSTS, desk: {} }),
  JSON.stringify({ ...HOSTS, base: { us: 'https://api.example.com' } }),
  JSON.stringify({ ...HOSTS, base: { us: 5 } }),
  JSON.stringify({ ...HOSTS, base: { 'u s': 'api.example.com' } }),
])('SS22 %s names no hosts, and is refused in one line', COLLOQUY_HOSTS => {
  const message = refusal({ COLLOQUY_HOSTS })
  expect(message).toMatch(/^COLLOQUY_HOSTS must be host names by group and region as JSON, like \{"base"/)
  expect(message).not.toContain('\n')
  expect(message).toContain(`, not ${JSON.stringify(COLLOQUY_HOSTS)}.`)
})

test('SS3 two credentials of one value are refused', () => {
  const same = 'the-same-secret-twice'
  expect(refusal({ COLLOQUY_WORKSPACE_KEY: same, COLLOQUY_CONNECTOR_TOKEN: same })).toBe(
    'COLLOQUY_CONNECTOR_TOKEN must differ from COLLOQUY_WORKSPACE_KEY.',
  )
})

test.each(Object.keys(LANGUAGE_MODEL))('SS2 a language model without %s is refused', name => {
  expect(refusal({ ...LANGUAGE_MODEL, [name]: '' })).toBe(
    `${name} is missing: COLLOQUY_LLM_BASE_URL, COLLOQUY_LLM_MODEL, COLLOQUY_LLM_API_KEY go together.`,
  )
})

test.each([
  'llm.example.com',
  'ftp://llm.example.com',
  'https://user:hidden@llm.example.com',
  'https://llm.example.com/v1?key=hidden',
  'https://llm.example.com/v1#hidden',
])('SS2 the address %s is refused, and not repeated', COLLOQUY_LLM_BASE_URL => {
  expect(refusal({ ...LANGUAGE_MODEL, COLLOQUY_LLM_BASE_URL })).toBe(
    'COLLOQUY_LLM_BASE_URL must be an http or https URL without user name, password, query and fragment.',
  )
})

test('SS2 a key and a model that are not right have a line each, and the key is not repeated', () => {
  const wrong = { ...LANGUAGE_MODEL, COLLOQUY_LLM_API_KEY: 'sk 1', COLLOQUY_LLM_MODEL: 'a model' }
  expect(refusal(wrong).split('\n')).toEqual([
    'COLLOQUY_LLM_MODEL must be 1 to 200 characters without spaces, not "a model".',
    'COLLOQUY_LLM_API_KEY must be 1 to 2000 visible ASCII characters without spaces.',
  ])
})

test('SS2 the page about the server lists every variable, and what it may hold', () => {
  const page = readFileSync(new URL('../../../docs/guides/standalone-server.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `(\w+)` \| [^|]+ \| ([^|;]+)/gm)].map(([, name, holds = '']) => [
    name,
    holds.trim(),
  ])
  expect(Object.fromEntries(rows)).toEqual(VARIABLES)
})

test.each(['sandbox', 'live,', 'live,moon', 'live pre-release', ','])(
  'SS2 %j names no environments in which passing tests or replays can be required',
  value => {
    for (const name of ['COLLOQUY_REQUIRE_PASSING_TESTS', 'COLLOQUY_REQUIRE_REPLAY'])
      expect(refusal({ [name]: value })).toBe(
        `${name} must be pre-release, live, or both with a comma between them, not ${JSON.stringify(value)}.`,
      )
  },
)

const POSTGRES = 'postgres://me:a-p%40ssword@localhost:5432/colloquy'

test('SS2 a PostgreSQL database takes the place of the file, also behind a pooler, and its password is kept out of the log', () => {
  const settings = readSettings({ COLLOQUY_DATABASE_URL: POSTGRES })
  expect(settings.postgres).toEqual({ url: POSTGRES, schema: 'colloquy', maxConnections: 10, prepare: true })
  expect(secretsOf(settings)).toEqual(['a-p%40ssword', 'a-p@ssword'])
  const pooled = readSettings({
    COLLOQUY_DATABASE_URL: POSTGRES,
    COLLOQUY_DATABASE_SCHEMA: 'chat_2',
    COLLOQUY_DATABASE_CONNECTIONS: '25',
    COLLOQUY_DATABASE_PREPARE: 'off',
  })
  expect(pooled.postgres).toEqual({ url: POSTGRES, schema: 'chat_2', maxConnections: 25, prepare: false })
})

test.each(['pg_mine', 'information_schema', 'a-b', '1st', 'a'.repeat(64)])(
  'SS2 the schema %s is refused',
  COLLOQUY_DATABASE_SCHEMA => {
    expect(refusal({ COLLOQUY_DATABASE_URL: POSTGRES, COLLOQUY_DATABASE_SCHEMA })).toBe(
      `COLLOQUY_DATABASE_SCHEMA must be 1 to 63 letters, digits and _, which is no schema of PostgreSQL's own, not "${COLLOQUY_DATABASE_SCHEMA}".`,
    )
  },
)

test.each(['localhost:5432', 'mysql://me:hidden@localhost/db', 'postgres://me:%zz@localhost/db'])(
  'SS2 the address %s is refused, and not repeated',
  COLLOQUY_DATABASE_URL => {
    expect(refusal({ COLLOQUY_DATABASE_URL })).toBe(
      'COLLOQUY_DATABASE_URL must be the address of a PostgreSQL database, like postgres://user:password@localhost:5432/colloquy.',
    )
  },
)

test('SS2 a file and a PostgreSQL database exclude each other', () => {
  expect(refusal({ COLLOQUY_DATABASE_URL: POSTGRES, COLLOQUY_DATABASE: 'a.db' })).toBe(
    'COLLOQUY_DATABASE and COLLOQUY_DATABASE_URL are both set. The first names a file, the second a PostgreSQL database: set one of them.',
  )
})

test('SS2 and SS29 what goes with a PostgreSQL database is refused without one', () => {
  const without = {
    COLLOQUY_DATABASE_PREPARE: 'off',
    COLLOQUY_DATABASE_SCHEMA: 'chat',
    COLLOQUY_DATABASE_CONNECTIONS: '5',
    COLLOQUY_BUS_URL: 'postgres',
  }
  expect(refusal(without).split('\n')).toEqual([
    'COLLOQUY_DATABASE_SCHEMA goes with COLLOQUY_DATABASE_URL, which is not set.',
    'COLLOQUY_DATABASE_CONNECTIONS goes with COLLOQUY_DATABASE_URL, which is not set.',
    'COLLOQUY_DATABASE_PREPARE goes with COLLOQUY_DATABASE_URL, which is not set.',
    'COLLOQUY_BUS_URL is postgres, which goes with COLLOQUY_DATABASE_URL, which is not set.',
  ])
})

test('SS29 the bus is that of the database, or at an address of its own, whose password is kept out of the log', () => {
  const busOf = (bus: string) =>
    readSettings({ COLLOQUY_DATABASE_URL: POSTGRES, COLLOQUY_BUS_URL: bus }).busUrl
  expect(busOf('postgres')).toBe(POSTGRES)
  for (const url of ['redis://a', 'rediss://a:1/2', 'nats://token@a', 'tls://a', 'postgres://b/c'])
    expect(busOf(url)).toBe(url)
  expect(secretsOf(readSettings({ COLLOQUY_BUS_URL: 'redis://:secret-of-redis@a' }))).toEqual([
    'secret-of-redis',
    'secret-of-redis',
  ])
})

test.each(['redis', 'http://me:hidden@localhost', 'kafka://localhost', 'nats://me:%zz@localhost'])(
  'SS29 the bus %s is refused, and not repeated',
  COLLOQUY_BUS_URL => {
    expect(refusal({ COLLOQUY_BUS_URL })).toBe(
      'COLLOQUY_BUS_URL must be an address that begins with redis:, rediss:, nats:, tls: or postgres:, or the word postgres for the database of COLLOQUY_DATABASE_URL.',
    )
  },
)
