import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { describe, expect, test } from 'vitest'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { contextOf } from '../../src/platform-context.ts'
import { createFakeClock } from '../../src/testing/index.ts'
import { request } from '../support/request.ts'
import { OTHER, OURS, startTexts } from '../texts/support.ts'

const [A, B] = ['PROJECT-A', 'PROJECT-B']
const [ONE, TWO, THREE] = ['+442079460018', '+442079460019', '+442079460020'] as const
const RESERVE = 'POST /v1/conversations/dni-reservation'
const POOL = '/operator/v1/pooled-numbers'
const START = Date.UTC(2026, 0, 1)

async function serve(settings: object = {}) {
  const clock = createFakeClock(START)
  const made = await createPopulatedPlatform({ workers: false, clock, ...settings })
  const { access, telephony } = made.platform
  const dispatcher = createDispatcher(made.platform, routes)
  const call = async (line: string, body: unknown, headers: Record<string, string>) => {
    const response = await dispatcher.handle(request(line, { headers, body }))
    return { status: response.status, json: JSON.parse(response.body ?? 'null') }
  }
  const key = async (input: Partial<Parameters<typeof access.createApiKey>[0]>) =>
    (await access.createApiKey({ kind: 'project', accountId: 'ws-one', ...input })).secret
  const actions = async () =>
    (await made.platform.audit.list({ limit: 100 })).entries
      .filter(({ action }) => action.startsWith('pooled_number.'))
      .map(({ action, agentId, resource, details }) => ({ action, agentId, id: resource.id, details }))
  return {
    ...{ ...made, access, actions, clock, key, telephony },
    operate: (line: string, body?: unknown) =>
      call(line, body, { authorization: `Bearer ${made.keys.operator}` }),
    reserve: (body: unknown = { attributes: { booking: 7 } }, headers: Record<string, string> = {}) =>
      call(RESERVE, body, { 'x-api-key': made.keys.project, ...headers }),
  }
}

const refused = (error: string, message: unknown = expect.any(String)) => ({ success: false, error, message })
const failed = (status: number, code: string) => ({
  ...{ status, json: expect.objectContaining({ success: false, error_code: code, data: null }) },
})

describe('pools of numbers', () => {
  test('TP21 numbers are added, listed in their order and removed, and the audit log says so', async () => {
    const { actions, operate } = await serve()
    const added = await operate(`POST ${POOL}`, { agentId: A, phoneNumbers: [TWO, ONE, TWO] })
    expect(added).toEqual({ status: 201, json: { added: [TWO, ONE] } })
    await operate(`POST ${POOL}`, { agentId: A, phoneNumbers: [THREE] })
    const of = { accountId: 'ws-one', agentId: A, createdAt: '2026-01-01T00:00:00.000Z' }
    const shown = (phoneNumber: string) => ({ phoneNumber, ...of, reservedUntil: null })
    expect(await operate(`GET ${POOL}?agentId=${A}`)).toEqual({
      ...{ status: 200, json: { numbers: [shown(ONE), shown(TWO), shown(THREE)] } },
    })
    expect(await operate(`DELETE ${POOL}/${encodeURIComponent(TWO)}`)).toEqual({
      ...{ status: 200, json: { deleted: TWO } },
    })
    expect(await operate(`DELETE ${POOL}/${TWO}`)).toEqual(failed(404, 'PHONE_NUMBERS_NOT_FOUND'))
    expect((await operate(`GET ${POOL}?agentId=${A}`)).json.numbers).toEqual([shown(ONE), shown(THREE)])
    expect(await actions()).toEqual([
      { action: 'pooled_number.removed', agentId: A, id: TWO, details: {} },
      { action: 'pooled_number.added', agentId: A, id: THREE, details: { phoneNumbers: [THREE] } },
      { action: 'pooled_number.added', agentId: A, id: null, details: { phoneNumbers: [TWO, ONE] } },
    ])
  })

  test('TP21 numbers are added all or none: one of a pool, one that is none, one too many, no agent', async () => {
    const { actions, operate, telephony } = await serve({ pooledNumbers: 2 })
    await telephony.addToPool(B, [THREE])
    const add = (agentId: string, ...phoneNumbers: readonly string[]) =>
      operate(`POST ${POOL}`, { agentId, phoneNumbers })
    expect(await add(A, ONE, THREE)).toEqual(failed(409, 'PHONE_NUMBERS_ALREADY_EXISTS'))
    expect(await add(A, ONE, '020')).toEqual(failed(400, 'PHONE_NUMBERS_INVALID_PHONE_NUMBER_FORMAT'))
    expect(await add(A, ONE, TWO, '+442079460021')).toEqual(failed(409, 'PHONE_NUMBERS_LIMIT'))
    expect(await add(A)).toEqual(failed(400, 'SCHEMA_VALIDATION_FAILED'))
    expect(await add('PROJECT-none', ONE)).toEqual(failed(404, 'PROJECT_NOT_FOUND'))
    expect(await operate(`GET ${POOL}?agentId=PROJECT-none`)).toEqual(failed(404, 'PROJECT_NOT_FOUND'))
    expect(await operate(`GET ${POOL}`)).toEqual(failed(400, 'SCHEMA_VALIDATION_FAILED'))
    expect(await operate(`DELETE ${POOL}/020`)).toEqual(
      failed(400, 'PHONE_NUMBERS_INVALID_PHONE_NUMBER_FORMAT'),
    )
    expect(await telephony.pool(A)).toEqual([])
    expect(await actions()).toHaveLength(1)
  })

  test('TP21 a pool goes with its agent, and its numbers are free for others; an import is another matter', async () => {
    const { platform, telephony } = await serve()
    await telephony.importNumbers(A, { phoneNumbers: [ONE] })
    await telephony.addToPool(A, [ONE])
    await telephony.reserve(A, { booking: 7 })
    await platform.agents.delete(A)
    expect(await telephony.reservationOf(ONE)).toBeNull()
    expect((await telephony.addToPool(B, [ONE])).map(({ number }) => number)).toEqual([ONE])
  })

  test('TP21 numbers that are added while their agent goes are taken back', async () => {
    const { platform, telephony } = await serve()
    const { numberPool } = contextOf(platform).store.access
    const { add } = numberPool
    const addAndDelete: typeof add = async (...given) => {
      const added = await add(...given)
      await platform.agents.delete(A)
      return added
    }
    Object.assign(numberPool, { add: addAndDelete })
    await expect(telephony.addToPool(A, [ONE, TWO])).rejects.toMatchObject({ code: 'PROJECT_NOT_FOUND' })
    Object.assign(numberPool, { add })
    expect((await telephony.addToPool(B, [ONE, TWO])).length).toBe(2)
  })
})

