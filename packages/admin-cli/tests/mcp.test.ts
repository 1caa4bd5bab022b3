import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { createPlatform, silentLog } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { createSequentialIds } from '@colloquy/core/testing'
import { createRequestListener } from '@colloquy/http-express'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { programAt } from '../../../scripts/programs/program.ts'
import { bounded } from '../src/mcp/serve.ts'
import { adminTools } from '../src/mcp/tools.ts'
import { admin } from './support.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** A server with an agent that knows when breakfast is. */
async function openHotel() {
  const platform = createPlatform({
    store: createMemoryStore(),
    runtime: createRetrievalRuntime(),
    ids: createSequentialIds(),
    ...{ log: silentLog, rateLimits: null, onError: () => undefined },
  })
  const server = createServer(createRequestListener(platform)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await platform.close()
  })
  const account = await platform.access.createAccount({ slug: 'hotel', name: 'The hotel' })
  const agent = await platform.agents.create({
    accountId: account.id,
    name: 'Front desk',
    greeting: 'Welcome!',
  })
  const branch = await platform.agents.createBranch(agent.id, { branchName: 'first' })
  await platform.agents.createTopic(agent.id, branch.id, {
    ...{ name: 'Breakfast', content: 'Breakfast is from 7 to 10.', exampleQueries: ['When is breakfast?'] },
  })
  await platform.agents.testCases.create(agent.id, branch.id, {
    name: 'Breakfast hours',
    turns: [{ text: 'When is breakfast?', expectations: { contains: ['7 to 10'] } }],
  })
  await platform.agents.merge(agent.id, branch.id)
  const { secret } = await platform.access.createApiKey({ kind: 'workspace', accountId: account.id })
  const address = z.object({ port: z.number() }).parse(server.address())
  return { platform, agent, key: secret, url: `http://127.0.0.1:${address.port}`, accountId: account.id }
}

/** A real client of the program; `more` are its options. */
async function connect(url: string, env: Record<string, string>, more: readonly string[] = []) {
  const client = new Client({ name: 'an assistant', version: '1' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...programAt('packages/admin-cli/src/main.ts'), 'mcp', '--url', url, ...more],
    env,
    stderr: 'inherit',
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  async function call(name: string, args: Record<string, unknown> = {}) {
    const { content, isError = false } = await client.callTool({ name, arguments: args })
    const [block] = content
    if (block?.type !== 'text') throw new Error('The answer is no text.')
    return { text: block.text, isError }
  }
  return { client, call }
}

describe('tools of the route table', () => {
  test('CL30 each is named, described, and has a schema; what may lose something is marked', () => {
    const tools = new Map(adminTools().map(tool => [tool.name, tool]))
    expect(tools.size).toBeGreaterThan(80)
    for (const { name, description, inputSchema } of tools.values()) {
      expect(name).toMatch(/^[a-zA-Z0-9]{1,64}$/)
      expect(description.length).toBeGreaterThan(20)
      expect(JSON.stringify(inputSchema)).not.toContain('#/components')
    }
    const hints = (name: string) => {
      const { readOnlyHint, destructiveHint } = tools.get(name)?.annotations ?? {}
      return [readOnlyHint, destructiveHint]
    }
    expect(['listTopics', 'createTopic', 'updateTopic', 'deleteTopic', 'mergeBranch'].map(hints)).toEqual([
      [true, false],
      [false, false],
      [false, false],
      [false, true],
      [false, true],
    ])
    expect(tools.get('createTopic')).toMatchObject({
      description:
        'Add a topic to a branch. (POST /v1/agents/{agentId}/branches/{branchId}/knowledge-base/topics)',
      inputSchema: {
        required: ['agentId', 'branchId', 'body'],
        properties: { body: { required: ['name', 'content'] } },
      },
    })
  })

  test('CL30 what answers with a secret, with bytes or for a visitor is no tool', () => {
    const names = adminTools().map(({ name }) => name)
    const openapi: unknown = JSON.parse(readFileSync(`${ROOT}packages/core/openapi.json`, 'utf8'))
    const paths = z
      .looseObject({
        paths: z.record(z.string(), z.record(z.string(), z.looseObject({ operationId: z.string() }))),
      })
      .parse(openapi).paths
    for (const operation of Object.values(paths).flatMap(methods => Object.values(methods))) {
      const examples = JSON.stringify(z.looseObject({ responses: z.unknown() }).parse(operation).responses)
      const tells = /"(secret|token|contextKey|password)":"[^"]{8,}"/i.test(examples)
      if (tells) expect(names).not.toContain(operation.operationId)
    }
    for (const name of [
      'createApiKey',
      'readAgentConversationAudio',
      'issueAccessToken',
      'respondToChat',
      'postEvents',
    ])
      expect(names).not.toContain(name)
  })

  test('CL30 a long answer is cut in whole characters, and says what to do', () => {
    expect(bounded('short', 1_000)).toBe('short')
    const cut = bounded('ü'.repeat(5_000), 1_001)
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(1_001)
    expect(cut).toMatch(/^ü+\n… cut at 1001 of 10000 bytes\. Ask for less/)
  })
})

