import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import fc from 'fast-check'
import { SignJWT } from 'jose'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ContextKey } from '../../src/domain/access/context-key.ts'
import type { ConversationId } from '../../src/domain/ids.ts'
import type { JsonObject } from '../../src/domain/json.ts'
import { contextOf } from '../../src/platform-context.ts'
import type { RuntimeTurn } from '../../src/ports/agent-runtime.ts'
import { openSocketPair } from '../../src/testing/index.ts'
import { does } from '../conversation/functions/support.ts'

const TOKEN = 'connector-token-of-the-tests'
const GOLD = { signed_in: true, plan: 'gold', stays: 3, agent: null }

interface Forgery {
  readonly header?: object
  readonly claims?: object
  readonly secret?: string
}

/** A token as a host's back end signs it, at a second and for a conversation, changed as a forger would. */
function sign(
  { kid, secret }: Pick<ContextKey, 'kid' | 'secret'>,
  { sub, at, ctx }: { readonly sub: string; readonly at: number; readonly ctx: unknown },
  { header, claims, secret: other }: Forgery = {},
): Promise<string> {
  const iat = Math.floor(at / 1_000)
  return new SignJWT({ sub, iat, exp: iat + 30, ctx, ...claims })
    .setProtectedHeader({ alg: 'HS256', kid, ...header })
    .sign(new TextEncoder().encode(other ?? secret), { crit: { exp: true } })
}

/** What a page is told of a token that is not taken, whatever the reason. */
const WARNING = expect.objectContaining({
  type: 'EVENT_TYPE_SYSTEM_MESSAGE',
  payload: { level: 'SYSTEM_MESSAGE_LEVEL_WARNING', message: 'The verified context was not taken.' },
})

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A platform whose agent calls a function in every turn, and what the function and the runtime saw. */
async function setUp() {
  const turns: RuntimeTurn['verifiedContext'][] = []
  const calls: RuntimeTurn['verifiedContext'][] = []
  const logged: string[] = []
  const keep = (...given: readonly unknown[]): void => void logged.push(JSON.stringify(given))
  const made = await createPopulatedPlatform({
    runtime: {
      async *respond(turn) {
        turns.push(turn.verifiedContext)
        await turn.callFunction('look', {})
        yield { type: 'text' as const, text: 'Welcome.' }
      },
    },
    functions: { look: does(({ verifiedContext }) => void calls.push(verifiedContext)) },
    log: { debug: keep, info: keep, warn: keep, error: keep },
    onError: (error, where) => keep(String(error), where),
    rateLimits: null,
  })
  const { clock, platform } = made
  onTestFinished(() => platform.close())
  await platform.agents.publish('PROJECT-A', { environment: 'live' })
  const { connector } = await platform.access.createConnector({
    ...{
      accountId: 'ws-one',
      agentId: 'PROJECT-A',
      environment: 'live',
      hosts: ['example.com'],
      token: TOKEN,
    },
  })
  const { accessToken } = await platform.messaging.issueAccessToken({
    ...{ connectorToken: TOKEN, host: 'example.com', remoteAddress: '203.0.113.9' },
  })
  async function open() {
    const { sessionId } = await platform.messaging.createSession({
      ...{ authorization: `Bearer ${accessToken}`, streaming: false },
    })
    const handshake = await platform.messaging.handshake({ sessionId, accessToken, cursor: null })
    if ('status' in handshake) throw new Error(handshake.message)
    const pair = openSocketPair(handshake)
    const send = async (type: string, payload: object): Promise<void> => {
      pair.send({ type: `EVENT_TYPE_${type}`, payload })
      await pair.flush()
      await clock.advance(0)
      await pair.flush()
    }
    await pair.flush()
    return {
      ...{ sessionId, pair, send },
      set: (token: string | null) => send('SET_CONTEXT', { token }),
      say: (text: string) => send('USER_MESSAGE', { text }),
      join: () => send('REQUEST_AI_AGENT_JOIN', {}),
    }
  }
  const secretOf = async () => (await platform.access.rotateContextKeys(connector.id)).contextKey
  return { ...made, turns, calls, logged, connector, open, secretOf }
}

/** The payload with which a session began. */
const startOf = ({ pair }: Awaited<ReturnType<Awaited<ReturnType<typeof setUp>>['open']>>): unknown => {
  const [batch] = pair.received
  const events = batch?.payload.events
  return Array.isArray(events) ? events[0].payload : undefined
}

