import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { describe, expect, test } from 'vitest'
import { toPhoneNumber } from '../../src/domain/telephony/phone-number.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { contextOf } from '../../src/platform-context.ts'
import { request } from '../support/request.ts'

const [A, B] = ['PROJECT-A', 'PROJECT-B']
const [ONE, TWO, THREE] = ['+442079460018', '+442079460019', '+442079460020'] as const
const LINE = { accountId: 'ws-one', agentId: A, environment: 'sandbox', name: 'Line' } as const
const TELEPHONY = `/v1/agents/${A}/telephony`
const NUMBERS = `${TELEPHONY}/phone-numbers`
const CONNECTORS = `${TELEPHONY}/connectors`

async function serve(settings: object = {}) {
  const made = await createPopulatedPlatform({ workers: false, verifyNumber: () => true, ...settings })
  const { access, telephony } = made.platform
  const dispatcher = createDispatcher(made.platform, routes)
  const callWith = async (key: string, line: string, body?: unknown) => {
    const response = await dispatcher.handle(
      request(line, { headers: { 'x-api-key': key, authorization: `Bearer ${key}` }, body }),
    )
    return { status: response.status, json: JSON.parse(response.body ?? 'null') }
  }
  const call = (line: string, body?: unknown) => callWith(made.keys.workspace, line, body)
  const line = await access.createTelephonyConnector(LINE)
  const actions = async () =>
    (await made.platform.audit.list({ limit: 100 })).entries
      .filter(({ action }) => action.startsWith('phone_number.'))
      .map(({ action, resource, details }) => ({ action, id: resource.id, details }))
  return { ...made, access, actions, call, callWith, line, telephony }
}

const failed = (status: number, code: string) => ({
  ...{ status, json: expect.objectContaining({ success: false, error_code: code, data: null }) },
})
const FORMAT = failed(400, 'PHONE_NUMBERS_INVALID_PHONE_NUMBER_FORMAT')
const wire = (number: string, values: object = {}) => ({
  ...{ number, projectId: A, accountId: 'ws-one', clientEnv: 'live' },
  ...values,
})

