import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createDispatcher, type Dispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { request } from '../support/request.ts'

let dispatcher: Dispatcher
let headers: Readonly<Record<string, string>>
let agent: string

/** A request with the workspace key: its status and parsed body. */
async function call(line: string, body?: unknown) {
  const answer = await dispatcher.handle(request(line, { headers, ...(body === undefined ? {} : { body }) }))
  const json: unknown = answer.body === null ? null : JSON.parse(answer.body)
  return { status: answer.status, json }
}

/** A text field of an answer, however deep. */
function textIn(json: unknown, ...path: readonly string[]): string {
  const found = path.reduce<unknown>(
    (value, key) => z.record(z.string(), z.unknown()).parse(value)[key],
    json,
  )
  return z.string().parse(found)
}

const newAgent = (body: object = {}) =>
  call('POST /v1/accounts/one/agents', {
    name: 'Front desk',
    responseSettings: { greeting: 'Hello' },
    ...body,
  })
const newBranch = async () =>
  textIn((await call(`POST /v1/agents/${agent}/branches`, { branchName: 'work' })).json, 'branchId')
const at = (branch: string, rest: string) => `/v1/agents/${agent}/branches/${branch}${rest}`
const topics = '/knowledge-base/topics'

const TIME = '2026-01-01T00:00:00.000Z'
const error = (code: string, message: unknown = expect.any(String)) =>
  expect.objectContaining({
    success: false,
    error: message,
    error_id: expect.any(String),
    error_code: code,
    error_message: message,
    data: null,
  })

beforeEach(async () => {
  const { platform, keys } = await createPopulatedPlatform()
  dispatcher = createDispatcher(platform, routes)
  headers = { 'x-api-key': keys.workspace, 'content-type': 'application/json' }
  agent = textIn((await newAgent()).json, 'agentId')
})