test('MS49 the session start carries the context id, the session’s own, where the connector has a context key', async () => {
  const { open, platform, connector } = await setUp()
  expect(startOf(await open())).not.toHaveProperty('context_id')
  await platform.access.rotateContextKeys(connector.id)
  const session = await open()
  expect(startOf(session)).toHaveProperty('context_id', session.sessionId)
  await platform.access.revokeContextKeys(connector.id)
  expect(startOf(await open())).not.toHaveProperty('context_id')
})

test('MS49 functions and the runtime read it in every turn, also when it came before the join; no event and no record has it', async () => {
  const { open, secretOf, clock, turns, calls, platform, logged } = await setUp()
  const secret = await secretOf()
  const session = await open()
  await session.set(await sign(secret, { sub: session.sessionId, at: clock.now(), ctx: GOLD }))
  await session.join()
  await clock.advance(120_000)
  await session.say('Still me.')
  expect(calls).toEqual([GOLD, GOLD])
  expect(turns).toEqual(calls)
  const record = await platform.reading.record('ws-one', 'PROJECT-A', session.sessionId)
  for (const told of [session.pair.received, record, logged])
    expect(JSON.stringify(told)).not.toContain('gold')
  expect(session.pair.received.map(({ type }) => type)).not.toContain('EVENT_TYPE_SYSTEM_MESSAGE')
})

test('MS49 it is null before the first, and replaced as a whole by the next', async () => {
  const { open, secretOf, clock, calls } = await setUp()
  const secret = await secretOf()
  const session = await open()
  const sub = session.sessionId
  await session.join()
  await session.set(await sign(secret, { sub, at: clock.now(), ctx: GOLD }))
  await session.say('One')
  await session.set(await sign(secret, { sub, at: clock.now(), ctx: { plan: 'silver' } }))
  await session.say('Two')
  await session.set(await sign(secret, { sub, at: clock.now(), ctx: {} }))
  await session.say('Three')
  expect(calls).toEqual([null, GOLD, { plan: 'silver' }, {}])
})

test('MS49 whatever good and bad tokens come in whatever order, the last good one is what the next turn reads', async () => {
  const { open, secretOf, clock, calls, platform, connector } = await setUp()
  let previous = await secretOf()
  let secret = previous
  const step = fc.record({
    ctx: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))),
    how: fc.constantFrom('good', 'earlier secret', 'rotate', 'forged', 'stale', 'of another', 'turn'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async steps => {
      const session = await open()
      await session.join()
      let expected: JsonObject | null = null
      for (const { ctx, how } of steps) {
        const about = { sub: session.sessionId as string, at: clock.now(), ctx }
        if (how === 'rotate') {
          previous = secret
          secret = (await platform.access.rotateContextKeys(connector.id)).contextKey
        } else if (how === 'forged') await session.set(await sign(secret, about, { secret: 'guess' }))
        else if (how === 'stale') await session.set(await sign(secret, { ...about, at: about.at - 91_000 }))
        else if (how === 'of another') await session.set(await sign(secret, { ...about, sub: 'another' }))
        else if (how !== 'turn') {
          await session.set(await sign(how === 'good' ? secret : previous, about))
          // The one name that is no field of an object for anyone who reads it.
          expected = Object.fromEntries(Object.entries(ctx).filter(([name]) => name !== '__proto__'))
        }
        await session.say('And now?')
        expect(calls.at(-1)).toEqual(expected)
      }
    }),
    { numRuns: 40 },
  )
})

const HOSTILE: Readonly<Record<string, Forgery>> = {
  'another algorithm': { header: { alg: 'HS512' } },
  'a kid of no secret': { header: { kid: 'ctx-unknown' } },
  'no kid': { header: { kid: undefined } },
  'another type': { header: { typ: 'at+jwt' } },
  'a critical extension': { header: { crit: ['exp'], exp: 1 } },
  'another secret': { secret: 'cq_cx_a-guess' },
  'an empty secret': { secret: ' ' },
  'no subject': { claims: { sub: undefined } },
  'another subject': { claims: { sub: 'another' } },
  'a subject in a list': { claims: { sub: ['x'] } },
  'no end': { claims: { exp: undefined } },
  'no beginning': { claims: { iat: undefined } },
  'an end that is a text': { claims: { exp: '9999999999' } },
  'a nested context': { claims: { ctx: { user: { id: 1 } } } },
  'a list in the context': { claims: { ctx: { ids: [1] } } },
  'a context that is a list': { claims: { ctx: ['gold'] } },
  'a context that is a text': { claims: { ctx: 'gold' } },
  'no context': { claims: { ctx: undefined } },
  'a context that is too large': { claims: { ctx: { text: 'x'.repeat(8_182) } } },
  'a context that is too large as UTF-8': { claims: { ctx: { text: 'ü'.repeat(4_092) } } },
  'a token that is too large': { claims: { more: 'x'.repeat(12_300) } },
}

