import { wakesAt } from '@colloquy/test-support/stored'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { RuntimeTurn } from '../../src/ports/agent-runtime.ts'
import type { ScriptedSteps } from '../../src/testing/index.ts'
import { defineFunction } from '../../src/usecases/conversation/functions/define-function.ts'
import { AGENT, aCase, createBench, mergeCases, resultOf, runOf } from './support.ts'

const turn = (text: string, expectations = {}) => ({ text, expectations })

/** A function that notes its calls. */
function watched(more: { readonly callInTests?: boolean } = {}) {
  const calls: unknown[] = []
  const called = defineFunction({
    description: 'A function with effects outside.',
    parameters: z.object({ nights: z.number().exactOptional() }),
    ...more,
    execute(_conversation, args) {
      calls.push(args)
      return 'done'
    },
  })
  return { called, calls }
}

/** What the agent says after it has called a function. */
const calling =
  (name: string) =>
  async (given: RuntimeTurn): Promise<ScriptedSteps> => {
    const { error } = await given.callFunction(name, {})
    return error === null ? ' That is all.' : ' That did not work.'
  }

describe('a test case', () => {
  test('TE10 is a conversation with the deployment: greeted, turn by turn, in its environment', async () => {
    const seen: unknown[] = []
    const { platform } = await createBench({
      script: {
        greeting: given => {
          seen.push([given.kind, given.input.type, given.environment, given.deploymentId])
          return 'Welcome.'
        },
        otherwise: async given => {
          const history = await given.history(10)
          const said = history.map(({ text }) => text).join(' | ')
          seen.push([given.kind, given.input.type, given.environment, given.deploymentId])
          return [{ type: 'topic', name: 'Hours', cited: true }, `I heard: ${said}`]
        },
      },
    })
    const turns = [turn('One'), turn('Two', { contains: ['welcome', 'One |'], citedTopic: 'Hours' })]
    const { run, result } = await resultOf(platform, aCase('talk', { turns }))
    expect(run).toMatchObject({ status: 'passed', environment: 'sandbox', counts: { total: 1, passed: 1 } })
    expect(result).toMatchObject({ name: 'talk', status: 'passed', error: null })
    const quiet = { retrievedTopics: ['Hours'], citedTopic: 'Hours', functionEvents: [], ended: false }
    expect(result.turns).toMatchObject([
      { text: 'One', reply: 'I heard: Welcome.', ...quiet, handoff: null, verdicts: [] },
      { text: 'Two', reply: 'I heard: Welcome. | One | I heard: Welcome.', ...quiet },
    ])
    expect(result.turns[1]?.verdicts.map(({ passed }) => passed)).toEqual([true, true])
    const about = ['test', 'message', 'sandbox', run.deploymentId]
    expect(seen).toEqual([['test', 'greeting', ...about.slice(2)], about, about])
  })

  test('TE10 speaks as its variant, with the real-time config of the environment', async () => {
    const { platform } = await createBench({
      script: {
        greeting: 'Hi',
        otherwise: ({ variant, realTimeConfig }) => `${variant?.name} ${String(realTimeConfig.open)}`,
      },
    })
    const { agents } = platform
    await agents.updateRealTimeConfigVariables(AGENT, 'sandbox', { open: true })
    const branch = await agents.createBranch(AGENT, { branchName: 'work' })
    const other = await agents.createVariant(AGENT, branch.id, { name: 'Old Mill' })
    const expecting = (text: string) => [turn('Who?', { contains: [text] })]
    await agents.testCases.create(AGENT, branch.id, aCase('a', { turns: expecting('default true') }))
    const mill = aCase('b', { turns: expecting('Old Mill true'), variantId: other.id })
    await agents.testCases.create(AGENT, branch.id, mill)
    const id = runOf(await agents.merge(AGENT, branch.id))
    await platform.idle()
    expect((await agents.testRuns.read(AGENT, id)).run).toMatchObject({
      status: 'passed',
      counts: { total: 2, passed: 2 },
    })
  })

  test('TE10 is in no list, no figure and no webhook, and leaves no conversation', async () => {
    const { platform, store, clock } = await createBench()
    const agent = await platform.agents.find(AGENT)
    const accountId = agent?.accountId ?? 'none'
    const told: unknown[] = []
    const { append, create } = store.conversations
    store.conversations.create = async write => {
      told.push([write.index.listed, write.outbox])
      return create(write)
    }
    store.conversations.append = async write => {
      told.push([write.state.listed, write.outbox])
      return append(write)
    }
    await mergeCases(platform, aCase('a'), aCase('b'))
    await platform.idle()
    expect(told.length).toBeGreaterThan(6)
    expect(new Set(told.map(one => JSON.stringify(one)))).toEqual(new Set(['[false,{}]']))
    expect(await wakesAt(store.conversations, null)).toBe(true)
    const removed = await platform.conversations.purge({ olderThan: clock.now() + 1, accountId })
    expect(removed).toEqual({ conversations: 0 })
  })

  test('TE10 that names a variant which is gone has failed, and says so', async () => {
    const { platform } = await createBench()
    const { agents } = platform
    const branch = await agents.createBranch(AGENT, { branchName: 'work' })
    const { id } = await agents.createVariant(AGENT, branch.id, { name: 'other' })
    await agents.testCases.create(AGENT, branch.id, aCase('a', { variantId: id }))
    await agents.deleteVariant(AGENT, branch.id, id)
    const runId = runOf(await agents.merge(AGENT, branch.id))
    await platform.idle()
    const { run, results } = await agents.testRuns.read(AGENT, runId)
    expect(run.status).toBe('failed')
    expect(results).toMatchObject([
      { status: 'failed', error: `The deployment has no variant ${id}.`, turns: [] },
    ])
  })

  test('TE10 whose conversation ends while the visitor has more to say has failed', async () => {
    const { platform } = await createBench({
      script: { greeting: 'Hi', messages: { Bye: ['Bye.', { type: 'end' }] }, otherwise: 'Yes.' },
    })
    const turns = [turn('Hello'), turn('Bye', { ends: true }), turn('Still there?')]
    const { run, result } = await resultOf(platform, aCase('a', { turns }))
    expect(run.status).toBe('failed')
    expect(result).toMatchObject({
      status: 'failed',
      error: 'Turn 2 ended the conversation, and the visitor had more to say.',
      turns: [{ reply: 'Yes.' }, { reply: 'Bye.', ended: true, verdicts: [{ passed: true }] }],
    })
  })

  test.each([
    ['The greeting failed: Sorry, I', { messages: { One: 'Yes.' } }, 0],
    ['Turn 2 failed: Sorry, I', { greeting: 'Hi', messages: { One: 'Yes.' } }, 1],
  ])('TE10 whose agent fails has errored: %s', async (error, script, turns) => {
    const { platform } = await createBench({ script })
    const { run, result } = await resultOf(platform, aCase('a', { turns: [turn('One'), turn('Two')] }))
    expect(run).toMatchObject({ status: 'errored', error: null, counts: { total: 1, errored: 1 } })
    expect(result).toMatchObject({ status: 'errored', error: expect.stringContaining(error) })
    expect(result.turns).toHaveLength(turns)
  })

  test('TE10 whose reply takes longer than a turn may has errored', async () => {
    const { platform, clock } = await createBench({
      script: { greeting: 'Hi', otherwise: [{ type: 'wait', milliseconds: 120_000 }, 'Yes.'] },
    })
    const id = runOf(await mergeCases(platform, aCase('a')))
    for (let passed = 0; passed < 70_000; passed += 1_000) await clock.advance(1_000)
    await platform.idle()
    const { results } = await platform.agents.testRuns.read(AGENT, id)
    expect(results).toMatchObject([{ status: 'errored', error: expect.stringMatching(/^Turn 1 failed/) }])
  })

  test('TE12 whose reply is not as expected has failed, with what was expected and what came', async () => {
    const { platform } = await createBench()
    const turns = [turn('Is it?', { contains: ['no'], ends: false })]
    const { run, result } = await resultOf(platform, aCase('a', { turns }))
    expect(run).toMatchObject({ status: 'failed', counts: { total: 1, passed: 0, failed: 1, errored: 0 } })
    expect(result.turns[0]?.verdicts).toEqual([
      { expectation: 'contains', passed: false, expected: ['no'], actual: 'Yes.' },
      { expectation: 'ends', passed: true, expected: false, actual: false },
    ])
  })

  test('TE13 calls no function of the host that is not marked for it, and says so', async () => {
    const { called, calls } = watched()
    const { platform } = await createBench({
      functions: { pay: called },
      script: { greeting: 'Hi', otherwise: calling('pay') },
    })
    const turns = [turn('Pay', { function: { name: 'pay' }, contains: ['did not work'] })]
    const { result } = await resultOf(platform, aCase('a', { turns }))
    expect(result.status).toBe('passed')
    expect(result.turns[0]?.functionEvents).toMatchObject([
      { name: 'pay', error: expect.stringMatching(/^pay was not called: .*callInTests/) },
    ])
    expect(calls).toEqual([])
  })

  test('TE13 gives results in the place of functions, also of those that are marked', async () => {
    const [plain, marked] = [watched(), watched({ callInTests: true })]
    const { platform } = await createBench({
      functions: { pay: plain.called, look: marked.called },
      script: {
        greeting: 'Hi',
        messages: { Pay: calling('pay'), Look: calling('look') },
        otherwise: ({ variables }) => `State ${JSON.stringify(variables)}`,
      },
    })
    const functionResults = {
      pay: { result: { paid: true }, say: 'Paid.', variables: { paid: 3 } },
      look: { error: 'No light' },
    }
    const turns = [turn('Pay'), turn('Look'), turn('What do you know?')]
    const { result } = await resultOf(platform, aCase('a', { turns, functionResults }))
    expect(result.turns).toMatchObject([
      { reply: 'Paid. That is all.', functionEvents: [{ name: 'pay', result: { paid: true }, error: null }] },
      { reply: ' That did not work.', functionEvents: [{ name: 'look', result: null, error: 'No light' }] },
      { reply: 'State {"paid":3}', functionEvents: [] },
    ])
    expect([plain.calls, marked.calls]).toEqual([[], []])
  })

  test('TE13 calls a function that is marked, and hides none that is missing', async () => {
    const { called, calls } = watched({ callInTests: true })
    const { platform } = await createBench({
      functions: { look: called },
      script: {
        greeting: 'Hi',
        messages: { Look: calling('look'), Pay: calling('pay') },
      },
    })
    const turns = [turn('Look'), turn('Pay')]
    const { result } = await resultOf(platform, aCase('a', { turns, functionResults: { pay: {} } }))
    expect(result.turns).toMatchObject([
      { functionEvents: [{ name: 'look', result: 'done', error: null }] },
      { functionEvents: [{ name: 'pay', error: 'There is no function named pay.' }] },
    ])
    expect(calls).toEqual([{}])
  })

  test('TE13 arguments are checked as ever, also where a result is given', async () => {
    const { called, calls } = watched({ callInTests: true })
    const { platform } = await createBench({
      functions: { look: called },
      script: {
        greeting: 'Hi',
        otherwise: async given => (await given.callFunction('look', { nights: 'two' })).error ?? 'none',
      },
    })
    const turns = [
      turn('Look', { contains: ['nights'], function: { name: 'look', arguments: { nights: 'two' } } }),
    ]
    const { result } = await resultOf(
      platform,
      aCase('a', { turns, functionResults: { look: { result: 1 } } }),
    )
    expect(result.status).toBe('passed')
    expect(calls).toEqual([])
  })

  test('TE10 that is handed off ends there, and no live agent hears of it', async () => {
    const requests: unknown[] = []
    const { platform } = await createBench({
      functions: { fetch: watched().called },
      script: {
        greeting: 'Hi',
        messages: { Person: ['Wait.', { type: 'handoff', destination: 'reception', reason: 'asked' }] },
        otherwise: calling('fetch'),
      },
      liveAgents: () => ({
        request: async handoff => void requests.push(handoff),
        forward: async handoff => void requests.push(handoff),
        cancel: async handoff => void requests.push(handoff),
        visitorTyping: async handoff => void requests.push(handoff),
      }),
    })
    const toReception = { handoff: { destination: 'reception' }, ends: true }
    const said = aCase('said', { turns: [turn('Person', toReception)] })
    const called = aCase('called', {
      turns: [turn('Anything', toReception)],
      functionResults: { fetch: { handoff: { destination: 'reception', reason: 'asked' } } },
    })
    const id = runOf(await mergeCases(platform, said, called))
    await platform.idle()
    expect((await platform.agents.testRuns.read(AGENT, id)).run.status).toBe('passed')
    expect(requests).toEqual([])
  })
})
