import { createHmac } from 'node:crypto'
import { createPlatform, systemClock } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import type { AgentRuntime } from '@colloquy/core/runtime'
import { createMemoryFiles } from '@colloquy/core/testing'
import { expect, test } from 'vitest'
import { levelOf } from '../src/audio/pcm.ts'
import { fromMuLaw } from '../src/twilio/mu-law.ts'
import { recording, recordings } from './guide-recording.ts'
import { URL_OF_STREAM } from './support/phone-calls.ts'
import { dial, parrot, soundOf, startPhoneHost } from './support/phone-host.ts'

const porter: AgentRuntime = {
  async *respond({ input }) {
    yield { type: 'text', text: input.type === 'message' ? 'I put you through.' : 'Welcome.' }
    if (input.type === 'message')
      yield { type: 'handoff', destination: '+493012345678', reason: 'wants a person' }
  },
}

test('VG30 a caller speaks with the agent, and the conversation ends with the call', async () => {
  const host = await startPhoneHost('May I bring my dog')
  const phone = await dial(host.port)
  expect(phone.status).toBeNull()
  phone.begin()
  await phone.until(() => phone.queue.some(one => 'mark' in one))
  // 'Welcome.' has eight characters of 20 milliseconds.
  expect(soundOf(phone.queue).length / 8).toBeGreaterThan(150)
  phone.play(10_000)
  phone.sound(600, 8_000)
  phone.sound(600, 0)
  await phone.until(() => phone.queue.filter(one => 'mark' in one).length >= 3)
  expect(levelOf(fromMuLaw(soundOf(phone.queue)))).toBeGreaterThan(0)
  expect(host.dictation.loudest()).toBeGreaterThan(4_000)
  phone.play(10_000)
  phone.hangUp()
  await phone.until(() => phone.closed() !== null)
  expect(phone.closed()).toBe(1000)
  await expect
    .poll(async () => (await host.recorded())?.lines.map(({ what, text }) => (what === 'said' ? text : what)))
    .toEqual([
      'Welcome.',
      'May I bring my dog',
      'You said May I bring my dog. And that was all of it.',
      'ended',
    ])
})

test.each([
  [{ from: '+442079460018', to: '+442079460019', more: 'x' }, ['+442079460018', '+442079460019']],
  [{ from: 'anonymous', to: '+442079460019' }, ['', '+442079460019']],
  [undefined, ['', '']],
  ['nothing that is known', ['', '']],
])(
  'VG30 the record of a call is one of the phone, with its numbers where the TwiML names them: %j',
  async (customParameters, numbers) => {
    const host = await startPhoneHost('Hello')
    const phone = await dial(host.port)
    phone.begin({ customParameters })
    await phone.until(() => phone.queue.some(one => 'mark' in one))
    const summary = JSON.parse((await host.recorded())?.record.summary.text ?? '{}')
    expect([summary.channel, summary.from_number, summary.to_number]).toEqual(['VOICE-SIP', ...numbers])
  },
)

test('VG30 marks that Twilio returns at a clear do not count as played', async () => {
  const host = await startPhoneHost('No wait')
  const phone = await dial(host.port)
  phone.begin()
  await phone.until(() => phone.queue.some(one => 'mark' in one))
  phone.play(10_000)
  phone.sound(600, 8_000)
  phone.sound(600, 0)
  await phone.until(() => phone.queue.filter(one => 'mark' in one).length >= 2)
  phone.play(100)
  phone.sound(600, 8_000)
  await phone.until(() => phone.clears() === 1)
  phone.sound(600, 0)
  const said = async () => (await host.recorded())?.lines ?? []
  await expect.poll(async () => (await said()).filter(({ spoken }) => spoken === true).length).toBe(2)
  const reply = (await said()).find(({ text }) => text.startsWith('You said'))
  expect(reply?.heard?.length).toBeLessThan('You said'.length)
})