describe('phone numbers over HTTP', () => {
  test('TP1 numbers are imported for live unless another environment is named, read and listed', async () => {
    const { call } = await serve()
    const imported = await call(`POST ${NUMBERS}`, { phoneNumbers: [TWO, ONE, TWO] })
    expect(imported).toEqual({ status: 201, json: { imported: [TWO, ONE] } })
    const single = await call(`POST ${NUMBERS}/${encodeURIComponent(THREE)}`, { clientEnv: 'sandbox' })
    expect(single).toEqual({ status: 201, json: { imported: THREE } })
    const all = [wire(ONE), wire(TWO), wire(THREE, { clientEnv: 'sandbox' })]
    expect(await call(`GET ${NUMBERS}`)).toEqual({ status: 200, json: { phoneNumbers: all } })
    expect(await call(`GET ${NUMBERS}/${ONE}`)).toEqual({ status: 200, json: all[0] })
    expect(await call(`GET ${NUMBERS}/+442079460021`)).toEqual(failed(404, 'PHONE_NUMBERS_NOT_FOUND'))
    expect(await call(`GET /v1/agents/${B}/telephony/phone-numbers/${ONE}`)).toEqual(
      failed(404, 'PHONE_NUMBERS_NOT_FOUND'),
    )
  })

  test('TP1 without a body a single number is imported for live; a connector that is named answers it', async () => {
    const { call, line } = await serve()
    expect((await call(`POST ${NUMBERS}/${ONE}`)).status).toBe(201)
    expect((await call(`POST ${NUMBERS}/${TWO}`, { connectorId: line.id })).status).toBe(201)
    expect((await call(`GET ${NUMBERS}`)).json.phoneNumbers).toEqual([
      wire(ONE),
      wire(TWO, { clientEnv: 'sandbox', connectorId: line.id }),
    ])
    const unknown = await call(`POST ${NUMBERS}/${THREE}`, { connectorId: 'CONNECTOR-none' })
    expect(unknown).toEqual(failed(404, 'PHONE_NUMBERS_CONNECTOR_DOES_NOT_EXIST'))
    expect((await call(`GET ${NUMBERS}/${THREE}`)).status).toBe(404)
  })

  test('TP1 an import is whole or nothing: a number that exists, of whatever agent, or one that is none', async () => {
    const { call, telephony } = await serve()
    await telephony.importNumbers(B, { phoneNumbers: [TWO] })
    expect(await call(`POST ${NUMBERS}`, { phoneNumbers: [ONE, TWO] })).toEqual(
      failed(409, 'PHONE_NUMBERS_ALREADY_EXISTS'),
    )
    expect(await call(`POST ${NUMBERS}`, { phoneNumbers: [ONE, '02079460018'] })).toEqual(FORMAT)
    expect(await call(`POST ${NUMBERS}/${TWO}`)).toEqual(failed(409, 'PHONE_NUMBERS_ALREADY_EXISTS'))
    expect((await call(`GET ${NUMBERS}`)).json).toEqual({ phoneNumbers: [] })
  })

  test.each([{}, { phoneNumbers: [] }, { phoneNumbers: ONE }, { phoneNumbers: [1] }])(
    'TP1 a body that names no numbers is 400: %j',
    async body => {
      const { call } = await serve()
      for (const line of [`POST ${NUMBERS}`, `DELETE ${NUMBERS}`, `POST ${NUMBERS}/batch`])
        expect(await call(line, body)).toEqual(failed(400, 'SCHEMA_VALIDATION_FAILED'))
    },
  )

  test('TP1 a call names 100 numbers or connectors at most, and an environment that there is', async () => {
    const { call, line } = await serve()
    const phoneNumbers = Array.from({ length: 101 }, (_, at) => `+44207946${String(at).padStart(4, '0')}`)
    const invalid = failed(400, 'SCHEMA_VALIDATION_FAILED')
    expect(await call(`POST ${NUMBERS}`, { phoneNumbers })).toEqual(invalid)
    expect((await call(`POST ${NUMBERS}`, { phoneNumbers: phoneNumbers.slice(1) })).status).toBe(201)
    expect(await call(`POST ${NUMBERS}`, { phoneNumbers: [ONE], clientEnv: 'moon' })).toEqual(invalid)
    const many = { connectorIds: Array.from({ length: 101 }, () => line.id) }
    const refused = failed(400, 'CONNECTORS_VALIDATION_FAILED')
    expect(await call(`POST ${CONNECTORS}/batch`, many)).toEqual(refused)
    const updates = many.connectorIds.map(connectorId => ({ connectorId }))
    expect(await call(`PATCH ${CONNECTORS}/batch`, { updates })).toEqual(refused)
  })

  test('TP4 an agent has as many numbers as the setting says', async () => {
    const { call } = await serve({ phoneNumbers: 2 })
    const full = failed(409, 'PHONE_NUMBERS_LIMIT')
    expect(await call(`POST ${NUMBERS}`, { phoneNumbers: [ONE, TWO, THREE] })).toEqual(full)
    expect((await call(`POST ${NUMBERS}`, { phoneNumbers: [ONE, TWO] })).status).toBe(201)
    expect(await call(`POST ${NUMBERS}/${THREE}`)).toEqual(full)
  })

  test('TP5 a number is given to a connector of the agent, and gets its environment', async () => {
    const { access, call, line } = await serve()
    const foreign = await access.createTelephonyConnector({ ...LINE, agentId: B })
    await call(`POST ${NUMBERS}`, { phoneNumbers: [ONE, TWO] })
    const patched = await call(`PATCH ${NUMBERS}/${ONE}`, { connectorId: line.id })
    expect(patched).toEqual({ status: 200, json: wire(ONE, { clientEnv: 'sandbox', connectorId: line.id }) })
    expect(await call(`GET ${NUMBERS}?connectorId=${line.id}`)).toEqual({
      status: 200,
      json: { phoneNumbers: [patched.json] },
    })
    expect((await call(`GET ${NUMBERS}?connectorId=none`)).json).toEqual({ phoneNumbers: [] })
    for (const connectorId of ['CONNECTOR-none', foreign.id])
      expect(await call(`PATCH ${NUMBERS}/${ONE}`, { connectorId })).toEqual(
        failed(404, 'PHONE_NUMBERS_CONNECTOR_DOES_NOT_EXIST'),
      )
    expect(await call(`PATCH ${NUMBERS}/${THREE}`, { connectorId: line.id })).toEqual(
      failed(404, 'PHONE_NUMBERS_NOT_FOUND'),
    )
    expect(await call(`PATCH ${NUMBERS}/${ONE}`, {})).toEqual(failed(400, 'SCHEMA_VALIDATION_FAILED'))
    expect(await call(`PATCH ${NUMBERS}/none`, { connectorId: line.id })).toEqual(FORMAT)
  })

  test('TP1 numbers are deleted each by itself, in their order; without a refusal no errors are told', async () => {
    const { call, telephony } = await serve()
    await call(`POST ${NUMBERS}`, { phoneNumbers: [ONE, TWO] })
    await telephony.importNumbers(B, { phoneNumbers: [THREE] })
    const some = await call(`DELETE ${NUMBERS}`, { phoneNumbers: [THREE, TWO, 'none'] })
    expect(some).toEqual({
      status: 200,
      json: {
        deleted: [TWO],
        errors: [
          { phoneNumber: THREE, error: 'The agent has no such phone number.' },
          { phoneNumber: 'none', error: expect.stringContaining('E.164') },
        ],
      },
    })
    expect(await call(`DELETE ${NUMBERS}`, { phoneNumbers: [ONE] })).toEqual({
      status: 200,
      json: { deleted: [ONE] },
    })
    expect(await telephony.number(B, THREE)).toMatchObject({ number: THREE })
  })

  test('TP1 a single number is deleted once', async () => {
    const { call } = await serve()
    await call(`POST ${NUMBERS}/${ONE}`)
    expect(await call(`DELETE ${NUMBERS}/${ONE}`)).toEqual({ status: 200, json: { deleted: ONE } })
    expect(await call(`DELETE ${NUMBERS}/${ONE}`)).toEqual(failed(404, 'PHONE_NUMBERS_NOT_FOUND'))
    expect(await call(`DELETE ${NUMBERS}/none`)).toEqual(FORMAT)
  })

  test('TP1 several numbers are read in the order asked for, each once, and those that are not there named', async () => {
    const { call, telephony } = await serve()
    await call(`POST ${NUMBERS}`, { phoneNumbers: [ONE, TWO] })
    await telephony.importNumbers(B, { phoneNumbers: [THREE] })
    const among = await call(`POST ${NUMBERS}/batch`, { phoneNumbers: [TWO, THREE, ONE, TWO] })
    expect(among).toEqual({ status: 200, json: { found: [wire(TWO), wire(ONE)], notFound: [THREE] } })
    expect(await call(`POST ${NUMBERS}/batch`, { phoneNumbers: [ONE, '1'] })).toEqual(FORMAT)
  })
})

