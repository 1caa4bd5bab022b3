import { createMessagingBench } from '@colloquy/test-support/messaging-bench'
import { expect, test } from 'vitest'
import { createGate, EVENTS_AT_ONCE } from '../../src/shared/gate.ts'

const VISITORS = 2 * EVENTS_AT_ONCE + 10

test('of a crowd that writes at once some are taken in each turn, in the order in which they wrote', async () => {
  const bench = await createMessagingBench()
  const visitors = await Promise.all(Array.from({ length: VISITORS }, () => bench.live()))
  const turns: (() => void)[] = []
  const gate = createGate(EVENTS_AT_ONCE, () => new Promise(resolve => void turns.push(resolve)))
  Object.assign(bench.context, { gate })
  const taken: string[] = []
  const { execute } = bench.engine
  bench.engine.execute = (id, command) => {
    taken.push(id)
    return execute(id, command)
  }
  for (const { pair } of visitors) {
    pair.send({ type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: 'Is it open?' } })
    pair.flushToServer()
  }
  const all = visitors.map(({ sessionId }) => sessionId)
  for (const many of [EVENTS_AT_ONCE, 2 * EVENTS_AT_ONCE, VISITORS]) {
    await bench.clock.settle()
    expect(taken).toEqual(all.slice(0, many))
    for (const go of turns.splice(0)) go()
  }
  await Promise.all(visitors.map(({ pair }) => pair.flush()))
})