describe('agents on the wire', () => {
  test('HT14 agents are created, listed, read and deleted', async () => {
    const created = await newAgent({ agentId: 'my-agent', unknown: 1, voiceSettings: { voiceId: 'v' } })
    const record = {
      accountId: 'ws-one',
      agentId: 'my-agent',
      agentName: 'Front desk',
      createdAt: TIME,
      updatedAt: TIME,
      branchCount: 1,
    }
    expect(created).toEqual({ status: 200, json: record })
    expect((await call('GET /v1/accounts/ws-one/agents')).json).toContainEqual(record)
    expect(await call('GET /v1/agents/my-agent')).toEqual({ status: 200, json: record })
    expect(await call('DELETE /v1/agents/my-agent')).toEqual({ status: 204, json: null })
    expect(await call('GET /v1/agents/my-agent')).toEqual({ status: 404, json: error('PROJECT_NOT_FOUND') })
  })

  test('AG20 a missing greeting is 400 and named', async () => {
    const answer = await newAgent({ responseSettings: {} })
    const named = expect.stringMatching(/responseSettings\.greeting/)
    expect(answer).toEqual({ status: 400, json: error('SCHEMA_VALIDATION_FAILED', named) })
  })

  test('AG21 a taken id is 409', async () => {
    const answer = await newAgent({ agentId: agent })
    expect(answer).toEqual({ status: 409, json: error('PROJECT_ID_ALREADY_EXISTS') })
  })

  test('HT14 branches are created, listed and deleted', async () => {
    const created = await call(`POST /v1/agents/${agent}/branches`, { branchName: 'work' })
    expect(created).toEqual({
      status: 201,
      json: { branchId: expect.stringMatching(/^BRANCH-/), sequenceId: '1' },
    })
    const branchId = textIn(created.json, 'branchId')
    const stamps = { sequenceId: '1', createdAt: TIME, updatedAt: TIME, baseRevision: '1' }
    expect(await call(`GET /v1/agents/${agent}/branches`)).toEqual({
      status: 200,
      json: {
        branches: [
          { branchId: 'main', branchName: 'main', name: 'main', isMain: true, ...stamps },
          { branchId, branchName: 'work', name: 'work', isMain: false, ...stamps },
        ],
      },
    })
    const deleted = await call(`DELETE ${at(branchId, '')}`)
    expect(deleted).toEqual({ status: 200, json: { sequence: '1', message: 'Branch deleted' } })
    expect((await call(`DELETE ${at(branchId, '')}`)).status).toBe(404)
  })

  test('AG21 a duplicate is an agent like any other', async () => {
    const body = { newAgentName: 'Copy', newAgentId: 'copy' }
    const record = {
      accountId: 'ws-one',
      agentId: 'copy',
      agentName: 'Copy',
      createdAt: TIME,
      updatedAt: TIME,
    }
    const made = await call(`POST /v1/agents/${agent}/duplicate`, body)
    expect(made).toEqual({ status: 200, json: { ...record, branchCount: 1 } })
    expect((await call('GET /v1/agents/copy')).json).toEqual(made.json)
    const again = await call(`POST /v1/agents/${agent}/duplicate`, body)
    expect(again).toEqual({ status: 409, json: error('PROJECT_ID_ALREADY_EXISTS') })
    const named = await call(`POST /v1/agents/${agent}/duplicate`, { newAgentName: 'Copy' })
    expect(textIn(named.json, 'agentId')).toMatch(/^PROJECT-/)
    for (const wrong of [{}, { newAgentName: '' }, { newAgentName: 'n', newAgentId: 'a/b' }]) {
      const refused = await call(`POST /v1/agents/${agent}/duplicate`, wrong)
      expect(refused).toEqual({
        status: 400,
        json: error('SCHEMA_VALIDATION_FAILED', expect.stringMatching(/newAgent/)),
      })
    }
  })

  test('AG20 a branch is read with its changes', async () => {
    const branch = await newBranch()
    await call(`POST ${at(branch, topics)}`, { name: 'Parking', content: 'Behind.' })
    expect(await call(`GET ${at(branch, '')}`)).toEqual({
      status: 200,
      json: {
        branchId: branch,
        branchName: 'work',
        name: 'work',
        sequenceId: '2',
        createdAt: TIME,
        updatedAt: TIME,
        isMain: false,
        baseRevision: '1',
        changes: [{ kind: 'topics', id: expect.stringMatching(/^TOPIC-/), name: 'Parking', type: 'add' }],
      },
    })
    expect((await call(`GET ${at('main', '')}`)).json).toMatchObject({ isMain: true, changes: [] })
    expect(await call(`GET ${at('none', '')}`)).toEqual({ status: 404, json: error('BRANCH_NOT_FOUND') })
  })

  test('AG20 a write to main is refused as such, whatever its body says', async () => {
    for (const line of [`PATCH ${at('main', '/behavior')}`, `POST ${at('main', topics)}`]) {
      const refused = await call(line, { nonsense: true })
      expect(refused).toMatchObject({ status: 422, json: error('MAIN_BRANCH_READ_ONLY') })
    }
    const elsewhere = await call('PATCH /v1/agents/none/branches/main/behavior', { nonsense: true })
    expect(elsewhere.status).toBe(404)
  })

  test('AG20 writes to main are 422', async () => {
    const expected = {
      status: 422,
      json: error('MAIN_BRANCH_READ_ONLY', 'Cannot directly update main branch'),
    }
    expect(await call(`PATCH ${at('main', '/behavior')}`, { behavior: 'x' })).toEqual(expected)
    expect(await call(`POST ${at('main', topics)}`, { name: 'n', content: 'c' })).toEqual(expected)
    expect(await call(`DELETE ${at('main', '')}`)).toEqual(expected)
  })

  test('HT14 behavior is read and changed', async () => {
    const branch = await newBranch()
    const changed = await call(`PATCH ${at(branch, '/behavior')}`, { behavior: 'Be kind.' })
    expect(changed).toEqual({ status: 200, json: { behavior: 'Be kind.' } })
    expect((await call(`GET ${at(branch, '/behavior')}`)).json).toEqual({ behavior: 'Be kind.' })
    expect((await call(`GET ${at('main', '/behavior')}`)).json).toEqual({ behavior: '' })
  })

  test('AG30 response settings are read, and changed field by field on a branch', async () => {
    const [branch, other] = [await newBranch(), await newBranch()]
    const [settings, onMain] = [at(branch, '/response-settings'), at('main', '/response-settings')]
    const first = { greeting: 'Hello', languageCode: 'en-GB', voiceId: null, modelId: null }
    expect(await call(`GET ${settings}`)).toEqual({ status: 200, json: first })
    const changed = { ...first, greeting: 'Good evening!', voiceId: 'alto' }
    const change = { greeting: 'Good evening!', voiceId: 'alto' }
    expect(await call(`PATCH ${settings}`, change)).toEqual({ status: 200, json: changed })
    expect((await call(`GET ${settings}`)).json).toEqual(changed)
    expect((await call(`GET ${onMain}`)).json).toEqual(first)
    expect((await call(`PATCH ${onMain}`, change)).status).toBe(422)
    await call(`PATCH ${at(other, '/response-settings')}`, { greeting: 'Ahoy!' })
    expect((await call(`POST ${at(branch, '/merge')}`)).status).toBe(200)
    expect((await call(`GET ${onMain}`)).json).toEqual(changed)
    expect((await call(`POST ${at(other, '/merge')}`)).json).toMatchObject({
      conflicts: [
        {
          path: ['response_settings', 'greeting'],
          baseValue: 'Hello',
          oursValue: 'Good evening!',
          theirsValue: 'Ahoy!',
          type: 'modify',
        },
      ],
    })
  })

  test('AG34 a picture is there once it is set, merges by itself, and leaves no trace when it is taken away', async () => {
    const [branch, other] = [await newBranch(), await newBranch()]
    const [settings, onMain] = [at(branch, '/response-settings'), at('main', '/response-settings')]
    const first = { greeting: 'Hello', languageCode: 'en-GB', voiceId: null, modelId: null }
    const avatarUrl = 'https://cdn.example.com/a.png'
    const versionOf = async (merged: string) => {
      expect((await call(`POST ${at(merged, '/merge')}`)).status).toBe(200)
      const { json } = await call(`GET /v1/agents/${agent}/deployments/active`)
      return textIn(json, 'activeDeployments', 'sandbox', 'version')
    }
    const bare = await versionOf(await newBranch())
    for (const none of ['', null])
      expect(await call(`PATCH ${settings}`, { avatarUrl: none })).toEqual({ status: 200, json: first })
    expect(await call(`PATCH ${settings}`, { avatarUrl })).toEqual({
      status: 200,
      json: { ...first, avatarUrl },
    })
    await call(`PATCH ${at(other, '/response-settings')}`, { greeting: 'Ahoy!' })
    expect(await versionOf(branch)).not.toBe(bare)
    expect((await call(`POST ${at(other, '/merge')}`)).status).toBe(200)
    expect((await call(`GET ${onMain}`)).json).toEqual({ ...first, greeting: 'Ahoy!', avatarUrl })
    const away = await newBranch()
    await call(`PATCH ${at(away, '/response-settings')}`, { avatarUrl: null, greeting: 'Hello' })
    expect(await versionOf(away)).toBe(bare)
    expect((await call(`GET ${onMain}`)).json).toEqual(first)
  })

  test.each([
    ['of another scheme', 'javascript:alert(1)'],
    ['of the file system', 'file:///a.png'],
    ['of no host', '/a.png'],
    ['longer than 2,048 characters.', `https://a.example/${'x'.repeat(2_048)}`],
    ['that is no text', 7],
  ])('AG34 an address of a picture %s is refused, and nothing is written', async (_, avatarUrl) => {
    const settings = at(await newBranch(), '/response-settings')
    const { status, json } = await call(`PATCH ${settings}`, { avatarUrl, greeting: 'Other' })
    expect([status, textIn(json, 'error_code')]).toEqual([400, 'SCHEMA_VALIDATION_FAILED'])
    expect((await call(`GET ${settings}`)).json).toMatchObject({ greeting: 'Hello' })
  })

  const phrases = {
    de: {
      unknown: 'Das weiß ich leider nicht.',
      smallTalk: [{ to: ['moin', 'servus'], says: 'Moin! Was kann ich tun?' }],
    },
    'de-AT': { silence: 'Wie bitte?' },
  }

  test('AG524 phrases are changed as a whole, merge by themselves, and leave no trace when they are taken away', async () => {
    const [branch, other] = [await newBranch(), await newBranch()]
    const settings = at(branch, '/response-settings')
    const first = { greeting: 'Hello', languageCode: 'en-GB', voiceId: null, modelId: null }
    for (const none of [{}, null])
      expect(await call(`PATCH ${settings}`, { phrases: none })).toEqual({ status: 200, json: first })
    expect(await call(`PATCH ${settings}`, { phrases })).toEqual({
      status: 200,
      json: { ...first, phrases },
    })
    const stale = await call(`PATCH ${settings}`, { phrases: {}, expected: { phrases: null } })
    expect([stale.status, textIn(stale.json, 'error_code')]).toEqual([409, 'CONTENT_CHANGED'])
    await call(`PATCH ${at(other, '/response-settings')}`, { greeting: 'Ahoy!' })
    for (const merged of [branch, other])
      expect((await call(`POST ${at(merged, '/merge')}`)).status).toBe(200)
    const onMain = `GET ${at('main', '/response-settings')}`
    expect((await call(onMain)).json).toEqual({ ...first, greeting: 'Ahoy!', phrases })
    const away = await newBranch()
    await call(`PATCH ${at(away, '/response-settings')}`, { phrases: null, expected: { phrases } })
    expect((await call(`POST ${at(away, '/merge')}`)).status).toBe(200)
    expect((await call(onMain)).json).toEqual({ ...first, greeting: 'Ahoy!' })
  })

  test.each([
    ['a language that is none', { 'not a code': { unknown: 'What?' } }],
    ['a phrase that is none', { de: { nothing: 'What?' } }],
    ['a blank phrase', { de: { unknown: '  ' } }],
    ['a phrase that is too long', { de: { unknown: 'x'.repeat(2_001) } }],
    ['a language without phrases', { de: {} }],
    ['small talk with nothing to answer', { de: { smallTalk: [{ to: [], says: 'Hi' }] } }],
    ['small talk without an answer', { de: { smallTalk: [{ to: ['hi'] }] } }],
    ['no object', 'Hi'],
  ])('AG524 phrases with %s are refused, and nothing is written', async (_, wrong) => {
    const settings = at(await newBranch(), '/response-settings')
    const { status, json } = await call(`PATCH ${settings}`, { phrases: wrong, greeting: 'Other' })
    expect([status, textIn(json, 'error_code')]).toEqual([400, 'SCHEMA_VALIDATION_FAILED'])
    expect((await call(`GET ${settings}`)).json).toMatchObject({ greeting: 'Hello' })
  })

  test('HT14 topics are created, listed, read, changed and deleted', async () => {
    const branch = await newBranch()
    const body = { name: 'Parking', content: 'Behind.', exampleQueries: { queries: ['Where do I park?'] } }
    const created = await call(`POST ${at(branch, topics)}`, body)
    const topic = { id: expect.stringMatching(/^TOPIC-/), ...body, actions: '', isActive: true }
    expect(created).toEqual({ status: 201, json: topic })
    const one = at(branch, `${topics}/${textIn(created.json, 'id')}`)
    expect(await call(`PATCH ${one}`, { isActive: false })).toEqual({ status: 204, json: null })
    expect(await call(`GET ${one}`)).toEqual({ status: 200, json: { ...topic, isActive: false } })
    expect((await call(`GET ${at(branch, topics)}`)).json).toEqual([{ ...topic, isActive: false }])
    const again = await call(`POST ${at(branch, topics)}`, body)
    expect(again).toEqual({ status: 409, json: error('KNOWLEDGE_BASE_TOPIC_ALREADY_EXISTS') })
    expect(await call(`DELETE ${one}`)).toEqual({ status: 204, json: null })
    expect(await call(`GET ${one}`)).toEqual({ status: 404, json: error('TOPIC_NOT_FOUND') })
  })

  test('attributes and variants are created, listed, read, changed and deleted', async () => {
    const branch = await newBranch()
    const created = await call(`POST ${at(branch, '/attributes')}`, { name: 'hotel' })
    const id = textIn(created.json, 'id')
    expect(created).toEqual({ status: 201, json: { id, name: 'hotel' } })
    const renamed = await call(`PATCH ${at(branch, `/attributes/${id}`)}`, { name: 'hotel_name' })
    expect(renamed).toEqual({ status: 200, json: { id, name: 'hotel_name' } })
    expect((await call(`GET ${at(branch, '/attributes')}`)).json).toEqual({
      attributes: [{ id, name: 'hotel_name' }],
    })
    expect((await call(`GET ${at(branch, `/attributes/${id}`)}`)).json).toEqual({ id, name: 'hotel_name' })

    const attributeValues = { values: { [id]: 'Grand' } }
    const variant = await call(`POST ${at(branch, '/variants')}`, { name: 'grand', attributeValues })
    const variantId = textIn(variant.json, 'id')
    const shown = { id: variantId, name: 'grand', isDefault: false, attributeValues }
    expect(variant).toEqual({ status: 201, json: shown })
    const one = at(branch, `/variants/${variantId}`)
    const changed = await call(`PATCH ${one}`, { isDefault: true })
    expect(changed).toEqual({ status: 200, json: { ...shown, isDefault: true } })
    expect((await call(`GET ${one}`)).json).toEqual({ ...shown, isDefault: true })
    expect((await call(`GET ${at(branch, '/variants')}`)).json).toEqual({
      variants: expect.arrayContaining([{ ...shown, isDefault: true }]),
    })
    expect(await call(`DELETE ${one}`)).toEqual({ status: 400, json: error('VARIANTS_REMOVE_DEFAULT_ERROR') })
    expect(await call(`DELETE ${at(branch, `/attributes/${id}`)}`)).toEqual({ status: 200, json: { id } })
    expect((await call(`GET ${one}`)).json).toMatchObject({ attributeValues: { values: {} } })
  })
})

