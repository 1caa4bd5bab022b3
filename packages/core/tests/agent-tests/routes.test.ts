import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { request } from '../support/request.ts'
import { AGENT, type BenchOptions, createBench } from './support.ts'

const textSchema = z.looseObject({ id: z.string().optional(), branchId: z.string().optional() })
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)

/** Calls over HTTP with a key of the agent's account. */
async function open(options: BenchOptions = {}) {
  const bench = await createBench(options)
  const { platform } = bench
  const agent = await platform.agents.find(AGENT)
  const key = await platform.access.createApiKey({ kind: 'workspace', accountId: agent?.accountId ?? '' })
  const dispatcher = createDispatcher(platform, routes)
  onTestFinished(() => platform.idle())
  const call = async (line: string, body?: unknown) => {
    const asked = { headers: { 'x-api-key': key.secret }, ...(body === undefined ? {} : { body }) }
    const [method, path] = line.split(' ')
    const answer = await dispatcher.handle(request(`${method} /v1/agents/${AGENT}${path}`, asked))
    const json: unknown = JSON.parse(answer.body ?? 'null')
    return { status: answer.status, json }
  }
  const { branchId } = textSchema.parse((await call('POST /branches', { branchName: 'work' })).json)
  return { ...bench, call, branch: `/branches/${branchId}` }
}

const CASE = { name: 'Says yes', turns: [{ text: 'Is it?', expectations: { contains: ['yes'] } }] }

test('TE1 test cases are written, read and removed over HTTP, in the shapes in which they came', async () => {
  const { call, branch } = await open()
  const shown = { ...CASE, visitor: null, functionResults: {}, variantId: null, isActive: true }
  const made = await call(`POST ${branch}/test-cases`, { ...CASE, unknown: 1 })
  const id = textSchema.parse(made.json).id ?? ''
  expect(made).toEqual({ status: 201, json: { id, ...shown } })
  const one = `${branch}/test-cases/${id}`
  const functionResults = { look: { result: [1, { a: null }], variables: { seen: true } } }
  expect(await call(`PATCH ${one}`, { functionResults, isActive: false })).toEqual({
    status: 204,
    json: null,
  })
  const changed = { id, ...shown, functionResults, isActive: false }
  expect(await call(`GET ${one}`)).toEqual({ status: 200, json: changed })
  expect(await call(`GET ${branch}/test-cases`)).toEqual({ status: 200, json: [changed] })
  const { json } = await call(`GET ${branch}/diff`)
  expect(json).toMatchObject({
    changes: expect.arrayContaining([
      {
        path: ['test_cases', 'Says yes', 'functionResults'],
        baseValue: null,
        oursValue: null,
        theirsValue: functionResults,
        type: 'add',
      },
    ]),
  })
  expect(await call(`DELETE ${one}`)).toEqual({ status: 204, json: null })
  expect(await call(`GET ${branch}/test-cases`)).toEqual({ status: 200, json: [] })
})