describe('number reservation', () => {
  test('TP21 each reservation gets the number that has been free the longest, of the pool of its own agent', async () => {
    const { clock, operate, reserve, telephony } = await serve()
    await telephony.addToPool(B, [THREE])
    await telephony.addToPool(A, [TWO])
    await clock.advance(5)
    await telephony.addToPool(A, [ONE])
    expect(await reserve()).toEqual({ status: 200, json: { dni: TWO } })
    await clock.advance(1_000)
    expect((await reserve()).json).toEqual({ dni: ONE })
    const listed = (await operate(`GET ${POOL}?agentId=${A}`)).json.numbers
    expect(listed).toMatchObject([
      { phoneNumber: ONE, reservedUntil: '2026-01-01T00:10:01.005Z' },
      { phoneNumber: TWO, reservedUntil: '2026-01-01T00:10:00.005Z' },
    ])
    expect(JSON.stringify(listed)).not.toContain('booking')
    expect(await reserve()).toEqual({
      status: 404,
      json: refused('DNI_ROUTE_NOT_FOUND', expect.stringContaining('No available route found')),
    })
    await clock.advance(600_000)
    expect((await reserve()).json).toEqual({ dni: TWO })
  })

  test('TP21 of concurrent reservations no two get the same number', async () => {
    const { reserve, telephony } = await serve()
    const numbers = Array.from({ length: 7 }, (_, index) => `+4420794600${30 + index}`)
    await telephony.addToPool(A, numbers)
    const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => reserve({ attributes: { at } })))
    const given = answers.flatMap(({ json }) => json.dni ?? [])
    expect([...given].sort()).toEqual(numbers)
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(3)
    for (const [at, { json }] of answers.entries())
      if (json.dni) expect((await telephony.reservationOf(json.dni))?.attributes).toEqual({ at })
  })

  test('TP21 a host says for how many seconds a number is reserved', async () => {
    const { clock, reserve, telephony } = await serve({ reservation: 2 })
    await telephony.addToPool(A, [ONE])
    expect((await reserve()).status).toBe(200)
    await clock.advance(1_999)
    expect((await reserve()).status).toBe(404)
    await clock.advance(1)
    expect((await reserve()).status).toBe(200)
  })

  test('TP21 an agent without a pool has no route', async () => {
    const { reserve } = await serve()
    expect((await reserve()).status).toBe(404)
  })

  test('TP23 who is called is told agent and attributes until the reservation lapses, and nothing from then on', async () => {
    const { clock, reserve, telephony } = await serve()
    await telephony.addToPool(A, [ONE])
    expect(await telephony.reservationOf(ONE)).toBeNull()
    const attributes = { booking: 7, guest: { name: 'Ada', vip: [true, null] } }
    await reserve({ attributes })
    const reserved = { number: ONE, accountId: 'ws-one', agentId: A, attributes, until: START + 600_000 }
    expect(await telephony.reservationOf(ONE)).toEqual(reserved)
    await clock.advance(599_999)
    expect(await telephony.reservationOf(ONE)).toEqual(reserved)
    await clock.advance(1)
    expect(await telephony.reservationOf(ONE)).toBeNull()
    expect(await telephony.reservationOf(TWO)).toBeNull()
    await expect(telephony.reservationOf('020')).rejects.toMatchObject({
      code: 'PHONE_NUMBERS_INVALID_PHONE_NUMBER_FORMAT',
    })
  })

  test('TP23 a number that leaves its pool is reserved no more', async () => {
    const { reserve, telephony } = await serve()
    await telephony.addToPool(A, [ONE])
    await reserve()
    await telephony.removeFromPool(ONE)
    expect(await telephony.reservationOf(ONE)).toBeNull()
  })

  test('TP21 a missing, unknown or revoked key is 401, one of another kind, permission or scope 403', async () => {
    const { access, key, keys, reserve, telephony } = await serve()
    await telephony.addToPool(A, [ONE])
    const revoked = await access.createApiKey({ kind: 'project', accountId: 'ws-one', agentId: A })
    await access.revokeApiKey(revoked.key.id)
    for (const secret of ['', 'nothing', revoked.secret])
      expect(await reserve(undefined, { 'x-api-key': secret })).toEqual({
        ...{ status: 401, json: refused('AUTH_USER_UNAUTHORISED') },
      })
    const others = [
      keys.workspace,
      keys.desk,
      await key({ agentId: A, permissions: ['analytics'] }),
      await key({}),
    ]
    for (const secret of others)
      expect(await reserve(undefined, { 'x-api-key': secret })).toEqual({
        ...{ status: 403, json: refused('USER_ACCESS_FORBIDDEN') },
      })
    const limited = await key({ agentId: A, permissions: ['conversations'] })
    expect((await reserve(undefined, { 'x-api-key': limited })).status).toBe(200)
  })

  test.each([{}, { attributes: null }, { attributes: [] }, { attributes: 'x' }])(
    'TP21 a body without attributes is 400: %j',
    async body => {
      const { reserve, telephony } = await serve()
      await telephony.addToPool(A, [ONE])
      expect(await reserve(body)).toEqual({
        ...{ status: 400, json: refused('SCHEMA_VALIDATION_FAILED', expect.stringContaining('attributes')) },
      })
      expect(await telephony.reservationOf(ONE)).toBeNull()
    },
  )

  test('TP21 attributes that are too large, or no JSON, reserve nothing', async () => {
    const { reserve, telephony } = await serve()
    await telephony.addToPool(A, [ONE])
    const large = await reserve({ attributes: { text: 'x'.repeat(65_536) } })
    expect(large).toMatchObject({ status: 400, json: refused('SCHEMA_VALIDATION_FAILED') })
    const circle: { self?: object } = {}
    circle.self = circle
    for (const attributes of [circle, { count: 1n }, { when: undefined, at: () => 1 }])
      await expect(Reflect.apply(telephony.reserve, telephony, [A, attributes])).rejects.toMatchObject({
        code: 'SCHEMA_VALIDATION_FAILED',
      })
    expect(await telephony.reservationOf(ONE)).toBeNull()
    expect((await reserve({ attributes: {} })).status).toBe(200)
    expect((await telephony.reservationOf(ONE))?.attributes).toEqual({})
  })
})

