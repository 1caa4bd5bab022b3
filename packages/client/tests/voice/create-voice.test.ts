import { expect, onTestFinished, test, vi } from 'vitest'
import type { Conversation } from '../../src/messaging/index.ts'
import { createVoice, type MicrophoneListener, type VoiceOptions } from '../../src/voice/index.ts'
import { startVoiceGateway } from '../support/voice-gateway.ts'

/** A chat of which voice sees its session alone. */
function createChat(url: string) {
  const listeners = new Set<() => void>()
  let current = { status: 'open', servedBy: { kind: 'agent' } } as unknown as Conversation
  let address: string | null = url
  return {
    chat: {
      get current() {
        return current
      },
      subscribe(listener: () => void) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      socketAddress: () => address,
    },
    listeners,
    change(next: { readonly address?: string | null; readonly status?: Conversation['status'] }): void {
      if (next.address !== undefined) address = next.address
      current = { ...current, status: next.status ?? current.status }
      for (const listener of listeners) listener()
    },
  }
}

/** A microphone and a speaker whose time moves by hand. */
function createDevices(refusal: Error | null = null) {
  const played: { readonly samples: number; readonly at: number }[] = []
  const opened: { muted: boolean; open: boolean }[] = []
  const speakers = { open: 0 }
  let listener: MicrophoneListener | null = null
  let answer = (): void => {}
  let now = 0
  const options: Pick<VoiceOptions, 'openMicrophone' | 'openSpeaker'> = {
    async openMicrophone(heard) {
      await new Promise<void>(resolve => {
        answer = resolve
      })
      if (refusal !== null) throw refusal
      const device = { muted: false, open: true }
      opened.push(device)
      listener = heard
      return {
        rate: 48_000,
        mute(muted) {
          device.muted = muted
        },
        close() {
          device.open = false
        },
      }
    },
    openSpeaker() {
      speakers.open += 1
      return {
        now: () => now,
        play: ({ length }, at) => void played.push({ samples: length, at }),
        stop() {},
        volume() {},
        close() {
          speakers.open -= 1
        },
      }
    },
  }
  return {
    options,
    played,
    opened,
    speakers,
    answer: () => answer(),
    lose: () => listener?.lost(),
    /** The visitor says so many milliseconds. */
    say: (ms: number, loudness = 0.5) => listener?.samples(new Float32Array(48 * ms).fill(loudness)),
    pass(ms: number): void {
      now += ms
    },
  }
}

async function begin(more: Partial<VoiceOptions> = {}) {
  const gateway = await startVoiceGateway()
  const world = createChat(gateway.url)
  const devices = createDevices()
  const voice = createVoice({ chat: world.chat, ...devices.options, ...more })
  onTestFinished(() => voice.destroy())
  voice.start()
  devices.answer()
  await vi.waitFor(() => expect(voice.current.status).toBe('listening'))
  return { ...world, gateway, devices, voice }
}

test('VG50 what the microphone hears arrives as 16-bit PCM of 16,000 samples per second, and the reply is played', async () => {
  const { devices, gateway, voice } = await begin({ language: 'de-DE' })
  expect(gateway.frames[0]).toEqual({ type: 'voice.start', rate: 16_000, language: 'de-DE' })
  const seen: string[] = []
  voice.subscribe(() => void seen.push(voice.current.status))
  devices.say(1_000)
  await gateway.until(() => gateway.bytes >= 31_000)
  expect(voice.level).toBeCloseTo(0.5, 1)
  expect(gateway.bytes % 640).toBe(0)
  gateway.say({
    type: 'audio.begin',
    id: 'p',
    message_id: 'm',
    text: 'From 7 to 10.',
    by: 'live_agent',
    from_ms: 0,
  })
  gateway.say(new Uint8Array(9_600))
  gateway.say({ type: 'audio.end', id: 'p', duration_ms: 200 })
  await vi.waitFor(() => expect(devices.played).toEqual([{ samples: 4_800, at: 80 }]))
  expect(voice.current).toMatchObject({
    status: 'speaking',
    caption: { from: 'live agent', text: 'From 7 to 10.' },
  })
  devices.pass(281)
  await gateway.until(() => gateway.frames.some(({ done }) => done === true))
  expect(gateway.frames.at(-1)).toEqual({ type: 'mark', id: 'p', played_ms: 200, done: true })
  expect(seen).toEqual(['speaking', 'listening'])
})

