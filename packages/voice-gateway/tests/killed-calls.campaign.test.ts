// Slow: servers are processes, which are killed, and the turns that they had begun are taken over in real time.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform, silentLog, systemClock } from '@colloquy/core'
import { createScriptedRuntime, openSocketPair } from '@colloquy/core/testing'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { programArguments } from '../../../scripts/programs/program.ts'
import { UP_RATE } from '../src/audio/pcm.ts'
import { silenceOf, tonesOf } from '../src/testing/index.ts'
import { createVoiceClient } from './support/voice-client.ts'

const CHILD = new URL('children/answer-calls.ts', import.meta.url)
const readySchema = z.object({
  port: z.number(),
  connectorToken: z.string(),
  accessToken: z.string(),
  sessionId: z.string(),
})

/** Starts a server over the store of a folder. */
async function startServer(folder: string, connectorToken = '') {
  const child = spawn(process.execPath, [...programArguments(CHILD), folder, connectorToken], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = new Promise<void>(resolve => void child.on('close', () => resolve()))
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await gone
  }
  onTestFinished(kill)
  for await (const line of createInterface({ input: child.stdout }))
    return { ...readySchema.parse(JSON.parse(line)), kill }
  throw new Error('The server did not begin.')
}

type Client = ReturnType<typeof createVoiceClient>

/** As it sounds: silence between sentences is none of them. */
const replyTo = (text: string): string => `You said ${text}.That is all that I know of it.`
const WORDS = 'May I bring my dog'

/** Plays what comes until exactly this was heard. */
async function hear(client: Client, text: string): Promise<void> {
  while (client.heardText() !== text) {
    const count = client.frames.length
    client.play(Number.POSITIVE_INFINITY)
    expect(text).toContain(client.heardText())
    if (client.heardText() !== text) await client.until(() => client.frames.length > count)
  }
}

/** When the server is killed, and what is true then. */
const MOMENTS: readonly (readonly [string, (client: Client) => Promise<void>])[] = [
  [
    'in the middle of a sentence of the visitor',
    async client => {
      client.sound(tonesOf('May I bring', UP_RATE))
      await client.until(() => client.frames.filter(({ type }) => type === 'speech.started').length === 1)
    },
  ],
  [
    'before the session has the sentence for sure',
    async client => {
      client.say(WORDS)
      await client.until(() => client.frames.some(({ type }) => type === 'speech.ended'))
    },
  ],
  [
    'once the session has the sentence',
    async client => {
      client.say(WORDS)
      await client.until(() => client.transcripts().length === 1)
    },
  ],
  [
    'in the middle of the reply, of which some was heard',
    async client => {
      client.say(WORDS)
      await client.until(() => client.pieces.some(({ text, ended }) => ended && text.startsWith('You said')))
      client.play(300)
    },
  ],
  [
    'after the reply, of which some was heard',
    async client => {
      client.say(WORDS)
      await client.until(() => client.pieces.some(({ text, ended }) => ended && text.startsWith('That is')))
      client.play(900)
    },
  ],
]

test.each(MOMENTS)(
  'VG13 a call goes on at another server when its own is killed, nothing is lost, and nothing is heard twice: %s',
  async (_, reach) => {
    const folder = mkdtempSync(join(tmpdir(), 'colloquy-killed-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const first = await startServer(folder)
    const second = await startServer(folder, first.connectorToken)
    const { accessToken, sessionId } = first
    const query = `session_id=${sessionId}&access_token=${accessToken}`
    const client = createVoiceClient(`ws://127.0.0.1:${first.port}/voice?${query}`)
    await client.connect()
    await client.start()
    await client.until(() => client.heardText() === 'Welcome.')
    client.holdPlayer()
    await reach(client)
    await first.kill()
    client.kill()
    if (client.frames.every(({ type }) => type !== 'speech.ended')) {
      client.sound(tonesOf(' my dog', UP_RATE))
      client.sound(silenceOf(600, UP_RATE))
    }
    client.moveTo(second.port)
    await client.connect()
    await client.start()
    await hear(client, `Welcome.${replyTo(WORDS)}`)
    // It goes on as a call, and says nothing again.
    client.say('Hello there again')
    await hear(client, `Welcome.${replyTo(WORDS)}${replyTo('Hello there again')}`)
    client.kill()

    const platform = createPlatform({
      ...{ store: createSqliteStore({ filename: join(folder, 'store.db') }), log: silentLog },
      runtime: createScriptedRuntime({}, systemClock),
    })
    onTestFinished(() => platform.close())
    const handshake = await platform.messaging.handshake({ sessionId, accessToken, cursor: '0' })
    if ('status' in handshake) throw new Error(handshake.message)
    const chat = openSocketPair(handshake)
    await chat.flush()
    const texts = chat
      .events()
      .flatMap(({ payload, type }) => (type === 'EVENT_TYPE_USER_MESSAGE' ? [payload.text] : []))
    expect(texts).toEqual([WORDS, 'Hello there again'])
  },
)
