import { openVisitor } from '@colloquy/test-support/visitor'
import { expect, it } from 'vitest'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform } from '../../src/platform.ts'
import { createLocalBus } from '../../src/system/local-bus.ts'
import { createFakeClock, createScriptedRuntime, START } from '../../src/testing/index.ts'
import type { EarlierConversation } from '../../src/usecases/records/import-conversations.ts'

/** Two processes over one store with an agent that is live. */
async function setUp() {
  const clock = createFakeClock()
  const store = createMemoryStore()
  const open = () =>
    createPlatform({
      ...{ store, clock, bus: createLocalBus(), rateLimits: null },
      runtime: createScriptedRuntime({}, clock),
    })
  const [here, there] = [open(), open()]
  const { accountId, agentId } = await openVisitor(here, clock)
  const scope = { accountId, agentId, environment: 'live' as const }
  const record = async (id: string) => {
    const found = await here.reading.record(accountId, agentId, id)
    return found === null ? null : { ...found.summary.value, turns: found.turns?.value }
  }
  return { here, there, scope, record }
}

const turn = (number: number) => ({
  turnId: `turn ${number}`,
  userInput: `question ${number}`,
  userInputAt: START - 60_000 + number * 1_000,
  agentResponse: `answer ${number}`,
})

const earlier = (id: string, more: Partial<EarlierConversation> = {}): EarlierConversation => ({
  ...{ conversationId: id, channel: 'CHAT', startedAt: START - 60_000 },
  ...{ turns: [turn(0), turn(1)], end: { finishedAt: START - 1_000 } },
  ...more,
})

const all = (length: number) => Array.from({ length }, (_, at) => earlier(`old ${at}`.replace(' ', '-')))

it('RC248 conversations with turns and ends are recorded, and told of in their order', async () => {
  const { here, scope, record } = await setUp()
  const conversations = all(100)
  expect(await here.conversations.import({ ...scope, conversations })).toEqual(
    conversations.map(({ conversationId }) => ({ conversationId, status: 'recorded', error: null })),
  )
  expect(await record('old-99')).toMatchObject({
    ...{ id: 'old-99', channel: 'CHAT', num_turns: 2, in_progress: false },
    turns: [{ user_input: 'question 0' }, { user_input: 'question 1' }],
  })
})

it('RC248 made again, also at once and from elsewhere, everything is a duplicate', async () => {
  const { here, there, scope, record } = await setUp()
  const conversations = all(40)
  await Promise.all([
    here.conversations.import({ ...scope, conversations }),
    there.conversations.import({ ...scope, conversations }),
  ])
  const before = await record('old-7')
  const again = await there.conversations.import({ ...scope, conversations })
  expect(again.map(({ status }) => status)).toEqual(conversations.map(() => 'duplicate'))
  expect(await record('old-7')).toEqual(before)
  expect(before).toMatchObject({ num_turns: 2, in_progress: false })
})

it.each<readonly [string, Partial<EarlierConversation>, RegExp]>([
  ['a channel of no letters', { channel: '' }, /^The field "channel" is not valid: must not be empty/],
  [
    'a turn before 1970',
    { turns: [turn(0), { ...turn(1), userInputAt: -1 }] },
    /^In turns\.1: The field "userInputAt" /,
  ],
  ['an end in the future', { end: { finishedAt: START + 1e9 } }, /^In end: finishedAt: must not lie in/],
  [
    'turns beyond the bytes',
    { turns: [{ ...turn(0), userInput: 'x'.repeat(3e5) }] },
    /^In turns\.0: value: /,
  ],
])('RC248 one with %s is named and not begun, and the others are recorded', async (_, more, words) => {
  const { here, scope, record } = await setUp()
  const conversations = [earlier('one'), earlier('bad', more), earlier('two')]
  expect(await here.conversations.import({ ...scope, conversations })).toEqual([
    { conversationId: 'one', status: 'recorded', error: null },
    {
      conversationId: 'bad',
      status: 'refused',
      error: { code: 'SCHEMA_VALIDATION_FAILED', message: expect.stringMatching(words) },
    },
    { conversationId: 'two', status: 'recorded', error: null },
  ])
  expect(await record('bad')).toBeNull()
})

it('RC248 what only the store can tell keeps what came before, and the corrected one continues', async () => {
  const { here, scope, record } = await setUp()
  const late = { ...turn(1), userInputAt: START - 70_000, agentResponseAt: START - 70_000 }
  const bad = [earlier('one', { turns: [turn(0), late] })]
  expect(await here.conversations.import({ ...scope, conversations: bad })).toMatchObject([
    {
      status: 'refused',
      error: { code: 'SCHEMA_VALIDATION_FAILED', message: expect.stringMatching(/^In turns\.1: /) },
    },
  ])
  expect(await record('one')).toMatchObject({ num_turns: 1, in_progress: true })
  await here.conversations.import({ ...scope, conversations: [earlier('one')] })
  expect(await record('one')).toMatchObject({ num_turns: 2, in_progress: false })
})

it('RC248 a list beyond its bounds, and an unknown agent, are refused as a whole', async () => {
  const { here, scope, record } = await setUp()
  const turns = Array.from({ length: 10_000 }, (_, number) => turn(number))
  const lists = [
    [],
    all(1_001),
    all(6).map(one => ({ ...one, turns })),
    [earlier('one'), earlier('one')],
    [earlier('one', { turns: [turn(0), turn(0)] })],
  ]
  for (const conversations of lists)
    await expect(here.conversations.import({ ...scope, conversations })).rejects.toThrow(
      expect.objectContaining({
        code: 'SCHEMA_VALIDATION_FAILED',
        message: expect.stringMatching(/^The field "conversations.*" is not valid: must /),
      }),
    )
  const other = { ...scope, agentId: 'AGENT-none', conversations: [earlier('one')] }
  await expect(here.conversations.import(other)).rejects.toMatchObject({ code: 'PROJECT_NOT_FOUND' })
  expect(await record('one')).toBeNull()
})

it('RC248 a conversation of more turns than one write has is recorded in their order', async () => {
  const { here, scope, record } = await setUp()
  const turns = Array.from({ length: 120 }, (_, number) => ({
    ...turn(0),
    turnId: `${number}`,
    userInput: `${number}`,
  }))
  const begun = [earlier('one', { turns: turns.slice(0, 70), end: { finishedAt: START } })]
  await here.conversations.start({
    ...scope,
    conversationId: 'one',
    channel: 'CHAT',
    startedAt: START - 60_000,
  })
  for (const one of turns.slice(0, 3))
    await here.conversations.recordTurn({ ...one, agentId: scope.agentId, conversationId: 'one' })
  const conversations = begun.map(one => ({ ...one, turns }))
  expect(await here.conversations.import({ ...scope, conversations })).toMatchObject([{ status: 'recorded' }])
  const kept = await record('one')
  expect(kept?.turns?.map(({ user_input }) => user_input)).toEqual(turns.map(({ turnId }) => turnId))
})
