import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineFunction } from '../../src/usecases/conversation/functions/define-function.ts'
import { recorded, refusal, textOf } from './replay-support.ts'
import { AGENT, createBench } from './support.ts'

/** An agent that is wrong about breakfast. */
async function wrongAgent() {
  const bench = await createBench({
    functions: {
      book: defineFunction({
        description: 'Books a table.',
        parameters: z.object({}),
        execute(conversation) {
          conversation.say('Booked.')
          conversation.setVariable('table', 7)
          return 'ok'
        },
      }),
    },
    script: {
      greeting: 'Welcome.',
      async otherwise(turn) {
        if (!textOf(turn).includes('table')) return [{ type: 'topic', name: 'Bar', cited: true }, 'At noon.']
        await turn.callFunction('book', {})
        return ''
      },
    },
  })
  const { ids } = await recorded(bench, ['When is\nbreakfast?', 'Sure?', 'A table, please.'])
  const { agents } = bench.platform
  const { id: branchId } = await agents.createBranch(AGENT, { branchName: 'work' })
  const make = (input: object) =>
    agents.testCases.createFromConversation(AGENT, branchId, { conversationId: ids[0] ?? '', ...input })
  return { ...bench, agents, branchId, make }
}

const RIGHT = { contains: ['7 to 10'], notContains: ['noon'] }

test('TE89 a case has the messages up to the last expected one, and no expectation but those that are given', async () => {
  const { make, agents, branchId, platform } = await wrongAgent()
  const made = await make({ expected: [{ message: 2, expectations: RIGHT }] })
  expect(made).toMatchObject({
    name: 'When is breakfast?',
    turns: [
      { text: 'When is\nbreakfast?', expectations: {} },
      { text: 'Sure?', expectations: RIGHT },
    ],
  })
  expect(JSON.stringify(made.turns)).not.toMatch(/At noon|Bar/)
  const { id } = await agents.startTestRun(AGENT, { branchId })
  await platform.idle()
  expect((await agents.testRuns.read(AGENT, id)).run.status).toBe('failed')
})

test('TE89 it has the results that functions had, so that nothing is called', async () => {
  const { make } = await wrongAgent()
  const expected = [{ message: 3, expectations: { function: { name: 'book' }, contains: ['Booked.'] } }]
  expect((await make({ name: 'Books', expected })).functionResults).toEqual({
    book: { result: 'ok', say: 'Booked.', variables: { table: 7 } },
  })
  const functionResults = { book: { error: 'Full.' } }
  expect(await make({ name: 'Full', expected, functionResults })).toMatchObject({ functionResults })
})

test('TE89 the whole talk is a visitor, whose goal is the first message unless another is given', async () => {
  const { make } = await wrongAgent()
  const visitor = { wants: ['7 to 10'], expectations: { goal: 'reached', never: ['noon'], handoff: {} } }
  const { visitor: made, turns } = await make({ visitor })
  expect(turns).toEqual([])
  expect(made).toMatchObject({ goal: 'When is\nbreakfast?', ...visitor, maxTurns: 10 })
  const goal = 'Breakfast times?'
  expect(await make({ name: 'Other', visitor: { ...visitor, goal } })).toMatchObject({ visitor: { goal } })
})

test('TE89 what should have happened is asked, and nothing is made without it', async () => {
  const { make, agents, branchId } = await wrongAgent()
  const invalid = refusal('SCHEMA_VALIDATION_FAILED')
  const one = { message: 1, expectations: RIGHT }
  for (const input of [
    {},
    { expected: [] },
    { expected: [{ message: 1, expectations: {} }] },
    { expected: [{ message: 0, expectations: RIGHT }] },
    { expected: [{ message: 4, expectations: RIGHT }] },
    { expected: [one, one] },
    { expected: [one], visitor: { expectations: { goal: 'reached' } } },
    { visitor: { expectations: {} } },
    { visitor: { expectations: { goal: 'reached' }, talks: 2, mustPass: 3 } },
  ])
    await expect(make(input)).rejects.toThrow(invalid)
  await expect(make({ expected: [one], conversationId: 'other' })).rejects.toThrow(
    refusal('CONVERSATIONS_NOT_FOUND'),
  )
  expect(await agents.testCases.list(AGENT, branchId)).toEqual([])
})

test('TE89 of a long conversation the 50 messages up to the last expected one are taken', async () => {
  const bench = await createBench()
  const said = Array.from({ length: 60 }, (_, at) => `Message ${at + 1}`)
  const { ids } = await recorded(bench, said)
  const { agents } = bench.platform
  const { id: branchId } = await agents.createBranch(AGENT, { branchName: 'work' })
  const make = (...messages: number[]) =>
    agents.testCases.createFromConversation(AGENT, branchId, {
      conversationId: ids[0] ?? '',
      expected: messages.map(message => ({ message, expectations: RIGHT })),
    })
  await expect(make(5, 55)).rejects.toThrow(refusal('SCHEMA_VALIDATION_FAILED'))
  const { turns } = await make(6, 55)
  expect(turns.map(({ text }) => text)).toEqual(said.slice(5, 55))
  expect(turns.flatMap(({ expectations }, at) => (expectations.contains ? [at] : []))).toEqual([0, 49])
})

test('TE89 a debug chat can become one, a conversation of another agent cannot', async () => {
  const { agents, make, platform } = await wrongAgent()
  const agent = await agents.find(AGENT)
  if (agent === null) throw new Error('There is no agent.')
  const { state } = await platform.debugChat.start(agent, { environment: 'live' })
  await platform.debugChat.send(agent, state.id, { environment: 'live', message: 'Is it open?' })
  const one = { message: 1, expectations: RIGHT }
  expect(await make({ conversationId: state.id, expected: [one] })).toMatchObject({ name: 'Is it open?' })
  const other = await agents.create({ accountId: agent.accountId, name: 'Other', greeting: 'Hi' })
  const { id: elsewhere } = await agents.createBranch(other.id, { branchName: 'work' })
  const foreign = { conversationId: state.id, expected: [one] }
  await expect(agents.testCases.createFromConversation(other.id, elsewhere, foreign)).rejects.toThrow(
    refusal('CONVERSATIONS_NOT_FOUND'),
  )
})