describe('hostile tokens', () => {
  test.each(Object.entries(HOSTILE))(
    'MS49 %s changes nothing, and the page gets the one warning that all get',
    async (_, forgery) => {
      const { open, secretOf, clock, calls, logged } = await setUp()
      const secret = await secretOf()
      const session = await open()
      const about = { sub: session.sessionId, at: clock.now() }
      await session.set(await sign(secret, { ...about, ctx: { plan: 'silver' } }))
      await session.join()
      const before = session.pair.received.length
      const token = await sign(secret, { ...about, ctx: { plan: 'stolen' } }, forgery)
      await session.set(token)
      expect(session.pair.received.slice(before)).toEqual([WARNING])
      await session.say('And now?')
      expect(calls.at(-1)).toEqual({ plan: 'silver' })
      const warnings = logged.filter(line => line.includes('context token'))
      expect(warnings).toHaveLength(1)
      expect(warnings[0]).toContain(session.sessionId)
      for (const part of token.split('.')) expect(logged.join()).not.toContain(part)
      expect(logged.join()).not.toContain(secret.secret)
    },
  )

  test('MS49 texts that are no signed token are refused: none, unsigned, cut, with its parts swapped', async () => {
    const { open, secretOf, clock, calls } = await setUp()
    const secret = await secretOf()
    const session = await open()
    const token = await sign(secret, { sub: session.sessionId, at: clock.now(), ctx: GOLD })
    const [header = '', payload = '', signature = ''] = token.split('.')
    const unsigned = base64url({ alg: 'none', kid: secret.kid })
    for (const text of [
      ...['', '.', '..', 'not a token', `${header}.${payload}.`, `${header}.${payload}`, `${token}.`],
      ...[
        `${unsigned}.${payload}.`,
        `${unsigned}.${payload}.${signature}`,
        `${payload}.${header}.${signature}`,
      ],
      ...[`${token} `, `${header}.${base64url({})}.${signature}`, '\u0000'.repeat(100)],
    ])
      await session.set(text)
    await session.join()
    expect(calls).toEqual([null])
    const told = session.pair.received.filter(({ type }) => type === 'EVENT_TYPE_SYSTEM_MESSAGE')
    // The empty text is no token at all: such a frame cannot be read.
    expect(told.slice(1)).toEqual(Array.from({ length: 12 }, () => WARNING))
  })

  test('MS49 a token of another conversation, or of another connector, is refused', async () => {
    const { open, secretOf, clock, calls, platform } = await setUp()
    const secret = await secretOf()
    const [one, other] = [await open(), await open()]
    await one.set(await sign(secret, { sub: other.sessionId, at: clock.now(), ctx: GOLD }))
    const { connector } = await platform.access.createConnector({
      ...{ accountId: 'ws-one', agentId: 'PROJECT-A', environment: 'live', hosts: ['example.com'] },
    })
    const { contextKey } = await platform.access.rotateContextKeys(connector.id)
    await one.set(await sign(contextKey, { sub: one.sessionId, at: clock.now(), ctx: GOLD }))
    await one.join()
    expect(calls).toEqual([null])
  })

  test('MS49 names of the prototype are no more than names', async () => {
    const { open, secretOf, clock, calls } = await setUp()
    const secret = await secretOf()
    const session = await open()
    const ctx = JSON.parse('{"__proto__": "x", "constructor": "y", "plan": "gold"}')
    await session.set(await sign(secret, { sub: session.sessionId, at: clock.now(), ctx }))
    await session.join()
    expect(calls[0]).toMatchObject({ plan: 'gold' })
    expect(Object.getPrototypeOf(calls[0])).toBe(Object.prototype)
    expect(({} as { plan?: string }).plan).toBeUndefined()
  })
})

test.each([
  ['as long as it may live', { life: 30, ago: 0 }, true],
  ['one second longer', { life: 31, ago: 0 }, false],
  ['of no life', { life: 0, ago: 0 }, false],
  ['of a negative life', { life: -5, ago: 0 }, false],
  ['expired, within the tolerance', { life: 30, ago: 89 }, true],
  ['expired, by all of the tolerance', { life: 30, ago: 90 }, false],
  ['ahead, within the tolerance', { life: 30, ago: -60 }, true],
  ['ahead by more', { life: 30, ago: -61 }, false],
])('MS49 a token %s', async (_, { life, ago }, taken) => {
  const { open, secretOf, clock, calls } = await setUp()
  const secret = await secretOf()
  const session = await open()
  const iat = Math.floor(clock.now() / 1_000) - ago
  const about = { sub: session.sessionId, at: clock.now(), ctx: GOLD }
  await session.set(await sign(secret, about, { claims: { iat, exp: iat + life } }))
  await session.join()
  expect(calls).toEqual([taken ? GOLD : null])
})

