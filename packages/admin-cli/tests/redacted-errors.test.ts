import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inspect } from 'node:util'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import {
  createPatternRedactor,
  createPlatform,
  defineFunction,
  type Guard,
  type PlatformOptions,
  type Redactor,
} from '@colloquy/core'
import {
  aNewEndpoint,
  createFakeClock,
  createScriptedRuntime,
  type Script,
  START,
} from '@colloquy/core/testing'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { admin, temporaryFile } from './support.ts'

const IBAN = 'de89 3704 0044 0532 0130 00'
const SECRETS = [IBAN, IBAN.replaceAll(' ', ''), '3704', '0532']

/** Throws words that a redactor takes out, in its message, its stack and its cause. */
const fail = (): never => {
  throw new Error(`no account for ${IBAN}`, { cause: new Error(`nobody has ${IBAN}`) })
}

const SCRIPT: Script = {
  greeting: 'Welcome.',
  async otherwise({ callFunction, input, kind }) {
    const text = input.type === 'message' ? input.text : ''
    if (text === 'break') fail()
    const { error } = await callFunction('find', { name: 'Ann' })
    return `${kind}: ${error === null ? 'found' : 'not found'}`
  },
}

/** All bytes of the files of a store. */
const bytesOf = (filename: string): string =>
  readdirSync(dirname(filename))
    .map(name => join(dirname(filename), name))
    .filter(existsSync)
    .map(file => readFileSync(file).toString('latin1'))
    .join('')

/** A platform of which every function of the host fails with private words, and all that it tells. */
async function begin(redactor: Redactor, options: Partial<PlatformOptions> = {}) {
  const clock = createFakeClock(START)
  const filename = temporaryFile()
  const told: unknown[] = []
  const write = (...given: readonly unknown[]): void => void told.push(given)
  const find = defineFunction({
    ...{ description: 'Finds an account.', parameters: z.object({ name: z.string() }), callInTests: true },
    execute: fail,
  })
  const platform = createPlatform({
    store: createSqliteStore({ filename }),
    ...{ clock, redactor, rateLimits: null, functions: { find } },
    runtime: createScriptedRuntime(SCRIPT, clock),
    log: { debug: write, info: write, warn: write, error: write },
    telemetry: {
      begin(operation) {
        write('span', operation)
        return { set: write, within: work => work(), end: write }
      },
      measure: write,
    },
    testVisitor: { version: '1', say: fail },
    replayJudge: { version: '1', compare: fail },
    webhookSender: {
      objection: () => null,
      async send({ body }) {
        write('webhook', body)
        return fail()
      },
    },
    ...options,
  })
  onTestFinished(() => platform.close())
  const { access, agents, chat } = platform
  const { id: accountId } = await access.createAccount({ slug: 'hotel', name: 'The hotel' })
  const { id: agentId } = await agents.create({ accountId, name: 'Desk', greeting: 'Welcome!' })
  const live = await agents.publish(agentId, { environment: 'live' })
  await platform.webhooks.createEndpoint(accountId, aNewEndpoint())
  const { connector } = await access.createConnector({
    ...{ accountId, agentId, environment: 'live', hosts: ['hotel.example'] },
  })
  async function visit(message: string): Promise<void> {
    const { conversationId } = await chat.create(connector, {})
    const reply = chat.respond(connector, { conversationId, message }).catch(write)
    await clock.settle()
    await reply
    await chat.close(connector, conversationId)
    await clock.settle()
  }
  async function settle(): Promise<void> {
    for (let at = 0; at < 20; at++) {
      await clock.settle()
      await clock.advance(1_000)
    }
    await platform.idle()
  }
  return { accountId, agentId, clock, filename, live, platform, settle, told, visit }
}

/** Lets everything fail that can. */
async function failEverywhere({ agentId, live, platform, settle, visit }: Awaited<ReturnType<typeof begin>>) {
  const { agents } = platform
  for (const text of ['Find me', 'break']) await visit(text)
  const branch = await agents.createBranch(agentId, { branchName: 'Tests' })
  const visitor = {
    ...{ goal: 'Know', facts: {}, wants: ['an answer'], maxTurns: 2, talks: 1 },
    expectations: { goal: 'reached' },
  } as const
  await agents.testCases.create(agentId, branch.id, { name: 'Talk', visitor })
  await agents.testCases.create(agentId, branch.id, {
    ...{ name: 'Fixed', turns: ['Find me', 'break'].map(text => ({ text, expectations: {} })) },
  })
  const run = await agents.startTestRun(agentId, { branchId: branch.id })
  const replays = []
  for (const mode of ['recorded_history', 'live_history'] as const)
    replays.push(await agents.startReplay(agentId, { deploymentId: live.id, mode }))
  await settle()
  const { results } = await agents.testRuns.read(agentId, run.id)
  const reports = []
  for (const { id } of replays)
    reports.push([await agents.replay(agentId, id), await agents.replayTurns(agentId, id)])
  return { reports, results }
}

/** It lets greetings pass, without which no conversation begins. */
const guard: Guard = { judge: ({ text }) => (text === 'Welcome.' ? { verdict: 'allow' } : fail()) }

const OPTIONS: Readonly<Record<string, Partial<PlatformOptions>>> = {
  'what they call': {},
  'a guard': { guard },
  'a source of functions': { functionSources: { functions: fail } },
  'a guard whose failures let words pass': { guard, guardFailure: 'allow' },
  onError: { onError: fail },
}

test.each(Object.entries(OPTIONS))(
  'RD8 nothing that %s throws is in the log, the store, spans, webhooks and what the tool prints',
  async (_, options) => {
    const bench = await begin(createPatternRedactor(), options)
    const read = await failEverywhere(bench)
    await bench.platform.close()
    const { filename, told } = bench
    const file = temporaryFile()
    const printed = [
      await admin(['--database', filename, 'audit', 'list', '--json']),
      await admin(['export', file, '--from', filename]),
      readFileSync(file, 'utf8'),
    ]
    expect(printed).toMatchObject([{ code: 0 }, { code: 0 }, expect.stringContaining('"record":')])
    const everything = { read, told, printed }
    const text = inspect(everything, { depth: 20, maxStringLength: null, maxArrayLength: null })
    expect(text).toContain('no account for [iban]')
    expect(text).toContain('The visitor failed: no account for [iban]')
    for (const secret of SECRETS) {
      expect(text).not.toContain(secret)
      expect(bytesOf(filename)).not.toContain(secret)
    }
  },
)

test('RD8 words that the redactor does not read are withheld, also in the record of a turn', async () => {
  const redactor: Redactor = {
    redact(text) {
      if (text.includes('account')) throw new Error(text)
      return { text, found: {} }
    },
  }
  const bench = await begin(redactor)
  await failEverywhere(bench)
  await bench.platform.close()
  const lines = inspect(bench.told, { depth: 20, maxArrayLength: null })
  expect(lines).toContain("{ function: 'find', error: '[withheld]' }")
  for (const text of [lines, bytesOf(bench.filename)]) expect(text).not.toContain('account for')
})
