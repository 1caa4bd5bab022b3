import { createNetwork } from '@colloquy/test-support/network'
import { openVisitor } from '@colloquy/test-support/visitor'
import { expect, it } from 'vitest'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform } from '../../src/platform.ts'
import { silentLog } from '../../src/ports/log.ts'
import type { Store } from '../../src/ports/store/store.ts'
import { createFakeClock } from '../../src/testing/index.ts'

/** Two processes over one store, a visitor who waits for a reply, and a look at how often the state is read. */
async function setUp() {
  const clock = createFakeClock()
  const memory = createMemoryStore()
  const loads = { count: 0 }
  /** What is done before the next page of a log is read, or after. */
  const around: Partial<Record<'before' | 'after', (() => Promise<void>) | undefined>> = {}
  const store: Store = {
    ...memory,
    conversations: {
      ...memory.conversations,
      load(id) {
        loads.count++
        return memory.conversations.load(id)
      },
      async eventPage(...given) {
        const { before, after } = around
        around.before = undefined
        around.after = undefined
        await before?.()
        const page = await memory.conversations.eventPage(...given)
        await after?.()
        return page
      },
    },
  }
  const network = createNetwork()
  let fail = (): void => undefined
  const start = () =>
    createPlatform({
      ...{ store, clock, bus: network.bus(), log: silentLog, rateLimits: null, onError: () => undefined },
      runtime: {
        async *respond({ input }) {
          if (input.type === 'greeting') yield { type: 'text', text: 'Welcome.' }
          else
            await new Promise((_, reject) => {
              fail = () => reject(new Error('No answer.'))
            })
        },
      },
    })
  const first = start()
  const here = await openVisitor(first, clock)
  await here.join()
  await here.say('Good morning.')
  expect(here.types()).toContain('AI_AGENT_THINKING')
  const failTurn = async () => {
    fail()
    await clock.settle()
  }
  return { around, clock, failTurn, first, here, loads, network, start }
}

const endOf = (types: readonly string[]) => types.slice(types.lastIndexOf('USER_MESSAGE') + 1)

it('MS6 what was found at the handshake is not read again when nothing has changed since', async () => {
  const { here, loads, start } = await setUp()
  loads.count = 0
  const again = await here.reconnect(start())
  expect(endOf(again.types())).toEqual(['AI_AGENT_THINKING'])
  expect(loads.count).toBe(1)
})

it('a state that the process has kept is not loaded where it is the newest', async () => {
  const { first, here, loads } = await setUp()
  loads.count = 0
  const again = await here.reconnect(first)
  expect(endOf(again.types())).toEqual(['AI_AGENT_THINKING'])
  expect(loads.count).toBe(0)
})

it('what another process has written since is loaded', async () => {
  const { failTurn, first, here, loads, network, start } = await setUp()
  network.delivery = 'never'
  const other = await here.reconnect(start())
  await other.end()
  loads.count = 0
  await expect(here.reconnect(first)).rejects.toThrow('session not found')
  expect(loads.count).toBe(1)
  await failTurn()
})

it.each([
  ['before its log is read', 'before', 'lost', 'another'],
  ['before its log is read', 'before', 'heard', 'the same'],
  ['after its log was read', 'after', 'heard', 'the same'],
  ['after its log was read', 'after', 'heard', 'another'],
] as const)(
  'MS6 what changes %s, without an event, is told as it is then (%s, %s by %s)',
  async (...given) => {
    const [, when, notice, over] = given
    const { around, failTurn, first, here, network, start } = await setUp()
    around[when] = failTurn
    if (notice === 'lost') network.delivery = 'never'
    const again = await here.reconnect(over === 'another' ? start() : first)
    expect(endOf(again.types())).toEqual(['SYSTEM_MESSAGE'])
  },
)