describe('telephony connectors, several at once', () => {
  test('TP1 several connectors are read in the order asked for, and those that are not there named', async () => {
    const { access, call, line } = await serve()
    const other = await access.createTelephonyConnector(LINE)
    const gone = await access.createTelephonyConnector(LINE)
    await access.revokeTelephonyConnector(A, gone.id)
    const ids = [other.id, 'none', gone.id, line.id]
    const { status, json } = await call(`POST ${CONNECTORS}/batch`, { connectorIds: ids })
    expect(status).toBe(200)
    expect(json.found).toEqual([
      expect.objectContaining({ connectorId: other.id, variantId: '' }),
      expect.objectContaining({ connectorId: line.id }),
    ])
    expect(json.notFound).toEqual(['none', gone.id])
    for (const body of [{}, { connectorIds: [] }, { connectorIds: [1] }])
      expect(await call(`POST ${CONNECTORS}/batch`, body)).toEqual(
        failed(400, 'CONNECTORS_VALIDATION_FAILED'),
      )
  })

  test('TP1 several are changed in their order, each by itself: a refusal leaves the others alone', async () => {
    const { access, call, callWith, line } = await serve()
    const other = await access.createTelephonyConnector(LINE)
    const updates = [
      { connectorId: line.id, voiceName: 'Ada' },
      { connectorId: 'none', voiceName: 'Ada' },
      { connectorId: other.id, asrLangCode: 7 },
      { connectorId: line.id, voiceName: 'Eva', asrLangCode: 'de-DE' },
      { connectorId: other.id, projectId: B },
    ]
    const { status, json } = await call(`PATCH ${CONNECTORS}/batch`, { updates })
    expect(status).toBe(200)
    expect(json.results).toEqual([
      { connectorId: line.id, success: true, data: expect.objectContaining({ voiceName: 'Ada' }) },
      { connectorId: 'none', success: false, error: 'The agent has no telephony connector of that id.' },
      { connectorId: other.id, success: false, error: expect.stringContaining('asrLangCode') },
      { connectorId: line.id, success: true, data: expect.objectContaining({ voiceName: 'Eva' }) },
      { connectorId: other.id, success: true, data: expect.objectContaining({ projectId: B }) },
    ])
    expect(await access.telephonyConnector(A, line.id)).toMatchObject({
      voiceName: 'Eva',
      asrLangCode: 'de-DE',
    })
    const { secret } = await access.createApiKey({ kind: 'workspace', accountId: 'ws-one', agentId: A })
    const moving = { updates: [{ connectorId: line.id, projectId: B }] }
    const refused = await callWith(secret, `PATCH ${CONNECTORS}/batch`, moving)
    expect(refused.json.results).toEqual([
      { connectorId: line.id, success: false, error: 'The API key is for another agent.' },
    ])
    for (const body of [{}, { updates: [] }, { updates: [{ voiceName: 'x' }] }])
      expect(await call(`PATCH ${CONNECTORS}/batch`, body)).toEqual(
        failed(400, 'CONNECTORS_VALIDATION_FAILED'),
      )
  })

  test('TP5 the connector that answers a number is found by it, among those of the agent alone', async () => {
    const { call, line, telephony } = await serve()
    await telephony.importNumbers(A, { phoneNumbers: [ONE, TWO] })
    await telephony.assignNumber(A, ONE, line.id)
    const found = await call(`POST ${CONNECTORS}/lookup`, { phoneNumber: ONE })
    expect(found).toEqual({ status: 200, json: expect.objectContaining({ connectorId: line.id }) })
    const none = failed(404, 'CONNECTORS_NOT_FOUND')
    for (const phoneNumber of [TWO, THREE])
      expect(await call(`POST ${CONNECTORS}/lookup`, { phoneNumber })).toEqual(none)
    const foreign = `/v1/agents/${B}/telephony/connectors/lookup`
    expect(await call(`POST ${foreign}`, { phoneNumber: ONE })).toEqual(none)
    expect(await call(`POST ${CONNECTORS}/lookup`, { phoneNumber: '020' })).toEqual(FORMAT)
    expect(await call(`POST ${CONNECTORS}/lookup`, {})).toEqual(failed(400, 'CONNECTORS_VALIDATION_FAILED'))
  })

  test('TP11 a connector that moves takes its numbers along, and one that is deleted takes them away', async () => {
    const { call, line, telephony } = await serve()
    await telephony.importNumbers(A, { phoneNumbers: [ONE, TWO, THREE] })
    for (const number of [TWO, ONE]) await telephony.assignNumber(A, number, line.id)
    expect((await call(`PATCH ${CONNECTORS}/${line.id}`, { projectId: B })).status).toBe(200)
    expect((await telephony.numbers(B)).map(({ number }) => number)).toEqual([ONE, TWO])
    expect((await telephony.numbers(A)).map(({ number }) => number)).toEqual([THREE])
    const deleted = await call(`DELETE /v1/agents/${B}/telephony/connectors/${line.id}`)
    expect(deleted.json).toEqual({ deletedConnector: line.id, deletedPhoneNumbers: [ONE, TWO] })
    expect(await telephony.numbers(B)).toEqual([])
  })

  test('TP11 an agent that is deleted takes its numbers along; an import that began before leaves none', async () => {
    const { platform, telephony } = await serve()
    await telephony.importNumbers(A, { phoneNumbers: [ONE] })
    const { store } = contextOf(platform)
    const racing = await Promise.allSettled([
      telephony.importNumbers(A, { phoneNumbers: [TWO] }),
      platform.agents.delete(A),
    ])
    expect(racing[1].status).toBe('fulfilled')
    await platform.agents.create({ accountId: 'ws-one', agentId: A, name: 'Again', greeting: 'Hello' })
    expect(await telephony.numbers(A)).toEqual([])
    expect(await store.access.phoneNumbers.find([ONE, TWO])).toEqual([])
  })
})

