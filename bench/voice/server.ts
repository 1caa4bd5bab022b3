import { once } from 'node:events'
import { createServer } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createPlatform } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { attachVoice, type Speaker, type Transcriber } from '@colloquy/voice-gateway'
import { answerParent } from '../child.ts'
import { admit, echo, furnish } from '../reception.ts'
import { FRAME_MS, REPLY_MS } from './rates.ts'

/** Understands everything at once, so that the gateway's own time is what is left. */
const transcriber: Transcriber = {
  open() {
    let end = (): void => {}
    const ended = new Promise<void>(resolve => {
      end = resolve
    })
    return {
      write() {},
      events: (async function* () {
        await ended
        yield { type: 'final' as const, text: 'How late is it?', segment: 0 }
      })(),
      end,
    }
  },
}

/** Speaks at once, and then as fast as it is heard, as a provider that streams. */
const speaker: Speaker = {
  async *speak(_, { rate, signal }) {
    const chunk = new Uint8Array((rate * 2 * FRAME_MS) / 1_000)
    const begun = performance.now()
    for (let at = 0; at < REPLY_MS; at += FRAME_MS) {
      const wait = begun + at - performance.now()
      if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait))
      signal.throwIfAborted()
      yield chunk
    }
  },
}

setFlagsFromString('--expose-gc')
const gc: () => void = runInNewContext('gc')

/** Memory after everything that is on its way has come to rest, and the time of the processor before that. */
async function measure() {
  const { system, user } = process.cpuUsage()
  for (let round = 0; round < 5; round++) {
    await new Promise(resolve => setTimeout(resolve, 100))
    gc()
  }
  const { external, heapUsed } = process.memoryUsage()
  return { bytes: heapUsed + external, cpuMs: (system + user) / 1_000 }
}

const platform = createPlatform({ store: createMemoryStore(), runtime: echo, rateLimits: null })
const { token } = await furnish(platform)
/** From the end of each turn to the first audio of its reply, milliseconds. */
let turns: number[] = []
const server = createServer()
const voice = attachVoice(server, platform, {
  ...{ transcriber, speaker, maxCalls: 1_000 },
  onTurn: ({ first_audio_ms, first_text_ms, stt_ms }) => turns.push(stt_ms + first_text_ms + first_audio_ms),
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
await answerParent({ port: typeof address === 'object' ? address?.port : 0 }, async question => {
  if (question === 'measure') return measure()
  if (question === 'turns') {
    const found = turns
    turns = []
    return found
  }
  const enter = await admit(platform, token)
  return Promise.all(Array.from({ length: Number(question) }, async () => (await enter()).query))
})
await voice.close()
server.close()
await platform.close()
process.exit(0)
