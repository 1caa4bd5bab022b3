import { once } from 'node:events'
import { createServer } from 'node:http'
import { createSignal } from '@colloquy/test-support/signal'
import { onTestFinished } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { listenOn } from '../../../../test-support/src/messaging-host.ts'

type Frame = Readonly<Record<string, unknown>>

/**
 * A server that speaks the protocol of voice, and decides nothing: tests say what it answers. It admits each socket at
 * once, and asks for the audio behind what it has.
 */
export async function startVoiceGateway() {
  const signal = createSignal()
  const server = createServer()
  const sockets = new WebSocketServer({ server })
  const frames: Frame[] = []
  const urls: string[] = []
  let socket: WebSocket | null = null
  let bytes = 0
  let admits = true
  sockets.on('connection', (opened, request) => {
    socket = opened
    urls.push(request.url ?? '')
    opened.on('message', (data: Buffer, isBinary) => {
      if (isBinary) bytes += data.length
      else {
        const frame: Frame = JSON.parse(data.toString())
        frames.push(frame)
        if (frame.type === 'voice.start' && admits)
          say({ type: 'voice.started', call: 'one', rate: 24_000, from_ms: bytes / 32 })
      }
      signal.changed()
    })
    opened.on('close', signal.changed)
    signal.changed()
  })
  const port = await listenOn(server)
  onTestFinished(async () => {
    for (const client of sockets.clients) client.terminate()
    server.close()
    await once(server, 'close')
  })
  function say(frame: Frame | Uint8Array): void {
    socket?.send(frame instanceof Uint8Array ? frame : JSON.stringify(frame))
  }
  return {
    url: `ws://127.0.0.1:${port}/voice?session_id=s&access_token=t`,
    frames,
    urls,
    say,
    get bytes() {
      return bytes
    },
    /** Sockets are not answered any more, or again. */
    admit(wanted: boolean): void {
      admits = wanted
    },
    cut: () => socket?.terminate(),
    close: (code: number) => socket?.close(code),
    get isOpen() {
      return [...sockets.clients].some(({ readyState, OPEN }) => readyState === OPEN)
    },
    until: (holds: () => boolean) => signal.until(holds),
  }
}
