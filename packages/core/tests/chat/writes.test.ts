import { expect, it } from 'vitest'
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
