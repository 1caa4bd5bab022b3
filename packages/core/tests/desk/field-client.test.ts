import { createDeskBench, handoffOf } from '@colloquy/test-support/desk-bench'
import { fieldClient } from '@colloquy/test-support/replies'
import { openVisitor } from '@colloquy/test-support/visitor'
import { describe, expect, test } from 'vitest'

const ADA = { id: 'ada', name: 'Ada', avatarUrl: '' }

describe.each([false, true])('a client of the field, with streaming %s', streaming => {
  /** A visitor whom Ada has talked to. */
  async function talkedTo() {
    const bench = createDeskBench()
    const platform = bench.start()
    const visitor = await openVisitor(platform, bench.clock, streaming)
    await visitor.join()
    await visitor.say('person')
    await platform.desk.accept(visitor.accountId, handoffOf(visitor), ADA)
    await platform.desk.send(visitor.accountId, handoffOf(visitor), { text: 'Ada here.' })
    await bench.clock.settle()
    return { ...bench, platform, visitor }
  }

  test('CM51 goes on after a return, whenever it was started, and ends with the session', async () => {
    const { clock, platform, visitor } = await talkedTo()
    const { accountId } = visitor
    await platform.desk.return(accountId, handoffOf(visitor))
    await clock.settle()
    expect(fieldClient(visitor).hasEnded).toBe(false)
    await visitor.say('At what price?')
    const { cursor } = fieldClient(visitor)
    for (let after = 0; after <= cursor; after++) {
      const again = await visitor.reconnect(platform, after)
      expect(fieldClient(again).hasEnded, `started again after ${after}`).toBe(false)
      expect(fieldClient(again).cursor).toBe(after < cursor ? cursor : 0)
      await again.drop()
    }
    const answers = streaming ? fieldClient(visitor).texts() : visitor.texts('AI_AGENT_MESSAGE')
    expect(answers).toEqual(['Welcome.', 'One moment.', 'Certainly.'])
    await visitor.end()
    expect(fieldClient(visitor).hasEnded).toBe(true)
  })

  test('CM51 goes on while it waits in another queue, and ends when the live agent leaves', async () => {
    const { clock, platform, visitor } = await talkedTo()
    const { accountId } = visitor
    const ben = { liveAgentId: 'ben', name: 'Ben', avatarUrl: '', queues: null }
    await platform.as({ type: 'person', id: 'ben', name: 'Ben' }).desk.watch(accountId, () => {}, ben)
    await platform.desk.transfer(accountId, handoffOf(visitor), { queueName: 'sales', reason: '' })
    await clock.settle()
    expect(fieldClient(visitor).hasEnded).toBe(false)
    await platform.desk.accept(accountId, handoffOf(visitor, 2), ADA)
    await platform.desk.leave(accountId, handoffOf(visitor, 2))
    await clock.settle()
    expect(fieldClient(visitor).hasEnded).toBe(true)
    expect(visitor.types().slice(-2)).toEqual(['LIVE_AGENT_LEFT', 'SESSION_END'])
  })
})