test('VG56 a cut connection comes back with all that was said meanwhile', async () => {
  const { devices, gateway, voice } = await begin()
  devices.say(500)
  await gateway.until(() => gateway.bytes >= 15_360)
  let said = false
  voice.subscribe(() => {
    if (voice.current.status !== 'reconnecting' || said) return
    said = true
    devices.say(700)
  })
  gateway.cut()
  await gateway.until(() => gateway.bytes >= 37_760)
  expect(gateway.frames.at(-1)).toEqual({ type: 'voice.start', rate: 16_000, call: 'one' })
  expect(gateway.urls).toHaveLength(2)
  expect(voice.current.status).toBe('listening')
})

test.each([
  ['NotAllowedError', 'MICROPHONE_REFUSED'],
  ['NotFoundError', 'NO_MICROPHONE'],
  ['NotReadableError', 'MICROPHONE_FAILED'],
])('VG51 the browser’s %s is %s', async (name, code) => {
  const gateway = await startVoiceGateway()
  const { chat } = createChat(gateway.url)
  const devices = createDevices(Object.assign(new Error('Refused.'), { name }))
  const voice = createVoice({ chat, ...devices.options })
  voice.start()
  expect(voice.current.status).toBe('asking')
  devices.answer()
  await vi.waitFor(() => expect(voice.current).toMatchObject({ status: 'off', problem: { code } }))
  expect([gateway.urls, devices.speakers.open]).toEqual([[], 0])
})

test('VG51 without a microphone in the browser, as in Node, the reason is NOT_SUPPORTED', async () => {
  const { chat } = createChat('ws://127.0.0.1:9/voice')
  const voice = createVoice({ chat })
  voice.start()
  await vi.waitFor(() => expect(voice.current.problem?.code).toBe('NOT_SUPPORTED'))
})

test('VG51 a microphone that is given after the visitor has stopped is closed at once', async () => {
  const gateway = await startVoiceGateway()
  const { chat } = createChat(gateway.url)
  const devices = createDevices()
  const voice = createVoice({ chat, ...devices.options })
  voice.start()
  voice.stop()
  devices.answer()
  await vi.waitFor(() => expect(devices.opened).toEqual([{ muted: false, open: false }]))
  expect([voice.current.status, devices.speakers.open, gateway.urls]).toEqual(['off', 0, []])
})

test('VG51 a microphone that is unplugged ends the call', async () => {
  const { devices, gateway, voice } = await begin()
  devices.lose()
  expect(voice.current).toMatchObject({ status: 'off', problem: { code: 'MICROPHONE_FAILED' } })
  await gateway.until(() => !gateway.isOpen)
})

test('VG51 mute turns the device off, and nothing is sent', async () => {
  const { devices, gateway, voice } = await begin()
  voice.mute(true)
  await gateway.until(() => gateway.frames.some(({ type }) => type === 'mute'))
  devices.say(200, 0)
  expect([voice.current.muted, devices.opened[0]?.muted, voice.level]).toEqual([true, true, 0])
  voice.mute(false)
  devices.say(100)
  await gateway.until(() => gateway.bytes > 0)
  expect(gateway.bytes).toBeLessThanOrEqual(3_200)
  expect(gateway.frames.filter(({ type }) => type === 'mute').map(({ muted }) => muted)).toEqual([
    true,
    false,
  ])
})

test('VG59 the chat decides on the session: voice waits for one, and ends with it', async () => {
  const gateway = await startVoiceGateway()
  const { change, chat } = createChat(gateway.url)
  change({ address: null, status: 'connecting' })
  const devices = createDevices()
  const voice = createVoice({ chat, ...devices.options })
  voice.start()
  devices.answer()
  await vi.waitFor(() => expect(voice.current.status).toBe('connecting'))
  expect(gateway.urls).toEqual([])
  change({ address: gateway.url, status: 'open' })
  await vi.waitFor(() => expect(voice.current.status).toBe('listening'))
  change({ address: `${gateway.url}2` })
  expect(voice.current).toMatchObject({ status: 'off', problem: { code: 'ENDED' } })
  expect(devices.opened).toEqual([{ muted: false, open: false }])
})

test('VG59 after destroy no socket, microphone, speaker, timer or listener is left', async () => {
  const { devices, gateway, listeners, voice } = await begin()
  voice.destroy()
  await gateway.until(() => !gateway.isOpen)
  expect(gateway.frames.at(-1)).toEqual({ type: 'voice.stop' })
  expect([devices.opened, devices.speakers.open, listeners.size]).toEqual([
    [{ muted: false, open: false }],
    0,
    0,
  ])
})