test('TP37 and AU1 what becomes of numbers is noted, and what changes nothing is not', async () => {
  const { actions, line, telephony } = await serve()
  await telephony.importNumbers(A, { phoneNumbers: [ONE, TWO] })
  await telephony.assignNumber(A, ONE, line.id)
  await telephony.assignNumber(A, ONE, line.id)
  await telephony.deleteNumber(A, TWO)
  await telephony.importNumbers(A, { phoneNumbers: [THREE], environment: 'sandbox' })
  const free = { environment: 'live', connectorId: null }
  expect(await actions()).toEqual([
    {
      ...{ action: 'phone_number.imported', id: THREE },
      details: { phoneNumbers: [THREE], environment: 'sandbox', connectorId: null },
    },
    { action: 'phone_number.deleted', id: TWO, details: {} },
    {
      ...{ action: 'phone_number.changed', id: ONE },
      details: {
        changes: {
          environment: { from: 'live', to: 'sandbox' },
          connectorId: { from: null, to: line.id },
        },
      },
    },
    { action: 'phone_number.imported', id: null, details: { phoneNumbers: [ONE, TWO], ...free } },
  ])
})

test('TP1 a number is one in E.164, of a length that its country has; with a country other spellings are read', async () => {
  for (const number of [ONE, '+15551234567', '+4915112345678'])
    expect(await toPhoneNumber(number)).toBe(number)
  const none = [
    '',
    '+',
    '020 7946 0018',
    '02079460018',
    '+44 20 7946 0018',
    '442079460018',
    '+44207946',
    ' +442079460018',
  ]
  for (const text of [
    ...none,
    '+0442079460018',
    '+99912345678',
    '+4420794600180000',
    'tel:+442079460018',
    '+440207946001',
  ])
    expect(await toPhoneNumber(text), text).toBeNull()
  for (const text of ['020 7946 0018', '02079460018', '+44 20 7946 0018', ONE])
    expect(await toPhoneNumber(text, 'GB')).toBe(ONE)
  expect(await toPhoneNumber('(555) 123-4567', 'us')).toBe('+15551234567')
  expect(await toPhoneNumber(ONE, 'US')).toBe(ONE)
  for (const country of ['XX', '', 'GBR']) expect(await toPhoneNumber('02079460018', country)).toBeNull()
})