describe('deployments on the wire', () => {
  const deploymentsPath = () => `/v1/agents/${agent}/deployments`
  const active = async () => (await call(`GET ${deploymentsPath()}/active`)).json

  /** Merges one topic. */
  async function merge(body?: object) {
    const branch = await newBranch()
    await call(`POST ${at(branch, topics)}`, { name: `topic ${branch}`, content: 'c' })
    return call(`POST ${at(branch, '/merge')}`, body)
  }

  test('a merge without a body deploys to sandbox', async () => {
    expect(await active()).toEqual({ activeDeployments: { sandbox: null, 'pre-release': null, live: null } })
    const message = 'Branch merged to main and deployed to sandbox'
    expect(await merge()).toEqual({ status: 200, json: { sequence: '2', message, testRunIds: [] } })
    const shown = await active()
    expect(shown).toMatchObject({ activeDeployments: { sandbox: { environment: 'sandbox' }, live: null } })
  })

  test('AG40 a deployment shows who made it, how, from what and why', async () => {
    await merge({ deploymentMessage: 'First' })
    const { json } = await call(`GET ${deploymentsPath()}?environment=sandbox`)
    const deployment = {
      id: expect.stringMatching(/^DEPLOYMENT-/),
      accountId: 'ws-one',
      agentId: agent,
      environment: 'sandbox',
      artifactVersion: '2',
      version: expect.stringMatching(/^[0-9a-f]{64}$/),
      createdBy: expect.stringMatching(/^KEY-/),
      createdAt: TIME,
      metadata: { deployment_message: 'First', deployment_type: 'merge' },
    }
    expect(json).toEqual({ deployments: [deployment] })
  })

  test('AG40 publish, then promote and roll back', async () => {
    const published = await call(`POST ${deploymentsPath()}/publish`, { deploymentMessage: 'Go' })
    expect(published).toMatchObject({
      status: 201,
      json: { testRunIds: [], deployment: { environment: 'sandbox' } },
    })
    const again = await call(`POST ${deploymentsPath()}/publish`)
    expect(again).toEqual({ status: 409, json: error('DEPLOYMENTS_ALREADY_PUBLISHED') })
    const one = `${deploymentsPath()}/${textIn(published.json, 'deployment', 'id')}`
    const version = textIn(published.json, 'deployment', 'version')
    const promoted = await call(`POST ${one}/promote`)
    const staged = { environment: 'pre-release', version, metadata: { deployment_type: 'promotion' } }
    expect(promoted).toMatchObject({ status: 200, json: { deployment: staged, testRunIds: [] } })
    const live = await call(`POST ${one}/promote`, { targetEnvironment: 'live' })
    expect(live).toMatchObject({ status: 200, json: { deployment: { environment: 'live', version } } })
    const back = await call(`POST ${one}/rollback`, { deploymentMessage: 'Back' })
    const metadata = { deployment_message: 'Back', deployment_type: 'rollback' }
    const restored = { environment: 'sandbox', version, metadata }
    expect(back).toMatchObject({ status: 200, json: { deployment: restored, testRunIds: [] } })
  })

  test.each([
    ['POST', '/publish', { environment: 'moon' }, 400, 'DEPLOYMENTS_INVALID_ENVIRONMENT'],
    ['POST', '/nope/promote', {}, 404, 'DEPLOYMENT_NOT_FOUND'],
    ['POST', '/nope/promote', { targetEnvironment: 'moon' }, 400, 'DEPLOYMENTS_INVALID_TARGET'],
    ['POST', '/nope/rollback', {}, 404, 'DEPLOYMENT_NOT_FOUND'],
    ['GET', '', undefined, 400, 'DEPLOYMENTS_INVALID_ENVIRONMENT'],
    ['GET', '?environment=moon', undefined, 400, 'DEPLOYMENTS_INVALID_ENVIRONMENT'],
    ['GET', '?environment=live&limit=0', undefined, 400, 'SCHEMA_VALIDATION_FAILED'],
    ['GET', '?environment=live&limit=1001', undefined, 400, 'SCHEMA_VALIDATION_FAILED'],
  ])('AG40 %s deployments%s %j is %i', async (method, path, body, status, code) => {
    const answer = await call(`${method} ${deploymentsPath()}${path}`, body)
    expect(answer).toEqual({ status, json: error(code) })
  })

  test('AG40 a target that is not later is 400', async () => {
    await merge()
    const id = textIn(await active(), 'activeDeployments', 'sandbox', 'id')
    const answer = await call(`POST ${deploymentsPath()}/${id}/promote`, { targetEnvironment: 'sandbox' })
    expect(answer).toEqual({ status: 400, json: error('DEPLOYMENTS_INVALID_TARGET') })
  })

  /** A topic that main and a branch changed to different queries. */
  async function disputed() {
    const seed = await newBranch()
    const topic = await call(`POST ${at(seed, topics)}`, { name: 'Pool', content: 'c' })
    await call(`POST ${at(seed, '/merge')}`)
    const id = textIn(topic.json, 'id')
    const [one, two] = [await newBranch(), await newBranch()]
    await call(`PATCH ${at(one, `${topics}/${id}`)}`, { exampleQueries: { queries: ['ours'] } })
    await call(`PATCH ${at(two, `${topics}/${id}`)}`, { exampleQueries: { queries: ['theirs'] } })
    await call(`POST ${at(one, '/merge')}`)
    return { two, id }
  }

  test('AG5 conflicts are in the envelope, in the shapes that topics have', async () => {
    const { two, id } = await disputed()
    const path = ['topics', 'Pool', 'exampleQueries']
    const conflict = {
      path,
      baseValue: { queries: [] },
      oursValue: { queries: ['ours'] },
      theirsValue: { queries: ['theirs'] },
      type: 'modify',
    }
    const refused = await call(`POST ${at(two, '/merge')}`)
    const body = { hasConflicts: true, conflicts: [conflict], errors: [] }
    expect(refused).toEqual({ status: 400, json: error('MERGE_CONFLICTS') })
    expect(refused.json).toMatchObject(body)
    const conflictResolutions = [{ path, strategy: 'theirs', value: { queries: ['both'] } }]
    expect((await call(`POST ${at(two, '/merge')}`, { conflictResolutions })).status).toBe(200)
    const merged = await call(`GET ${at('main', `${topics}/${id}`)}`)
    expect(merged.json).toMatchObject({ exampleQueries: { queries: ['both'] } })
  })

  test('AG19 the diff shows both sides, in the shapes that topics have', async () => {
    const { two } = await disputed()
    await call(`PATCH ${at(two, '/behavior')}`, { behavior: 'Be kind.' })
    const conflict = {
      path: ['topics', 'Pool', 'exampleQueries'],
      baseValue: { queries: [] },
      oursValue: { queries: ['ours'] },
      theirsValue: { queries: ['theirs'] },
      type: 'modify',
    }
    const own = { path: ['behavior'], baseValue: '', oursValue: '', theirsValue: 'Be kind.', type: 'modify' }
    const before = await call(`GET ${at(two, '')}`)
    const diff = await call(`GET ${at(two, '/diff')}`)
    expect(diff).toEqual({
      status: 200,
      json: {
        branchVersion: '3',
        baseRevision: '2',
        mainRevision: '3',
        changes: expect.arrayContaining([conflict, own]),
        mainChanges: [conflict],
        hasConflicts: true,
        conflicts: [conflict],
      },
    })
    expect(await call(`GET ${at(two, '')}`)).toEqual(before)
    const none = { changes: [], mainChanges: [], hasConflicts: false, conflicts: [] }
    const ofMain = await call(`GET ${at('main', '/diff')}`)
    const versions = { branchVersion: '3', baseRevision: '3', mainRevision: '3' }
    expect(ofMain).toEqual({ status: 200, json: { ...versions, ...none } })
  })

  test.each([
    ['ours', ['ours']],
    ['theirs', ['theirs']],
    ['base', []],
  ])("AG14 a conflict settled for %s leaves that side's value: ours is main", async (strategy, queries) => {
    const { two, id } = await disputed()
    const conflictResolutions = [{ path: ['topics', 'Pool', 'exampleQueries'], strategy }]
    expect((await call(`POST ${at(two, '/merge')}`, { conflictResolutions })).status).toBe(200)
    const merged = await call(`GET ${at('main', `${topics}/${id}`)}`)
    expect(merged.json).toMatchObject({ exampleQueries: { queries } })
  })

  test('AG14 a resolution for a path that does not conflict is 400', async () => {
    const { two } = await disputed()
    const conflictResolutions = [{ path: ['topics', 'Pool', 'content'], strategy: 'ours' }]
    const answer = await call(`POST ${at(two, '/merge')}`, { conflictResolutions })
    expect(answer).toEqual({ status: 400, json: error('MERGE_INVALID_RESOLUTION') })
  })
})