test('VG30 keys are a message once nobody presses another one', async () => {
  const host = await startPhoneHost('never')
  const phone = await dial(host.port)
  phone.begin()
  await phone.until(() => phone.queue.some(one => 'mark' in one))
  for (const digit of ['4', '2', '#'])
    phone.send({ event: 'dtmf', streamSid: 'MZ1', dtmf: { track: 'inbound_track', digit } })
  await expect
    .poll(async () => (await host.recorded())?.lines.find(({ from }) => from === 'visitor')?.text)
    .toBe('42#')
})

test('VG33 what Twilio has not signed is refused, and what cannot be read is ignored', async () => {
  const host = await startPhoneHost('Hello')
  for (const signature of [
    '',
    'bm90IHNpZ25lZA==',
    createHmac('sha1', 'other').update(URL_OF_STREAM).digest('base64'),
  ])
    expect((await dial(host.port, signature)).status).toBe(403)
  const phone = await dial(host.port)
  for (const message of [
    {},
    { event: 'media', media: { payload: '???' } },
    { event: 'mark', mark: { name: 'x' } },
    { event: 'later' },
  ])
    phone.send(message)
  phone.begin()
  await phone.until(() => phone.queue.some(one => 'mark' in one))
})

test('VG10 and VG30 a flood of sound ends the call and its conversation', async () => {
  // No time goes by, however slow the machine is.
  const host = await startPhoneHost('never', { voice: { clock: { ...systemClock, monotonic: () => 0 } } })
  const phone = await dial(host.port)
  phone.begin()
  await phone.until(() => phone.queue.some(one => 'mark' in one))
  phone.play(10_000)
  phone.sound(59_000, 0)
  // It is answered behind the sound, so that was no flood.
  phone.send({ event: 'dtmf', streamSid: 'MZ1', dtmf: { digit: '#' } })
  const said = async () => (await host.recorded())?.lines ?? []
  await expect.poll(async () => (await said()).map(({ from }) => from)).toContain('visitor')
  expect(phone.closed()).toBeNull()
  phone.sound(1_100, 0)
  await phone.until(() => phone.closed() !== null)
  expect(phone.closed()).toBe(1008)
  await expect.poll(async () => (await said()).at(-1)?.what).toBe('ended')
})

test('VG9 and VG30 what comes after a caller has hung up changes nothing', async () => {
  const host = await startPhoneHost('May I bring my dog')
  const phone = await dial(host.port)
  phone.begin()
  await phone.until(() => phone.queue.some(one => 'mark' in one))
  phone.hangUp()
  phone.sound(600, 8_000)
  phone.sound(600, 0)
  for (const digit of ['1', '#']) phone.send({ event: 'dtmf', streamSid: 'MZ1', dtmf: { digit } })
  phone.begin()
  phone.hangUp()
  await phone.until(() => phone.closed() !== null)
  expect(phone.closed()).toBe(1000)
  await expect.poll(async () => (await host.recorded())?.lines.at(-1)?.what).toBe('ended')
  expect((await host.recorded())?.lines.map(({ from }) => from)).not.toContain('visitor')
  expect([host.dictation.loudest(), host.errors]).toEqual([0, []])
})

test.each([
  ['another rate', { encoding: 'audio/x-mulaw', sampleRate: 16_000, channels: 1 }],
  ['another coding', { encoding: 'audio/x-l16', sampleRate: 8_000, channels: 1 }],
  ['two channels', { encoding: 'audio/x-mulaw', sampleRate: 8_000, channels: 2 }],
  ['none', undefined],
])('VG33 a stream in another format is closed, and the host hears of it: %s', async (_, mediaFormat) => {
  const host = await startPhoneHost('never')
  const phone = await dial(host.port)
  phone.begin({ mediaFormat })
  phone.sound(100, 8_000)
  await phone.until(() => phone.closed() !== null)
  expect(phone.closed()).toBe(1008)
  expect(String(host.errors)).toContain('audio/x-mulaw')
  expect(await host.recorded()).toBeNull()
})