/** As a host does that has not said whose numbers are whose. */
const operatorOnly = () => serve({ verifyNumber: null })

describe('whose number it is', () => {
  const REFUSED = failed(403, 'USER_ACCESS_FORBIDDEN')
  const FREE = '+442079460021'

  test('TP37 without verifyNumber a key imports no number, and nothing tells whether another account has it', async () => {
    const { actions, call, telephony } = await operatorOnly()
    await telephony.importNumbers('PROJECT-Z', { phoneNumbers: [ONE] })
    const before = await actions()
    const words = async (number: string) => {
      const single = await call(`POST ${NUMBERS}/${number}`)
      const several = await call(`POST ${NUMBERS}`, { phoneNumbers: [number, TWO] })
      for (const answer of [single, several]) expect(answer).toEqual(REFUSED)
      return [single, several].map(({ json }) => json.error_message.replaceAll(number, 'it'))
    }
    expect(await words(ONE)).toEqual(await words(FREE))
    expect((await call(`GET ${NUMBERS}`)).json).toEqual({ phoneNumbers: [] })
    expect(await actions()).toEqual(before)
  })

  test('TP37 verifyNumber is asked for each number that is not the account’s, and decides; a throw refuses', async () => {
    const asked: unknown[] = []
    const { call, errors, telephony } = await serve({
      async verifyNumber(claim: { readonly number: string }) {
        asked.push(claim)
        if (claim.number === THREE) throw new Error('away')
        return claim.number !== TWO
      },
    })
    expect((await call(`POST ${NUMBERS}/${ONE}`)).status).toBe(201)
    expect(await call(`POST ${NUMBERS}/${TWO}`)).toEqual(REFUSED)
    expect(await call(`POST ${NUMBERS}/${THREE}`)).toEqual(REFUSED)
    await telephony.importNumbers('PROJECT-Z', { phoneNumbers: [FREE] })
    expect(await call(`POST ${NUMBERS}/${FREE}`)).toEqual(REFUSED)
    expect(asked).toEqual(
      [ONE, TWO, THREE, FREE].map(number => ({ accountId: 'ws-one', agentId: A, number })),
    )
    expect(errors).toMatchObject([{ where: 'verifyNumber' }])
    expect(await call(`POST ${NUMBERS}/${ONE}`)).toEqual(failed(409, 'PHONE_NUMBERS_ALREADY_EXISTS'))
  })

  test.each([1, 'yes', {}, null, undefined])('TP37 a verdict of %j is none', async verdict => {
    const { call } = await serve({ verifyNumber: () => verdict })
    expect(await call(`POST ${NUMBERS}/${ONE}`)).toEqual(REFUSED)
  })

  test('TP37 of two accounts at once one gets the number, and the other hears what it always hears', async () => {
    const { telephony } = await serve()
    const of = (agentId: string) => telephony.claimNumbers(agentId, { phoneNumbers: [ONE] })
    const outcomes = await Promise.allSettled([of(A), of('PROJECT-Z'), of('PROJECT-Z')])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(outcomes).toContainEqual(
      expect.objectContaining({ reason: expect.objectContaining({ code: 'USER_ACCESS_FORBIDDEN' }) }),
    )
  })

  test('TP37 an operator gives numbers and senders, and takes them from whoever has them; all of it is audited', async () => {
    const { actions, callWith, keys, line } = await operatorOnly()
    const operator = (path: string, body?: unknown) => callWith(keys.operator, path, body)
    const PATH = '/operator/v1/phone-numbers'
    const phoneNumbers = [ONE, '12345', 'HARBOUR', 'MG0123456789abcdef']
    const given = await operator(`POST ${PATH}`, { agentId: A, phoneNumbers, connectorId: line.id })
    expect(given).toMatchObject({
      status: 201,
      json: {
        numbers: phoneNumbers.map(phoneNumber => ({
          phoneNumber,
          accountId: 'ws-one',
          agentId: A,
          environment: 'sandbox',
          connectorId: line.id,
        })),
      },
    })
    expect(await operator(`POST ${PATH}`, { agentId: 'PROJECT-Z', phoneNumbers: [ONE] })).toMatchObject({
      status: 409,
    })
    for (const number of ['02079460018', '020 7946 0018', '+44', '', ' ', 'a\nb'])
      expect((await operator(`POST ${PATH}`, { agentId: A, phoneNumbers: [number] })).status).toBe(400)
    const listed = await operator(`GET ${PATH}?agentId=${A}`)
    expect(listed.json.numbers).toHaveLength(4)
    expect(await operator(`DELETE ${PATH}/${ONE}`)).toMatchObject({
      status: 200,
      json: { phoneNumber: ONE, agentId: A },
    })
    expect(await operator(`DELETE ${PATH}/${ONE}`)).toMatchObject({ status: 404 })
    expect((await operator(`POST ${PATH}`, { agentId: 'PROJECT-Z', phoneNumbers: [ONE] })).status).toBe(201)
    expect((await actions()).map(({ action }) => action).sort()).toEqual([
      'phone_number.changed',
      'phone_number.changed',
      'phone_number.changed',
      'phone_number.changed',
      'phone_number.deleted',
      'phone_number.imported',
      'phone_number.imported',
    ])
  })

  test('TP37 an account reads, assigns and gives back a sender that it was given', async () => {
    const { call, line, telephony } = await operatorOnly()
    await telephony.importNumbers(A, { phoneNumbers: ['HARBOUR'] })
    expect((await call(`GET ${NUMBERS}/HARBOUR`)).json).toEqual(wire('HARBOUR'))
    expect((await call(`PATCH ${NUMBERS}/HARBOUR`, { connectorId: line.id })).status).toBe(200)
    expect((await call(`POST ${NUMBERS}/batch`, { phoneNumbers: ['HARBOUR'] })).json.found).toHaveLength(1)
    expect((await call(`DELETE ${NUMBERS}/HARBOUR`)).status).toBe(200)
    expect(await call(`POST ${NUMBERS}/HARBOUR`)).toEqual(FORMAT)
  })
})
