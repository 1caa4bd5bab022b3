import { keepingChanges } from '@colloquy/test-support/keeping-changes'
import { openVisitor } from '@colloquy/test-support/visitor'
import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform } from '../../src/platform.ts'
import type { ConversationAppend } from '../../src/ports/store/conversations.ts'
import { createLocalBus } from '../../src/system/local-bus.ts'
import { createFakeClock, createScriptedRuntime } from '../../src/testing/index.ts'

/** A visitor with a connection to each of two processes, over a store that writes only changes where it may. */
async function open() {
  const clock = createFakeClock()
  const store = keepingChanges(createMemoryStore())
  const { append } = store.conversations
  const appends: ConversationAppend[] = []
  store.conversations.append = async write => {
    const result = await append(write)
    if (result.status === 'appended') appends.push(write)
    return result
  }
  const runtime = createScriptedRuntime(
    {
      greeting: 'Welcome.',
      messages: {
        order: [{ type: 'variable', key: 'order', value: 'x'.repeat(2_000) }, 'Noted.'],
        bye: ['Bye.', { type: 'end' }],
      },
      otherwise: 'I see.',
    },
    clock,
  )
  const shared = { store, clock, bus: createLocalBus(), runtime, rateLimits: null }
  const here = await openVisitor(createPlatform(shared), clock)
  const there = await here.reconnect(createPlatform(shared))
  await here.join()
  /** Which of the writes that a call has made were of changes alone. */
  const during = async (call: () => Promise<void>) => {
    const before = appends.length
    await call()
    return appends.slice(before).map(({ changes }) => (changes === null ? 'whole' : 'changes'))
  }
  return { store, here, there, appends, during }
}

describe('the state in an append', () => {
  test('turns of a conversation that one process holds write what has changed', async () => {
    const { appends, during, here } = await open()
    for (let turn = 0; turn < 20; turn++)
      expect(await during(() => here.say(`message ${turn}`))).toEqual(['changes', 'changes'])
    const { changes, index } = appends.at(-1) ?? {}
    expect(index).toBeNull()
    expect(JSON.stringify(changes).length).toBeLessThan(400)
  })

  test('a process writes whole what it has not written itself, and changes from then on', async () => {
    const { during, here, store, there } = await open()
    for (let round = 0; round < 5; round++) {
      expect(await during(() => there.say(`there ${round}`))).toEqual(['whole', 'changes'])
      expect(await during(() => there.say(`again ${round}`))).toEqual(['changes', 'changes'])
      expect(await during(() => here.say(`here ${round}`))).toEqual(['whole', 'changes'])
    }
    expect(store.partial()).toBeGreaterThan(20)
    expect(here.texts('AI_AGENT_MESSAGE')).toEqual(there.texts('AI_AGENT_MESSAGE'))
    expect(here.texts('AI_AGENT_MESSAGE')).toHaveLength(16)
  })

  test('a message that took effect before leaves what is kept as it is', async () => {
    const { during, here, there } = await open()
    await here.say('once', 'c-1')
    expect(await during(() => there.say('once', 'c-1'))).toEqual([])
    expect(await during(() => here.say('once', 'c-1'))).toEqual([])
    expect(await during(() => here.say('twice', 'c-2'))).toEqual(['changes', 'changes'])
  })

  test('what is long is written once, with the whole state', async () => {
    const { during, here } = await open()
    expect(await during(() => here.say('order'))).toEqual(['changes', 'whole'])
    expect(await during(() => here.say('and then'))).toEqual(['changes', 'changes'])
  })

  test('the end is written whole', async () => {
    const { during, here } = await open()
    expect(await during(() => here.say('bye'))).toEqual(['changes', 'whole'])
  })
})