test('TE20 the run of a merge is listed, read with its verdicts, and begun once more', async () => {
  const { call, branch, platform } = await open()
  const made = await call(`POST ${branch}/test-cases`, CASE)
  const merged = await call(`POST ${branch}/merge`)
  const { testRunIds } = z.looseObject({ testRunIds: z.tuple([z.string()]) }).parse(merged.json)
  const [id] = testRunIds
  const running = await call(`GET /test-runs/${id}`)
  expect(running.json).toMatchObject({ id, status: 'running', finishedAt: null, results: [] })
  await platform.idle()
  const active = await platform.agents.activeDeployments(AGENT)
  const run = {
    id,
    agentId: AGENT,
    deploymentId: active.sandbox?.id,
    environment: 'sandbox',
    artifactVersion: '2',
    version: active.sandbox?.version,
    status: 'passed',
    error: null,
    testCases: { total: 1, passed: 1, failed: 0, errored: 0 },
    branchId: null,
    testers: null,
    startedBy: expect.stringMatching(/^KEY-/),
    startedAt: TIME,
    finishedAt: TIME,
  }
  expect(await call('GET /test-runs')).toEqual({ status: 200, json: { testRuns: [run], cursor: null } })
  const turn = {
    text: 'Is it?',
    reply: 'Yes.',
    retrievedTopics: [],
    citedTopic: '',
    functionEvents: [],
    handoff: null,
    ended: false,
    verdicts: [{ expectation: 'contains', passed: true, expected: ['yes'], actual: 'Yes.' }],
  }
  const result = {
    testCaseId: textSchema.parse(made.json).id,
    name: CASE.name,
    status: 'passed',
    error: null,
  }
  expect(await call(`GET /test-runs/${id}`)).toEqual({
    status: 200,
    json: { ...run, results: [{ ...result, turns: [turn] }] },
  })
  const again = await call('POST /test-runs', { deploymentId: active.sandbox?.id })
  expect(again).toMatchObject({ status: 201, json: { status: 'running', deploymentId: active.sandbox?.id } })
  const promoted = await call(`POST /deployments/${active.sandbox?.id}/promote`)
  expect(promoted.json).toMatchObject({ testRunIds: [expect.stringMatching(/^TESTRUN-/)] })
  const staged = (await platform.agents.activeDeployments(AGENT))['pre-release']?.id
  const ofOne = await call(`GET /test-runs?deploymentId=${staged}&limit=1`)
  expect(ofOne.json).toMatchObject({ testRuns: [{ environment: 'pre-release' }], cursor: null })
})

test('TE30 a promotion that the tests forbid is 412, with the run that failed', async () => {
  const { call, branch, platform } = await open({ requirePassingTests: ['live'] })
  const turns = [{ text: 'Is it?', expectations: { contains: ['no'] } }]
  await call(`POST ${branch}/test-cases`, { ...CASE, turns })
  await call(`POST ${branch}/merge`)
  await platform.idle()
  const [run] = (await platform.agents.testRuns.list(AGENT)).testRuns
  const refused = await call(`POST /deployments/${run?.deploymentId}/promote`, { targetEnvironment: 'live' })
  expect(refused).toMatchObject({
    status: 412,
    json: { error_code: 'DEPLOYMENTS_TESTS_NOT_PASSED', testRunId: run?.id, success: false },
  })
  const published = await call('POST /deployments/publish', { environment: 'live' })
  expect(published).toMatchObject({ status: 412, json: { testRunId: run?.id } })
})

test('TE80 and TE84 a visitor who talks back is written, run and read with its talks over HTTP', async () => {
  const { call, branch, platform } = await open()
  const visitor = { goal: 'Is it?', expectations: { goal: 'reached', contains: ['yes'] } }
  const made = await call(`POST ${branch}/test-cases`, { name: 'Talks back', visitor })
  const whole = { ...visitor, facts: {}, maxTurns: 10, talks: 1 }
  expect(made).toMatchObject({ status: 201, json: { turns: [], visitor: whole } })
  await call(`POST ${branch}/merge`, {})
  await platform.idle()
  const { testRuns } = z
    .object({ testRuns: z.array(z.looseObject({ id: z.string() })) })
    .parse((await call('GET /test-runs')).json)
  expect(testRuns[0]).toMatchObject({ status: 'passed', testers: { visitor: 'plain 1', judge: null } })
  expect(await call(`GET /test-runs/${testRuns[0]?.id}`)).toMatchObject({
    status: 200,
    json: {
      results: [{ turns: [], talks: [{ status: 'passed', error: null, turns: [{ text: 'Is it?' }] }] }],
    },
  })
  const testing = await call(`GET /testing/test-runs/${testRuns[0]?.id}`)
  expect(JSON.stringify(testing.json)).toContain("Talk 1: The visitor's goal is reached")
  const refused = await call(`POST ${branch}/test-cases`, { name: 'Neither' })
  expect(refused).toMatchObject({ status: 400 })
})
