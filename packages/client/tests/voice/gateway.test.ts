import type { Socket } from 'node:net'
import { startMessagingHost } from '@colloquy/test-support/messaging-host'
import { createSignal } from '@colloquy/test-support/signal'
import { attachVoice } from '@colloquy/voice-gateway'
import { createScriptedSpeaker, createScriptedTranscriber, tonesOf } from '@colloquy/voice-gateway/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createMessaging, fromConnector, type MessagingSocket } from '../../src/messaging/index.ts'
import { createVoice, type MicrophoneListener, type VoiceSocket } from '../../src/voice/index.ts'
import { fromPcm16 } from '../../src/voice/pcm.ts'

const openSocket = (url: string) => new WebSocket(url) as unknown as MessagingSocket & VoiceSocket

/** A visitor in a call with a real gateway. Their speaker's clock moves by hand. */
async function begin(reply: (text: string) => string) {
  const asked: string[] = []
  const lines = new Set<Socket>()
  const signal = createSignal()
  const speaker = createScriptedSpeaker()
  const host = await startMessagingHost({
    runtime: {
      async *respond({ input }) {
        const text = input.type === 'message' ? input.text : ''
        asked.push(text)
        signal.changed()
        yield { type: 'text', text: reply(text) }
      },
    },
    attach: (server, platform) =>
      attachVoice(server, platform, { transcriber: createScriptedTranscriber(), speaker }),
  })
  host.server.on('upgrade', ({ url }, socket: Socket) => {
    if (url?.startsWith('/voice')) lines.add(socket)
  })
  const chat = createMessaging({
    server: host.url,
    getToken: fromConnector({ server: host.url, connectorToken: host.token, host: 'localhost' }),
    openSocket,
  })
  onTestFinished(() => chat.destroy())
  chat.start()
  let now = 0
  let played = 0
  let microphone = null as MicrophoneListener | null
  const voice = createVoice({
    chat,
    openSocket,
    async openMicrophone(listener) {
      microphone = listener
      return { rate: 16_000, mute() {}, close() {} }
    },
    openSpeaker: () => ({
      now: () => now,
      play({ length }) {
        played += length / 24
      },
      stop() {},
      volume() {},
      close() {},
    }),
  })
  onTestFinished(() => voice.destroy())
  voice.start()
  await vi.waitFor(() => expect(voice.current.status).not.toMatch(/asking|connecting/))
  // A voice is told from the silence before it.
  microphone?.samples(new Float32Array(16 * 300))
  /** Says a text, and is silent until the server has noticed. */
  function say(text: string, silence = 700): void {
    const sound = tonesOf(text, 16_000)
    microphone?.samples(fromPcm16(new Uint8Array(sound).buffer))
    microphone?.samples(new Float32Array(16 * silence))
  }
  const texts = () => chat.current.messages.map(({ from, text }) => `${from}: ${text}`)
  return {
    asked,
    chat,
    speaker,
    voice,
    say,
    texts,
    get played() {
      return played
    },
    pass(ms: number): void {
      now += ms
    },
    cut(): void {
      for (const line of lines) line.destroy()
      lines.clear()
    },
    isAsked: (text: string) => signal.until(() => asked.includes(text)),
  }
}

test('VG50 what is said is a message of the session, and the reply is spoken: text and voice are one conversation', async () => {
  const visitor = await begin(text => (text === '' ? 'Welcome.' : `You said ${text}`))
  await vi.waitFor(() => expect(visitor.texts()).toEqual(['agent: Welcome.']))
  visitor.say('When is breakfast?')
  await visitor.isAsked('When is breakfast?')
  await vi.waitFor(() =>
    expect(visitor.speaker.spoken.map(({ text }) => text)).toContain('You said When is breakfast?'),
  )
  await vi.waitFor(() => expect(visitor.voice.current.caption?.from).toBe('agent'))
  visitor.chat.send('In writing')
  await vi.waitFor(() =>
    expect(visitor.texts().slice(1)).toEqual([
      'visitor: When is breakfast?',
      'agent: You said When is breakfast?',
      'visitor: In writing',
      'agent: You said In writing',
    ]),
  )
  expect(visitor.played).toBeGreaterThan(0)
})

test('VG56 a sentence in whose middle the connection is cut is understood whole, and once', async () => {
  const visitor = await begin(text => (text === '' ? 'Welcome.' : `You said ${text}`))
  visitor.say('May I bring ', 0)
  const isBroken = new Promise<void>(resolve => {
    visitor.voice.subscribe(() => {
      if (visitor.voice.current.status === 'reconnecting') resolve()
    })
  })
  visitor.cut()
  await isBroken
  visitor.say('my dog?')
  await visitor.isAsked('May I bring my dog?')
  visitor.cut()
  visitor.say('And may I bring two of them?')
  await visitor.isAsked('And may I bring two of them?')
  expect(visitor.asked.slice(1)).toEqual(['May I bring my dog?', 'And may I bring two of them?'])
})

test('VG54 who speaks while a reply is played silences it, and what was heard of it is kept with the message', async () => {
  const visitor = await begin(text =>
    text === 'Tell me all' ? 'One sentence that is long. '.repeat(30) : 'Good.',
  )
  const heard: unknown[] = []
  visitor.say('Tell me all')
  await vi.waitFor(() => expect(visitor.voice.current.status).toBe('speaking'))
  await vi.waitFor(() => expect(visitor.played).toBeGreaterThan(1_000))
  visitor.pass(600)
  visitor.chat.on('USER_MESSAGE', event => heard.push(event.payload.text))
  visitor.say('Stop, thank you very much')
  await visitor.isAsked('Stop, thank you very much')
  await vi.waitFor(() => expect(heard).toEqual(['Stop, thank you very much']))
  // The rest of the long reply is not played: what comes next is the answer.
  await vi.waitFor(() => expect(visitor.voice.current.caption?.text).toBe('Good.'))
})
