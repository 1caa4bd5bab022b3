import { createMemoryFiles } from '@colloquy/core/testing'
import { describe, expect, test } from 'vitest'
import type { AgentRuntime } from '../../core/src/runtime.ts'
import type { RecordingOptions } from '../src/domain/consent.ts'
import type { ServerFrame } from '../src/domain/frames.ts'
import { startVoiceHost } from './support/voice-host.ts'

const runtime: AgentRuntime = {
  async *respond({ input }) {
    yield { type: 'text', text: input.type === 'message' ? 'You may.' : 'Welcome.' }
  },
}

async function recordedHost(recording?: RecordingOptions, keep = createMemoryFiles()) {
  const voice = recording === undefined ? {} : { recording }
  const host = await startVoiceHost({ runtime, voice, platform: { recordings: { keep } } })
  const { client: open, sessionId } = await host.visitor()
  const client = open()
  await client.connect()
  await client.start()
  const states = () =>
    client.frames.flatMap((frame: ServerFrame) =>
      frame.type === 'recording' ? [[frame.state, frame.reason].filter(Boolean).join(' ')] : [],
    )
  const list = () => host.platform.reading.recordings(host.accountId, host.agentId, sessionId)
  /** Waits for what the store has: the visitor's client learns nothing of it. */
  async function until(holds: (found: Awaited<ReturnType<typeof list>>) => boolean) {
    for (;;) {
      const found = await list()
      if (holds(found)) return found
      await new Promise(resolve => setTimeout(resolve, 5))
    }
  }
  return { ...host, keep, client, open, sessionId, states, list, until }
}

describe('recorded calls', () => {
  test('VG120 without the option nothing is said of recording, and nothing is kept, also if the client consents', async () => {
    const { client, keep, list, states } = await recordedHost()
    client.send({ type: 'recording', consent: true })
    await client.until(() => client.heardText() === 'Welcome.')
    client.send({ type: 'voice.stop' })
    await client.until(() => client.closed !== null)
    expect([states(), await list(), keep.stored.size]).toEqual([[], [], 0])
  })

  test('VG120 and VG121 the call is recorded from the consent on, and the record says whose it is', async () => {
    const { call, client, keep, list, states, until } = await recordedHost({ mode: 'ask' }).then(host => ({
      ...host,
      call: host.client.call,
    }))
    await client.until(() => client.heardText() === 'Welcome.')
    expect([states(), await list()]).toEqual([['asked'], []])
    client.send({ type: 'recording', consent: true })
    await client.until(() => states().includes('on'))
    client.say('May I bring my dog')
    await client.until(() => client.heardText().endsWith('You may.'))
    client.send({ type: 'voice.stop' })
    const [one] = await until(([first]) => first?.end === 'complete')
    expect(one).toMatchObject({
      ...{ call, parts: 1, end: 'complete' },
      consent: { by: 'visitor', how: 'button' },
    })
    const [sound] = [...keep.stored.values()]
    expect(sound?.length).toBe(one?.bytes)
    expect(sound?.some(byte => byte !== 0)).toBe(true)
  })

  test('VG121 a visitor who no longer consents leaves nothing of it, and may consent again', async () => {
    const { client, keep, states, until } = await recordedHost({ mode: 'announced' })
    const [begun] = await until(found => found.length === 1)
    expect(begun?.consent).toMatchObject({ by: 'host', how: 'host' })
    client.send({ type: 'recording', consent: false })
    await client.until(() => states().includes('off WITHDRAWN'))
    await until(([first]) => first?.end === 'withdrawn')
    client.send({ type: 'recording', consent: true })
    await until(found => found.length === 2)
    client.send({ type: 'voice.stop' })
    const found = await until(all => all[1]?.end === 'complete')
    expect(found.map(({ consent, end }) => [consent.how, end])).toEqual([
      ['host', 'withdrawn'],
      ['button', 'complete'],
    ])
    expect(keep.stored.size).toBe(found[1]?.parts)
  })

  test('VG126 a call that goes on over another socket is asked again, and has a recording of each', async () => {
    const { client, states, until } = await recordedHost({ mode: 'ask' })
    client.send({ type: 'recording', consent: true })
    await until(found => found.length === 1)
    await client.until(() => states().includes('on'))
    client.kill()
    await until(([first]) => first?.end === 'complete')
    await client.connect()
    await client.start()
    await client.until(() => states().length === 3)
    expect(states()).toEqual(['asked', 'on', 'asked'])
    client.send({ type: 'recording', consent: true })
    const found = await until(all => all.length === 2)
    expect(new Set(found.map(one => one.call)).size).toBe(1)
  })

  test('VG125 a store that fails costs the recording and not the call, and the record says so', async () => {
    const keep = createMemoryFiles()
    keep.fault('fails')
    const { client, errors, until } = await recordedHost({ mode: 'announced' }, keep)
    await client.until(() => client.heardText() === 'Welcome.')
    client.say('May I bring my dog')
    await client.until(() => client.heardText().endsWith('You may.'))
    client.send({ type: 'voice.stop' })
    const [one] = await until(([first]) => (first?.end ?? null) !== null)
    expect([one?.end, one?.parts]).toEqual(['failed', 0])
    expect(errors.length).toBeGreaterThan(0)
    await client.until(() => client.closed !== null)
    expect(client.frames.at(-1)).toMatchObject({ type: 'voice.stopped', reason: 'CLIENT' })
  })

  test('VG125 a host that keeps no recordings hears of it, and the call goes on', async () => {
    const voice = { recording: { mode: 'announced' } } as const
    const host = await startVoiceHost({ runtime, voice })
    const client = (await host.visitor()).client()
    await client.connect()
    await client.start()
    await client.until(() => client.heardText() === 'Welcome.')
    expect(host.errors.map(String)).toEqual([
      'Error: Calls cannot be recorded: the platform has no recordings.keep.',
    ])
    expect(client.frames.filter(({ type }) => type === 'recording')).toEqual([
      { type: 'recording', state: 'on' },
      { type: 'recording', state: 'off', reason: 'FAILED' },
    ])
  })
})
