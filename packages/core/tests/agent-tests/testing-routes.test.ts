import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { request } from '../support/request.ts'
import { AGENT, aCase, createBench, mergeCases } from './support.ts'

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
const idSchema = z.looseObject({ id: z.string() })

/** A branch with two cases, one of which fails, and calls over HTTP with a key of the agent's account. */
async function open() {
  let speaks = Promise.resolve()
  const script = {
    greeting: 'Welcome.',
    otherwise: async () => {
      await speaks
      return ['Yes.']
    },
  }
  const bench = await createBench({ script })
  const { platform } = bench
  const { agents, access } = platform
  await mergeCases(platform, aCase('says yes'))
  await platform.idle()
  await bench.clock.advance(1)
  const { id: branchId } = await agents.createBranch(AGENT, { branchName: 'work' })
  const failing = await agents.testCases.create(AGENT, branchId, {
    name: 'calls',
    turns: [
      { text: 'Look', expectations: { function: { name: 'look', arguments: { at: 1 } }, contains: ['no'] } },
    ],
  })
  const accountId = (await agents.find(AGENT))?.accountId ?? ''
  const key = await access.createApiKey({ kind: 'workspace', accountId })
  const other = await access.createApiKey({
    kind: 'workspace',
    accountId: (await access.createAccount({ slug: 'two', name: 'Two' })).id,
  })
  const dispatcher = createDispatcher(platform, routes)
  onTestFinished(() => platform.idle())
  const call = async (line: string, body?: unknown, secret = key.secret) => {
    const [method, path] = line.split(' ')
    const asked = { headers: { 'x-api-key': secret }, ...(body === undefined ? {} : { body }) }
    const answer = await dispatcher.handle(request(`${method} /v1/agents/${AGENT}/testing${path}`, asked))
    const json: unknown = JSON.parse(answer.body ?? 'null')
    return { status: answer.status, json }
  }
  /** Lets the agent say nothing until it is told to go on, however long a call takes on its way. */
  const hold = () => {
    let goOn = (): void => {}
    speaks = new Promise(resolve => {
      goOn = resolve
    })
    return () => goOn()
  }
  return { ...bench, branchId, failing, call, hold, other: other.secret }
}

const OF_BRANCH = {
  agentId: AGENT,
  error: null,
  deploymentId: null,
  startedBy: expect.stringMatching(/^KEY-/),
}

test('TE20 a run on a branch is triggered, listed, read and in the history, in the words of the field’s kits', async () => {
  const { platform, branchId, failing, call, hold } = await open()
  const goOn = hold()
  const triggered = await call('POST /test-runs/trigger', { branchId })
  const { id } = idSchema.parse(triggered.json)
  const begun = { id, branchId, ...OF_BRANCH, testCaseCount: 2, startedAt: TIME }
  const none = { passedCount: 0, failedCount: 0, errorCount: 0 }
  expect(triggered).toEqual({
    status: 201,
    json: { ...begun, ...none, status: 'running', finishedAt: null, test_case_count: 2 },
  })
  expect((await call(`GET /test-runs/${id}`)).json).toMatchObject({ status: 'running', testHistory: [] })
  goOn()
  await platform.idle()
  const run = {
    ...begun,
    ...{ status: 'completed', passedCount: 1, failedCount: 1, errorCount: 0, finishedAt: TIME },
  }
  expect(await call(`GET /test-runs?limit=1&offset=0&branchId=${branchId}`)).toEqual({
    status: 200,
    json: { testRuns: [run], limit: 1, offset: 0 },
  })
  const one = { testRunId: id, error: null, startedAt: TIME }
  const look = '{"name":"look","arguments":{"at":1}}'
  const failed = {
    ...one,
    testCaseId: failing.id,
    testCaseSnapshot: { name: 'calls' },
    status: 'failed',
    results: {
      prompt_assertion_results: [
        { prompt: 'Turn 1: The reply contains ["no"]', is_pass: false, reason: 'It was: Yes.' },
      ],
      function_call_failures: [
        { name: 'look', is_pass: false, failure_reason: `Turn 1 expected ${look}. It was: []`, error: '' },
      ],
    },
    rawConversation: { turns: [{ user_input: 'Look', agent_response: 'Yes.', function_calls: [] }] },
  }
  const passed = {
    ...one,
    testCaseId: expect.stringMatching(/^TESTCASE-/),
    testCaseSnapshot: { name: 'says yes' },
    status: 'passed',
    results: {
      prompt_assertion_results: [{ prompt: 'Turn 1: The reply contains ["yes"]', is_pass: true, reason: '' }],
      function_call_failures: [],
    },
    rawConversation: { turns: [{ user_input: 'Is it?', agent_response: 'Yes.', function_calls: [] }] },
  }
  expect(await call(`GET /test-runs/${id}`)).toEqual({
    status: 200,
    json: { ...run, testHistory: [failed, passed] },
  })
  expect(await call(`GET /test-history?branchId=${branchId}&testCaseId=${failing.id}`)).toEqual({
    status: 200,
    json: { testHistory: [failed], limit: 100, offset: 0 },
  })
})