describe('texts to reserved numbers', () => {
  const attributesOf = (state: object | null) =>
    state !== null && 'integrationAttributes' in state ? state.integrationAttributes : null

  test('TP23 a session that a text begins has the attributes; one that is open keeps its own', async () => {
    const { agent, platform, record, text, wait } = await startTexts()
    await platform.telephony.addToPool(agent.id, [OURS])
    await platform.telephony.reserve(agent.id, { booking: 7 })
    const { conversationId } = await text('hello')
    expect(attributesOf(await record(conversationId))).toEqual({ booking: 7 })
    await wait(600_000)
    await platform.telephony.reserve(agent.id, { booking: 8 })
    expect((await text('again')).conversationId).toBe(conversationId)
    expect(attributesOf(await record(conversationId))).toEqual({ booking: 7 })
  })

  test('TP23 what has lapsed, and what another agent has reserved, is not told', async () => {
    const { account, agent, platform, record, text, wait } = await startTexts()
    const { telephony } = platform
    await telephony.addToPool(agent.id, [OURS])
    await telephony.reserve(agent.id, { booking: 7 })
    await wait(600_000)
    expect(attributesOf(await record((await text('late')).conversationId))).toEqual({})
    const made = { accountId: account.id, agentId: 'PROJECT-OTHER', name: 'Other', greeting: 'Hello' }
    const other = await platform.agents.create(made)
    await telephony.addToPool(other.id, [OTHER])
    await telephony.reserve(other.id, { booking: 9 })
    const { conversationId } = await text('hello', { to: OTHER })
    expect(attributesOf(await record(conversationId))).toEqual({})
  })
})
