import { createPlatform, wavOf } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { createFakeClock, createScriptedSpeech, createSequentialIds } from '@colloquy/core/testing'
import { createDispatcher, type Route, routes } from '@colloquy/core/transport'
import { checkedAnswers } from '@colloquy/test-support/checked-dispatcher'
import { objection, schemasIn } from '@colloquy/test-support/contract-document'
import { SEED } from '@colloquy/test-support/seed'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Described, readDocument } from '../fuzz/document.ts'
import { fitting, type Known, nearly } from '../fuzz/fitting.ts'
import { credentialOf } from '../fuzz/plan.ts'
import { createPool, type Params } from '../fuzz/pool.ts'
import { createNumberingRuntime, createTenant, functions } from '../fuzz/tenant.ts'

/** Requests of each operation and kind. */
const EACH = 60

/** The longest time that an operation waits for something, milliseconds. */
const LONGEST_WAIT = 30_000

/** What no schema can say, and so is refused although it fits: in the words of the refusal. */
const BEYOND = [
  // What is right depends on what is there, and on the time.
  /CHAT_ENVIRONMENT_MISMATCH|CHAT_DRAFT_NOT_EXIST|External event id|there is no attribute/,
  /_ALREADY_|MERGE_|REAL_TIME_CONFIG_INVALID|REMOVE_DEFAULT|promoted no further|can be promoted only|a moment after now|WITHOUT_TEST_CASES/,
  // Addresses, hosts and names of headers have grammars of their own.
  /expected an? (domain|absolute https|address)|expected names of|expected visible|belongs to the request/,
  // Which voices there are is known by the provider.
  /voiceName is not valid/,
  // What numbers there may be is each country's affair.
  /it must be in E\.164/,
  /is one of ISO 3166-1/,
  // Fields that depend on each other.
  /start_time|end_time|since|until|combined|only one of|query_type|variant(_id|_name|Id)|speaker|permissions|must be left out/,
  /Neither id nor shared_id|agent_number is not for RCS|messaging_service_sid is missing/,
  /expected a text, attachments|a result and an error/,
  // What the host has, and who asks.
  /region is not allowed without hosts|agent\\?" is required/,
  // Names that nobody could read.
  /must hold a character that can be seen/,
]

const document = readDocument()
const schemaAt = schemasIn(document.json)

/** A platform with an account that has a bit of everything, asked without a network. */
async function open() {
  const clock = createFakeClock(Date.now())
  const platform = createPlatform({
    ...{ store: createMemoryStore(), clock, ids: createSequentialIds(), rateLimits: null, functions },
    runtime: createNumberingRuntime(),
    textCarrier: { send: async ({ id }) => ({ carrierId: id }) },
    speechProvider: createScriptedSpeech(),
    verifyNumber: () => true,
    callProvider: { place: async ({ id }) => ({ providerId: id }) },
    webhookSender: { objection: () => null, send: async () => ({ type: 'answered', status: 200 }) },
  })
  const own = await createTenant(platform, clock, 'own', 'own words')
  const other = await createTenant(platform, clock, 'other', 'other words')
  const operator = await platform.access.createApiKey({ kind: 'operator' })
  const world = { port: 0, own, other, operatorKey: operator.secret, operatorKeyId: operator.key.id }
  return { platform, clock, world, pool: createPool(world), dispatcher: createDispatcher(platform, routes) }
}

type Bench = Awaited<ReturnType<typeof open>>

const routeOf = (operation: string): Route => {
  const route = routes.find(one => one.operation === operation)
  if (route === undefined) throw new Error(`There is no operation ${operation}.`)
  return route
}

/** Numbers that there may be; few of them are anybody's. */
const NUMBERS = Array.from({ length: 40 }, (_, n) => `+44207946${String(n).padStart(4, '0')}`)

function knownOf({ own }: Bench['world']): Known {
  const connectors = [own.things['/v1/agents/:agentId/telephony/connectors']?.connectorId ?? '']
  return new Map([
    ['accountId', [own.accountId]],
    ['agentId', [own.agentId]],
    ['account_id', [own.accountId]],
    ['project_id', [own.agentId]],
    ['connectorId', connectors],
    ['connectorIds', connectors],
    ['id', [own.recordId]],
    ['agent_number', [own.phoneNumber]],
    ['messaging_service_sid', [own.sender]],
    ['phoneNumber', NUMBERS],
    ['toNumber', NUMBERS],
    ['to_number', NUMBERS],
    ['phoneNumbers', NUMBERS],
    ['variantId', [own.things['/v1/agents/:agentId/branches/:branchId/variants']?.variantId ?? '']],
  ])
}

const queryText = (query: Readonly<Record<string, unknown>>): string =>
  String(
    new URLSearchParams(
      Object.entries(query).flatMap(([name, value]) =>
        (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, String(one)]),
      ),
    ),
  )

