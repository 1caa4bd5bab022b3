import { WebSocket } from 'ws'
import { answerParent } from '../child.ts'
import { FRAME_MS, ROUND } from './rates.ts'

const RATE = 16_000
const SAMPLES = (RATE * FRAME_MS) / 1_000
/** A frame is late if a player that began with the first one had nothing to play for so long, milliseconds. */
const LATE_MS = 20

const QUIET = new Uint8Array(SAMPLES * 2)
const VOICE = new Uint8Array(
  Int16Array.from({ length: SAMPLES }, (_, at) => (at % 2 === 0 ? 8_000 : -8_000)).buffer,
)

/** Opens a call at a moment. The visitor speaks first after a time, and then in each round. */
async function openCall(url: string, sinceMs: number, firstMs: number) {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  const send = (frame: object): void => socket.send(JSON.stringify(frame))
  let frames = 0
  let late = 0
  let piece = { id: '', playedMs: 0, begun: 0 }
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.once('open', () => send({ type: 'voice.start', rate: RATE }))
    socket.on('message', (data, isBinary) => {
      const now = performance.now()
      if (isBinary) {
        if (piece.playedMs === 0) piece = { ...piece, begun: now }
        frames++
        if (now - piece.begun - piece.playedMs > LATE_MS) late++
        piece.playedMs += FRAME_MS
        return
      }
      const frame = JSON.parse(String(data))
      if (frame.type === 'voice.started') resolve()
      else if (frame.type === 'audio.begin') piece = { id: frame.id, playedMs: 0, begun: now }
      else if (frame.type === 'audio.end')
        send({ type: 'mark', id: frame.id, played_ms: piece.playedMs, done: true })
      else if (frame.type === 'clear')
        send({ type: 'mark', id: piece.id, played_ms: piece.playedMs, cleared: true })
    })
  })
  let atMs = sinceMs
  return {
    /** The microphone has heard more. */
    hear(untilMs: number) {
      for (; atMs < untilMs; atMs += FRAME_MS) {
        const saidMs = atMs - sinceMs - firstMs
        const isVoice = saidMs > 0 && saidMs % ROUND.allMs < ROUND.voiceMs
        if (socket.readyState === WebSocket.OPEN) socket.send(isVoice ? VOICE : QUIET)
      }
    },
    found: () => ({ frames, late, open: socket.readyState === WebSocket.OPEN }),
    forget() {
      frames = 0
      late = 0
    },
    close: () => socket.terminate(),
  }
}

const calls: Awaited<ReturnType<typeof openCall>>[] = []

/** Speaks in all calls for some seconds. */
async function speak(seconds: number) {
  for (const call of calls) call.forget()
  const begun = performance.now()
  const base = spokenMs
  while (performance.now() - begun < seconds * 1_000) {
    spokenMs = base + performance.now() - begun
    for (const call of calls) call.hear(spokenMs)
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  return calls.map(call => call.found())
}

let spokenMs = 0

await answerParent('ready', async question => {
  const asked = question as { readonly urls?: readonly string[]; readonly seconds?: number }
  if (asked.urls !== undefined) {
    const { urls } = asked
    const first = (at: number): number => (at * ROUND.allMs) / urls.length
    calls.push(...(await Promise.all(urls.map((url, at) => openCall(url, spokenMs, first(at))))))
    return calls.length
  }
  return speak(asked.seconds ?? 1)
})
for (const call of calls) call.close()
process.exit(0)
