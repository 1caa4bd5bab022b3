import { once } from 'node:events'
import { createServer } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createPlatform } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { attachVoice, type Speaker, type SpokenTurn, type Transcriber } from '@colloquy/voice-gateway'
import { attachWebrtc } from '@colloquy/voice-gateway/webrtc'
import { z } from 'zod'
import { answerParent } from '../child.ts'
import { admit, echo, furnish } from '../reception.ts'
import { watchPackets } from './packets.ts'
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
const takeLate = watchPackets()
const parts = {
  ...{ transcriber, speaker, maxCalls: 1_000 },
  onTurn: ({ first_audio_ms, first_text_ms, stt_ms }: SpokenTurn) =>
    turns.push(stt_ms + first_text_ms + first_audio_ms),
}
const server = createServer()
const sockets = attachVoice(server, platform, parts)
// Callers are silent while others are still being connected.
const webrtc = attachWebrtc(server, platform, {
  ...{ ...parts, media: { address: '127.0.0.1' }, mediaDeadline: 60_000, connectionDeadline: 60_000 },
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
const host = `ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`

/** Returns the addresses of so many calls. */
async function addressesOf({ calls, over }: z.output<typeof asked>) {
  const all = Array.from({ length: calls })
  if (over === 'webrtc') return all.map(() => ({ url: `${host}/api/v1/webrtc/signal`, token }))
  const enter = await admit(platform, token)
  return Promise.all(all.map(async () => `${host}/voice${(await enter()).query}`))
}

const asked = z.object({ calls: z.number(), over: z.enum(['sockets', 'webrtc']) })
await answerParent('ready', async question => {
  if (question === 'measure') return measure()
  if (question === 'late') return takeLate()
  if (question === 'turns') {
    const found = turns
    turns = []
    return found
  }
  return addressesOf(asked.parse(question))
})
await sockets.close()
await webrtc.close()
server.close()
await platform.close()
process.exit(0)