test('MS47 after a rotation both secrets verify until the overlap ends; without overlap the new one alone', async () => {
  const { open, secretOf, clock, calls, platform, connector } = await setUp()
  const first = await secretOf()
  const second = await secretOf()
  const session = await open()
  const sub = session.sessionId
  await session.join()
  const tries = async (secret: ContextKey, ctx: JsonObject) => {
    await session.set(await sign(secret, { sub, at: clock.now(), ctx }))
    await session.say('And now?')
    return calls.at(-1)
  }
  expect(await tries(first, { by: 1 })).toEqual({ by: 1 })
  expect(await tries(second, { by: 2 })).toEqual({ by: 2 })
  const { contextKey: third } = await platform.access.rotateContextKeys(connector.id, {
    overlapSeconds: 60,
  })
  expect(await tries(first, { by: 1 })).toEqual({ by: 2 })
  expect(await tries(second, { by: 22 })).toEqual({ by: 22 })
  await clock.advance(60_000)
  expect(await tries(second, { by: 222 })).toEqual({ by: 22 })
  expect(await tries(third, { by: 3 })).toEqual({ by: 3 })
  const { contextKey: fourth } = await platform.access.rotateContextKeys(connector.id, {
    overlapSeconds: 0,
  })
  expect(await tries(third, { by: 33 })).toEqual({ by: 3 })
  expect(await tries(fourth, { by: 4 })).toEqual({ by: 4 })
  const removed = await platform.access.revokeContextKeys(connector.id)
  expect(removed.contextKeys).toEqual([])
  expect(await tries(fourth, { by: 44 })).toEqual({ by: 4 })
})

test('MS47 of concurrent rotations none is lost, and a change of the connector leaves its secrets', async () => {
  const { platform, connector } = await setUp()
  const rotate = () => platform.access.rotateContextKeys(connector.id)
  const rotated = await Promise.all([rotate(), rotate(), rotate()])
  await platform.access.updateConnector(connector.id, { name: 'Site' })
  const { contextKeys } = await platform.access.connector(connector.id)
  const made = rotated.map(({ contextKey }) => contextKey.kid)
  expect(new Set(made).size).toBe(3)
  expect(contextKeys).toHaveLength(2)
  expect(contextKeys.map(({ verifiesUntil }) => verifiesUntil === null)).toEqual([true, false])
  for (const { kid } of contextKeys) expect(made).toContain(kid)
  await expect(
    platform.access.rotateContextKeys(connector.id, { overlapSeconds: 2_592_001 }),
  ).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED' })
})

test('MS49 a frame without a token is answered like any other that cannot be read; after the end nothing is set', async () => {
  const { open, secretOf, clock } = await setUp()
  const secret = await secretOf()
  const session = await open()
  await session.send('SET_CONTEXT', {})
  expect(session.pair.received.at(-1)).toMatchObject({ type: 'EVENT_TYPE_SYSTEM_MESSAGE' })
  const token = await sign(secret, { sub: session.sessionId, at: clock.now(), ctx: GOLD })
  session.pair.send({ type: 'EVENT_TYPE_USER_END_SESSION', payload: {} })
  session.pair.send({ type: 'EVENT_TYPE_SET_CONTEXT', payload: { token } })
  await session.pair.flush()
  await clock.advance(0)
  await session.pair.flush()
  const types = session.pair.received.map(({ type }) => type)
  expect(types.filter(type => type === 'EVENT_TYPE_SYSTEM_MESSAGE')).toHaveLength(1)
  expect(types.at(-1)).toBe('EVENT_TYPE_SESSION_END')
})

test('MS49 null takes it away, from the next turn on', async () => {
  const { open, secretOf, clock, turns } = await setUp()
  const secret = await secretOf()
  const session = await open()
  await session.set(await sign(secret, { sub: session.sessionId, at: clock.now(), ctx: GOLD }))
  await session.join()
  await session.set(null)
  await session.say('Hello')
  expect(turns).toEqual([GOLD, null])
})

test('MS49 it is kept with the conversation', async () => {
  const { open, secretOf, clock, platform } = await setUp()
  const secret = await secretOf()
  const { sessionId, set } = await open()
  await set(await sign(secret, { sub: sessionId, at: clock.now(), ctx: GOLD }))
  const id: ConversationId = sessionId
  expect((await contextOf(platform).store.conversations.load(id))?.state).toMatchObject({
    verifiedContext: GOLD,
  })
})