test('CL30 without --write an assistant reads, and is refused in words what it may not', async () => {
  const { agent, key, url, accountId } = await openHotel()
  const { client, call } = await connect(url, { COLLOQUY_WORKSPACE_KEY: key })
  const { tools } = await client.listTools()
  expect(tools.some(({ name }) => name === 'listAccounts')).toBe(false)
  expect((await call('listAgents', { accountId })).text).toContain('Front desk')
  const refused = await call('createBranch', { agentId: agent.id, body: { branchName: 'mine' } })
  expect(refused).toEqual({
    isError: true,
    text: 'createBranch changes something, and this server only reads. Start it as `colloquy-admin mcp --write` to allow it.',
  })
  expect((await call('listBranches', { agentId: agent.id })).text).not.toContain('mine')
  expect(await call('readAgent', { agentId: 'PROJECT-NONE' })).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^[A-Z_]+: readAgent: /),
  })
  const wrong = await call('readAgent', { agent: 'PROJECT-NONE' }).catch((error: Error) => ({
    text: error.message,
  }))
  expect(wrong.text).toMatch(/agentId/)
})

test('CL30 without a key, an address or a server it says so, and shows no key', async () => {
  expect(await admin(['mcp', '--url', 'http://127.0.0.1:1'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('COLLOQUY_WORKSPACE_KEY'),
  })
  expect(await admin(['--database', 'x.db', 'mcp'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--url'),
  })
  const env = { COLLOQUY_WORKSPACE_KEY: 'cq_ws_a-key-of-nobody' }
  expect(await admin(['mcp', '--url', 'http://127.0.0.1:1', '--max-output', '5'], { env })).toMatchObject({
    code: 2,
  })
  const { call } = await connect('http://127.0.0.1:1', env)
  const { text, isError } = await call('listAlertRules')
  expect({ text, isError }).toEqual({ isError: true, text: expect.stringMatching(/^NO_ANSWER: /) })
  expect(text).not.toContain('nobody')
})

const found = z.record(z.string(), z.unknown())

/** The id of the first entry of a list. */
const idIn = (answer: unknown): string | undefined => /"id":"([^"]+)"/.exec(JSON.stringify(answer))?.[1]

test('with --write an assistant edits on a branch, tests and merges, as the guide shows it', async () => {
  const { agent, key, url, platform } = await openHotel()
  const { call } = await connect(url, { COLLOQUY_WORKSPACE_KEY: key }, ['--write'])
  const lines: string[] = []
  const shorter = (text: string): string =>
    text.replace(/"\d{4}-\d\d-\d\dT[^"]*"/g, '"…"').replace(/[0-9a-f]{32,}/g, '…')
  /** Calls a tool, and shows these fields of its answer. */
  async function step(name: string, args: Record<string, unknown>, fields?: readonly string[]) {
    const { text, isError } = await call(name, args)
    const answer: unknown = isError || text === 'Done.' ? text : JSON.parse(text)
    const one = found.safeParse(answer)
    const shown =
      one.success && fields !== undefined
        ? Object.fromEntries(fields.map(field => [field, one.data[field]]))
        : answer
    lines.push(`> ${name} ${JSON.stringify(args)}`, shorter(JSON.stringify(shown)), '')
    return one.success ? one.data : { list: answer }
  }
  const agentId = agent.id
  const { branchId } = await step('createBranch', { agentId, body: { branchName: 'later-breakfast' } }, [
    'branchId',
  ])
  const topicId = idIn(await step('listTopics', { agentId, branchId }))
  const content = 'Breakfast is from 8 to 11.'
  await step('updateTopic', { agentId, branchId, topicId, body: { content } })
  const testCaseId = idIn(await step('listTestCases', { agentId, branchId }))
  const turns = [{ text: 'When is breakfast?', expectations: { contains: ['8 to 11'] } }]
  await step('updateTestCase', { agentId, branchId, testCaseId, body: { turns } })
  await step('diffBranch', { agentId, branchId }, ['changes', 'hasConflicts'])
  const merged = await step(
    'mergeBranch',
    { agentId, branchId, body: { deploymentMessage: 'Later breakfast' } },
    ['message', 'testRunIds'],
  )
  const testRunId = z.array(z.string()).parse(merged.testRunIds)[0]
  const status = async () =>
    found.parse(JSON.parse((await call('readTestRun', { agentId, testRunId })).text)).status
  await expect.poll(status).not.toBe('running')
  await step('readTestRun', { agentId, testRunId }, ['status', 'testCases'])
  const chat = await platform.debugChat.start(agent, { environment: 'sandbox' })
  const { turn } = await platform.debugChat.send(agent, chat.state.id, {
    environment: 'sandbox',
    message: 'When is breakfast?',
  })
  expect(turn.record.agent_response).toBe('Breakfast is from 8 to 11.')
  const guide = readFileSync(`${ROOT}docs/guides/mcp-server.md`, 'utf8')
  const [, shown] = /^```text transcript\n(.*?)^```$/ms.exec(guide) ?? []
  expect(`${lines.join('\n').trim()}\n`).toBe(shown)
})