test('TE20 runs of deployments are among them, by offset, and none is of a test set', async () => {
  const { branchId, call, clock, platform } = await open()
  for (let count = 0; count < 2; count++) {
    await call('POST /test-runs/trigger', { branchId })
    await clock.advance(1)
  }
  await platform.idle()
  const first = await call('GET /test-runs?limit=2')
  expect(first.json).toMatchObject({
    testRuns: [{ branchId }, { branchId }],
    limit: 2,
    offset: 0,
    next_offset: 2,
  })
  const last = await call('GET /test-runs?limit=2&offset=2')
  expect(last.json).toEqual({
    testRuns: [
      expect.objectContaining({ branchId: null, deploymentId: expect.stringMatching(/^DEPLOYMENT-/) }),
    ],
    ...{ limit: 2, offset: 2 },
  })
  expect((await call('GET /test-runs?offset=9007199254740991')).json).toMatchObject({ testRuns: [] })
  expect((await call('GET /test-runs?testSetId=SET-1')).json).toEqual({ testRuns: [], limit: 100, offset: 0 })
  expect((await call('GET /test-history?limit=3')).json).toMatchObject({
    testHistory: [{}, {}, {}],
    ...{ limit: 3, offset: 0, next_offset: 3 },
  })
  expect((await call('GET /test-history?limit=3&offset=3')).json).toEqual({
    testHistory: [expect.anything(), expect.anything()],
    ...{ limit: 3, offset: 3 },
  })
})

test('TE251 and TE20 the cases that were not run because the branch has changed count as errors', async () => {
  const { branchId, call, hold, platform } = await open()
  const goOn = hold()
  const { id } = idSchema.parse((await call('POST /test-runs/trigger', { branchId })).json)
  await platform.agents.deleteBranch(AGENT, branchId)
  goOn()
  await platform.idle()
  expect((await call(`GET /test-runs/${id}`)).json).toMatchObject({
    ...{ status: 'errored', testCaseCount: 2, passedCount: 0, failedCount: 0, errorCount: 2 },
    error: expect.stringMatching(/edited, merged or deleted/),
  })
})

test('TE20 what cannot be run or read is refused in words, and another account’s key as elsewhere', async () => {
  const { branchId, call, other } = await open()
  const refused = [
    ['POST /test-runs/trigger', { branchId: 'BRANCH-none' }, 404, 'BRANCH_NOT_FOUND'],
    ['POST /test-runs/trigger', { branchId, testCaseIds: ['none'] }, 404, 'TEST_CASE_NOT_FOUND'],
    ['POST /test-runs/trigger', { branchId, testCaseIds: [] }, 400, 'SCHEMA_VALIDATION_FAILED'],
    ['POST /test-runs/trigger', { testCaseIds: Array(1_001).fill('a') }, 400, 'SCHEMA_VALIDATION_FAILED'],
    ['GET /test-runs/none', undefined, 404, 'TEST_RUN_NOT_FOUND'],
    ['GET /test-runs?limit=0', undefined, 400, 'SCHEMA_VALIDATION_FAILED'],
    ['GET /test-runs?limit=1001', undefined, 400, 'SCHEMA_VALIDATION_FAILED'],
    ['GET /test-history?offset=-1', undefined, 400, 'SCHEMA_VALIDATION_FAILED'],
  ] as const
  for (const [line, body, status, error_code] of refused)
    expect(await call(line, body), line).toMatchObject({ status, json: { error_code } })
  for (const line of ['GET /test-runs', 'GET /test-history', 'POST /test-runs/trigger'])
    expect(await call(line, line.startsWith('POST') ? {} : undefined, other), line).toMatchObject({
      status: 403,
      json: { error_code: 'USER_ACCESS_FORBIDDEN' },
    })
})
