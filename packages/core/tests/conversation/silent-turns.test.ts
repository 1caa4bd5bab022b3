import { describe, expect, it } from 'vitest'
import { contextOf } from '../../src/platform-context.ts'
import { does, openChat } from './functions/support.ts'

const functions = {
  waits: does(conversation => conversation.expectExternalEvent({ delayResponse: true })),
}

describe('a turn that ends without a word', () => {
  it('BU7 is told to the waiting debug chat at once: no time has to pass', async () => {
    const chat = await openChat({ functions })
    const before = chat.clock.now()
    const turn = await chat.say('waits')
    expect(turn).toMatchObject({ record: { agent_response: '' }, details: { delayed: true } })
    expect(chat.clock.now()).toBe(before)
  })

  it('BU7 is published with the sequence of the log, and without events', async () => {
    const chat = await openChat({ functions })
    const notices: unknown[] = []
    contextOf(chat.platform)
      .rooms.of(chat.id)
      .listen({
        notice({ sequence, events, transients }) {
          notices.push({ sequence, events: events.length, transients: transients.map(({ type }) => type) })
        },
        gap() {},
      })
    await chat.say('waits')
    const { sequence } = await chat.state()
    expect(notices.at(-1)).toEqual({ sequence, events: 0, transients: [] })
  })
})