interface Request {
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** Requests of an operation, both halves of which fit, or one of them only nearly. */
function requests({ query, body }: Described, known: Known, kind: 'fit' | 'nearly'): fc.Arbitrary<Request> {
  const { components } = document
  const bodies = body === null ? fc.constant(undefined) : fitting(body, components, known)
  const needed = query.filter(({ required }) => required)
  // No one makes up a cursor, and credentials are in headers; and of many filters at once nothing is left.
  const optional = query.filter(
    ({ required, name }) => !required && !['cursor', 'access_token'].includes(name),
  )
  const queries = fc.subarray(optional, { maxLength: Math.min(2, optional.length) }).chain(some =>
    fc.record(
      Object.fromEntries(
        [...needed, ...some].map(({ name, schema }) => {
          const values = known.get(name)
          return [
            name,
            values === undefined ? fitting(schema, components, known) : fc.constantFrom(...values),
          ]
        }),
      ),
    ),
  )
  if (kind === 'fit') return fc.record({ query: queries, body: bodies })
  const odd = nearly(queries).map(value => Object(value))
  return fc.oneof(
    fc.record({ query: queries, body: nearly(bodies) }),
    ...(query.length === 0 ? [] : [fc.record({ query: odd, body: bodies })]),
  )
}

/** A sound of the agent that everything hangs on: what is deleted of these is said again. */
async function soundOf({ platform, world: { own } }: Bench): Promise<Params> {
  await platform.voices.say(own.agentId, {
    ...{ text: 'Good evening.', provider: 'SCRIPTED', providerVoiceId: 'ada', config: {} },
  })
  const [sound] = (await platform.voices.cachedAudio(own.agentId)).entries
  return { agentId: own.agentId, entryId: sound?.id ?? '' }
}

const WAV = wavOf(new Int16Array(80), 8_000)

/** What a request has in its body: JSON, but for a sound. */
const contentOf = ({ operation }: Route, body: unknown) =>
  operation === 'updateCachedAudioFile'
    ? { type: 'audio/wav', bytes: WAV }
    : {
        type: 'application/json',
        bytes: new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)),
      }

async function ask(bench: Bench, route: Route, { query, body }: Request) {
  const { dispatcher, pool, world, platform, clock } = bench
  const isOfSound = route.path.includes('/audio-cache/:entryId')
  const params = isOfSound ? await soundOf(bench) : (pool.params(route).at(-1) ?? {})
  const { type, bytes } = contentOf(route, body)
  const path = route.path.replace(/:([A-Za-z_]+)/g, (_, name) => encodeURIComponent(params[name] ?? 'none'))
  const credential = credentialOf(route, world, pool).map(([name, value]) => [name.toLowerCase(), value])
  const answering = dispatcher.handle({
    method: route.method,
    ...{ path, query: queryText(query) },
    headers: { ...Object.fromEntries(credential), 'content-type': type },
    body: async () => bytes,
    ...{ remoteAddress: '127.0.0.1', secure: true },
  })
  // Who may wait for a reply waits by the clock of the test.
  if (route.operation === 'listChatReplies') {
    await clock.settle()
    await clock.advance(LONGEST_WAIT)
  }
  const answer = await answering
  let text = answer.body ?? ''
  const isJson = answer.headers['Content-Type']?.startsWith('application/json') === true
  if (answer.chunks !== null) for await (const chunk of answer.chunks) text += isJson ? chunk : ''
  await platform.idle()
  await clock.settle()
  const json: unknown = text === '' ? null : JSON.parse(text)
  if (answer.status < 300) pool.learn(route, params, json)
  const isGone = answer.status === 404 || route.method === 'DELETE'
  if (isGone && Object.keys(params).length > 0) pool.forget(route, params)
  return { status: answer.status, text }
}

const lateness = ({ operation }: Described): number =>
  /^(delete|revoke|merge|leave|reject)/.test(operation) ? (operation === 'deleteAgent' ? 2 : 1) : 0

describe('requests made from the document', () => {
  let bench: Bench
  const seen = new Map<string, number>()
  beforeAll(async () => {
    console.log(`COLLOQUY_TEST_SEED=${SEED}`)
    bench = await open()
    checkedAnswers()
  })
  afterAll(() => bench.platform.close())

  // What is deleted cannot be asked for any more.
  const inOrder = document.operations.toSorted((one, other) => lateness(one) - lateness(other))

  test.each(inOrder.map(one => [one.operation, one] as const))(
    'FZ50 %s answers what fits, and what nearly fits, as the document says',
    async (operation, described) => {
      const route = routeOf(operation)
      const faults: string[] = []
      for (const kind of ['fit', 'nearly'] as const) {
        const made = requests(described, knownOf(bench.world), kind)
        for (const request of fc.sample(made, { seed: SEED, numRuns: EACH })) {
          const { status, text } = await ask(bench, route, request)
          const shown = `${JSON.stringify(request).slice(0, 500)}: ${status} ${text.slice(0, 300)}`
          if (status >= 500 && status !== 501) faults.push(`${kind}: ${shown}`)
          if (status < 300) seen.set(operation, (seen.get(operation) ?? 0) + 1)
          const isFit = kind === 'fit'
          const { body, bodyAt } = described
          // As it goes over the wire: what JSON has no words for is null there.
          const sent: unknown = JSON.parse(JSON.stringify(request.body ?? {}))
          const misfit = body === null || isFit ? null : objection(schemaAt(...bodyAt)(), sent, 'body')
          if (isFit && status === 400 && !BEYOND.some(words => words.test(text)))
            faults.push(`refused: ${shown}`)
          if (misfit !== null && status < 300) faults.push(`taken although ${misfit}: ${shown}`)
        }
      }
      expect(faults.slice(0, 3).join('\n')).toBe('')
    },
  )

  test('FZ50 most operations were got through to', () => {
    const missed = document.operations
      .map(({ operation }) => operation)
      .filter(operation => !seen.has(operation))
    expect(missed.length, missed.join(', ')).toBeLessThan(document.operations.length * 0.4)
  })
})
