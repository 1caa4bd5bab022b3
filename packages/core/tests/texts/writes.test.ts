import { describe, expect, it } from 'vitest'
import { createScriptedCarrier } from '../../src/testing/index.ts'
import { createNotedStore } from '../support/noted-store.ts'
import { startTexts, THEIRS } from './support.ts'

/** Texts over a store that notes its writes, after one of another user. */
async function startNoted() {
  const { failing, store, written } = createNotedStore()
  const carrier = createScriptedCarrier()
  const writesAtSend: number[] = []
  const counting = {
    ...carrier,
    async send(text: Parameters<typeof carrier.send>[0]) {
      writesAtSend.push(written.length)
      return carrier.send(text)
    },
  }
  const texts = await startTexts({ store }, undefined, counting)
  await texts.text('hello', { from: '+12025550112' })
  /** Returns the writes of some work, and how many of them were made when the carrier was asked. */
  const during = async (work: () => Promise<unknown>) => {
    written.splice(0)
    writesAtSend.splice(0)
    await work()
    return { all: [...written], atSend: [...writesAtSend] }
  }
  return { ...texts, during, failing }
}

describe('writes of a text', () => {
  it('TX32 a text that begins a session is one write with it, and its reply is another', async () => {
    const { during, text } = await startNoted()
    const { all, atSend } = await during(() => text('hello'))
    expect(atSend).toEqual([2])
    expect(all).toHaveLength(3)
    expect(all[0]).toEqual(expect.arrayContaining(['text_pair', 'conversation', 'step', 'client_event']))
    expect(all[1]).toEqual(expect.arrayContaining(['step', 'turn']))
  })

  it('TX32 a text that joins a session is one write, and its reply is another', async () => {
    const { during, text } = await startNoted()
    await text('hello')
    const { all, atSend } = await during(() => text('again'))
    expect(atSend).toEqual([2])
    expect(all).toHaveLength(3)
    expect(all[0]).toEqual(expect.arrayContaining(['text_pair', 'step', 'client_event']))
  })

  it('TX32 a session that the agent’s side opens is one write before its text is sent', async () => {
    const { connector, during, platform, settle } = await startNoted()
    const { all, atSend } = await during(async () => {
      await platform.texts.open(connector, { to: THEIRS, text: 'Your order is here.' })
      await settle()
    })
    expect([atSend, all.length]).toEqual([[1], 2])
  })
})

describe('a write that fails', () => {
  it.each(['before', 'after'] as const)(
    'TX32 a text that begins a session takes effect once and whole if its write fails %s it is made',
    async when => {
      const { failing, record, sent, text, wait } = await startNoted()
      failing.next = when
      await expect(text('now', { id: 'SM-cut' })).rejects.toThrow()
      const again = await text('now', { id: 'SM-cut' })
      expect(again.repeated).toBe(when === 'after')
      expect((await record(again.conversationId))?.endedAt).toBeNull()
      await wait(60_000)
      expect(sent()).toEqual(['You said hello.', 'You said now.'])
    },
  )

  it.each(['before', 'after'] as const)(
    'TX32 a text that joins a session takes effect once and whole if its write fails %s it is made',
    async when => {
      const { failing, sent, text, wait } = await startNoted()
      const { conversationId } = await text('first')
      failing.next = when
      await expect(text('now', { id: 'SM-cut' })).rejects.toThrow()
      const again = await text('now', { id: 'SM-cut' })
      expect(again).toMatchObject({ conversationId, repeated: when === 'after' })
      await wait(60_000)
      expect(sent()).toEqual(['You said hello.', 'You said first.', 'You said now.'])
    },
  )
})
