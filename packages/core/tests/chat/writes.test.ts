import { createTestPlatform } from '@colloquy/test-support/platform'
import { expect, it, onTestFinished } from 'vitest'
import type { AgentRuntime } from '../../src/ports/agent-runtime.ts'
import { createNotedStore } from '../support/noted-store.ts'
import { startChats } from './support.ts'

it('EN60 a chat begins with its join in one write, and its greeting is another', async () => {
  const { store, written } = createNotedStore()
  const { begin, create } = await startChats({ store })
  await begin()
  written.splice(0)
  await begin()
  expect(written).toHaveLength(2)
  expect(written[0]).toEqual(expect.arrayContaining(['conversation', 'conversation_state', 'step']))
  expect(written[1]).toEqual(expect.arrayContaining(['step', 'turn']))
  written.splice(0)
  const first = await create({}, 'once')
  expect(await create({}, 'once')).toEqual(first)
  expect(written).toHaveLength(2)
})

it('EN60 a debug chat begins with its join in one write, and its greeting is another', async () => {
  const { store, written } = createNotedStore()
  const { agent, platform } = await startChats({ store })
  const start = () => platform.debugChat.start(agent, { environment: 'live' })
  await start()
  written.splice(0)
  expect((await start()).turn.record.agent_response).toBe('Welcome.')
  expect(written).toHaveLength(2)
})

it('EN61 a message reads nothing where the last one was answered, else its conversation once', async () => {
  const { read, store } = createNotedStore()
  const { clock, connector, errors, platform: here, runtime } = await startChats({ store })
  const { platform: there } = createTestPlatform({ store, clock, runtime })
  onTestFinished(() => there.close())
  const { conversationId } = await here.chat.create(connector, {})
  const readBy = async ({ chat }: typeof here, message: string) => {
    read.splice(0)
    const { response } = await chat.respond(connector, { conversationId, message })
    expect(response).toBe(`You said ${message}.`)
    return read.filter(kind => ['conversation', 'conversation_state', 'step', 'turn'].includes(kind))
  }
  const all = ['conversation', 'conversation_state', 'step']
  expect(await readBy(here, 'one')).toEqual([])
  expect(await readBy(here, 'two')).toEqual([])
  expect(await readBy(there, 'three')).toEqual(all)
  expect(await readBy(there, 'four')).toEqual([])
  // What is remembered here is out of date.
  expect((await readBy(here, 'five')).length).toBeGreaterThan(all.length)
  expect(await readBy(here, 'six')).toEqual([])
  // Its timer is due meanwhile, and is moved.
  await clock.advance(60_000)
  expect(await readBy(here, 'later')).toEqual([])
  await there.chat.close(connector, conversationId)
  await expect(here.chat.respond(connector, { conversationId, message: 'seven' })).rejects.toMatchObject({
    code: 'CHAT_CONVERSATION_ENDED',
  })
  expect(errors).toEqual([])
})

it('EN45 the history of a turn is whole, whichever process answered before, and is read once', async () => {
  const { read, store } = createNotedStore()
  const runtime: AgentRuntime = {
    async *respond({ history, input }) {
      const lines = await history(40)
      yield {
        type: 'text',
        text: input.type === 'greeting' ? 'Hi.' : lines.map(({ text }) => text).join(' '),
      }
    },
  }
  const { clock, connector, platform: here } = await startChats({ store, runtime })
  const { platform: there } = createTestPlatform({ store, clock, runtime })
  onTestFinished(() => there.close())
  const { conversationId } = await here.chat.create(connector, {})
  let said = 'Hi.'
  const answers = async ({ chat }: typeof here, message: string) => {
    read.splice(0)
    expect((await chat.respond(connector, { conversationId, message })).response).toBe(said)
    said += ` ${message} ${said}`
    return read.filter(kind => kind === 'step').length
  }
  await answers(here, 'a')
  expect(await answers(here, 'b')).toBe(0)
  await answers(there, 'c')
  await answers(here, 'd')
  expect(await answers(here, 'e')).toBe(0)
})