test('VG2 a caller whose voice clips is understood, and one who speaks again at once too', async () => {
  const host = await startPhoneHost('May I bring my dog')
  const phone = await dial(host.port)
  phone.begin()
  await phone.until(() => phone.queue.some(one => 'mark' in one))
  phone.play(10_000)
  for (let time = 0; time < 2; time++) {
    // Four times as loud as 16 bits can say.
    phone.sound(600, 131_068)
    phone.sound(600, 0)
  }
  const said = async () => (await host.recorded())?.lines.filter(({ from }) => from === 'visitor') ?? []
  await expect
    .poll(async () => (await said()).map(({ text }) => text))
    .toEqual(['May I bring my dog', 'May I bring my dog'])
  expect(host.dictation.loudest()).toBeGreaterThan(25_000)
})

test.each([
  ['taken', () => Promise.resolve()],
  ['refused', () => Promise.reject(new Error('no'))],
])('VG106 a call that is handed over to a number is transferred, and then ends: %s', async (_, answer) => {
  const transfers: object[] = []
  const host = await startPhoneHost('the reception please', {
    runtime: porter,
    transfer({ callSid, destination }) {
      transfers.push({ callSid, destination })
      return answer()
    },
  })
  const phone = await dial(host.port)
  phone.begin()
  await phone.until(() => phone.queue.some(one => 'mark' in one))
  phone.play(10_000)
  phone.sound(600, 8_000)
  phone.sound(600, 0)
  await phone.until(() => phone.queue.some(one => 'mark' in one))
  expect(transfers).toEqual([])
  await phone.until(() => {
    phone.play(10_000)
    return phone.closed() !== null
  })
  expect(transfers).toEqual([{ callSid: 'CA1', destination: '+493012345678' }])
  await expect
    .poll(async () => JSON.parse((await host.recorded())?.record.summary.text ?? '{}'))
    .toMatchObject({ handoff: true, handoff_destination: '+493012345678', in_progress: false })
})

test('VG120 the platform takes the options that the guide shows', async () => {
  const platform = createPlatform({ store: createMemoryStore(), runtime: parrot, recordings })
  await platform.close()
})

test('VG122 a caller is asked first, presses one, is recorded until they hang up, and the agent hears of no key', async () => {
  const keep = createMemoryFiles()
  const host = await startPhoneHost('May I bring my dog', { keep, recording })
  const phone = await dial(host.port)
  phone.begin()
  await phone.until(() => phone.queue.some(one => 'mark' in one))
  expect(await host.recordings()).toEqual([])
  for (const digit of ['1', '#']) phone.send({ event: 'dtmf', streamSid: 'MZ1', dtmf: { digit } })
  await expect
    .poll(async () => (await host.recordings()).map(({ consent, end }) => [consent.by, consent.how, end]))
    .toEqual([['visitor', 'key', null]])
  phone.play(10_000)
  phone.sound(600, 8_000)
  phone.sound(600, 0)
  const said = async () => (await host.recorded())?.lines.filter(({ from }) => from === 'visitor') ?? []
  await expect.poll(async () => (await said()).map(({ text }) => text)).toEqual(['May I bring my dog'])
  phone.hangUp()
  await phone.until(() => phone.closed() !== null)
  await expect.poll(async () => (await host.recordings())[0]?.end).toBe('complete')
  expect([...keep.stored.values()].some(sound => sound.some(byte => byte !== 0))).toBe(true)
  expect(await said()).toHaveLength(1)
})

test('VG122 a caller who withdraws with keys leaves nothing of the recording', async () => {
  const keep = createMemoryFiles()
  const host = await startPhoneHost('never', { keep, recording: { mode: 'announced', withdrawKeys: '*9' } })
  const phone = await dial(host.port)
  phone.begin()
  await phone.until(() => phone.queue.some(one => 'mark' in one))
  await expect.poll(async () => (await host.recordings())[0]?.consent.how).toBe('host')
  for (const digit of ['*', '9', '#']) phone.send({ event: 'dtmf', streamSid: 'MZ1', dtmf: { digit } })
  await expect.poll(async () => (await host.recordings())[0]?.end).toBe('withdrawn')
  expect(keep.stored.size).toBe(0)
  phone.hangUp()
  await phone.until(() => phone.closed() !== null)
})
