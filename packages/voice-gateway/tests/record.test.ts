import { expect, test } from 'vitest'
import type { AgentRuntime } from '../../core/src/runtime.ts'
import { startVoiceHost } from './support/voice-host.ts'

const runtime: AgentRuntime = {
  async *respond({ input }) {
    yield {
      type: 'text',
      text: input.type === 'message' ? 'Dogs are very welcome here. They cost ten.' : 'Welcome.',
    }
  },
}

test('VG17 the record shows which messages were spoken, and what was heard of a reply that was cut', async () => {
  const host = await startVoiceHost({ runtime })
  const { client: open, sessionId } = await host.visitor()
  const client = open()
  await client.connect()
  await client.start()
  await client.until(() => client.heardText() === 'Welcome.')
  client.holdPlayer()
  client.say('May I bring my dog')
  await client.until(() => client.pieces.some(({ ended, text }) => ended && text.startsWith('Dogs')))
  client.play(300)
  client.say('and how much is it for a cat')
  await client.until(() => client.transcripts().length === 2)
  await client.until(() => client.pieces.at(-1)?.ended === true)
  await host.platform.idle()
  const { accountId, agentId } = host
  const { lines, turns } = await host.platform.reading.transcript(accountId, agentId, sessionId, {
    turns: 0,
    sequence: 0,
  })
  expect(lines.map(({ from, heard, spoken, text }) => ({ from, text, heard, spoken }))).toEqual([
    { from: 'ai_agent', text: 'Welcome.', heard: undefined, spoken: undefined },
    { from: 'visitor', text: 'May I bring my dog', heard: undefined, spoken: true },
    {
      from: 'ai_agent',
      text: 'Dogs are very welcome here. They cost ten.',
      heard: 'Dogs are very ',
      spoken: undefined,
    },
    { from: 'visitor', text: 'and how much is it for a cat', heard: undefined, spoken: true },
    {
      from: 'ai_agent',
      text: 'Dogs are very welcome here. They cost ten.',
      heard: undefined,
      spoken: undefined,
    },
  ])
  const details = turns.map(turn => JSON.parse(turn.details.text))
  expect(details.map(({ voice }) => voice)).toEqual([
    undefined,
    { call: client.call, heard: {} },
    { call: client.call, heard: { [Object.keys(details[2].voice.heard)[0] ?? '']: 14 } },
  ])
})
