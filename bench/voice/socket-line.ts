import { WebSocket } from 'ws'
import type { createHearing, Line } from './call.ts'
import { FRAME_MS } from './rates.ts'

const RATE = 16_000
const SAMPLES = (RATE * FRAME_MS) / 1_000

const QUIET = new Uint8Array(SAMPLES * 2)
const VOICE = new Uint8Array(
  Int16Array.from({ length: SAMPLES }, (_, at) => (at % 2 === 0 ? 8_000 : -8_000)).buffer,
)

/** Calls over a socket. */
export async function openSocketLine(url: string, hearing: ReturnType<typeof createHearing>): Promise<Line> {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  const send = (frame: object): void => socket.send(JSON.stringify(frame))
  let piece = { id: '', playedMs: 0 }
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.once('open', () => send({ type: 'voice.start', rate: RATE }))
    socket.on('message', (data, isBinary) => {
      if (isBinary) {
        if (piece.playedMs === 0) hearing.begin()
        hearing.frame(piece.playedMs)
        piece.playedMs += FRAME_MS
        return
      }
      const frame = JSON.parse(String(data))
      if (frame.type === 'voice.started') resolve()
      else if (frame.type === 'audio.begin') piece = { id: frame.id, playedMs: 0 }
      else if (frame.type === 'audio.end')
        send({ type: 'mark', id: frame.id, played_ms: piece.playedMs, done: true })
      else if (frame.type === 'clear')
        send({ type: 'mark', id: piece.id, played_ms: piece.playedMs, cleared: true })
    })
  })
  return {
    send: isVoice => socket.send(isVoice ? VOICE : QUIET),
    isOpen: () => socket.readyState === WebSocket.OPEN,
    close: () => socket.terminate(),
  }
}
