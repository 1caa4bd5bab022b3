import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { readFrame, type WireEvent } from './journal.ts'
import { createSignal } from './signal.ts'

/** A socket that shows what goes over the wire. */
export interface WireClient {
  /** Everything that came, batches opened. */
  readonly events: readonly WireEvent[]
  /** The sequences of the first batch. */
  readonly replayed: readonly (number | null)[]
  sendRaw(frame: string | Buffer): void
  send(type: string, payload?: unknown, custom?: Readonly<Record<string, string>>): void
  /** The first event that came after the last one that was waited for and satisfies it. */
  next(wanted: (event: WireEvent) => boolean): Promise<WireEvent>
  readonly closed: Promise<number>
}

/** Opens a socket of a session and waits for its replay. */
export async function openWire(address: string): Promise<WireClient> {
  const socket = new WebSocket(address)
  onTestFinished(() => socket.terminate())
  const signal = createSignal()
  const events: WireEvent[] = []
  let replayed: readonly (number | null)[] | null = null
  let consumed = 0
  socket.on('error', () => {})
  socket.on('message', data => {
    const frame = readFrame(String(data))
    if (frame.batch) replayed ??= frame.events.map(({ sequence }) => sequence)
    events.push(...frame.events)
    signal.changed()
  })
  const closed = new Promise<number>(resolve => socket.on('close', resolve))
  const refused = new Promise<number>(resolve =>
    socket.on('unexpected-response', (_request, { statusCode = 0 }) => {
      resolve(statusCode)
      socket.terminate()
    }),
  )
  await Promise.race([
    signal.until(() => replayed !== null),
    refused.then(status => Promise.reject(new Error(`refused with ${status}`))),
    closed.then(code => Promise.reject(new Error(`closed with ${code} before the replay`))),
  ])
  const sendRaw = (frame: string | Buffer): void => socket.send(frame)
  return {
    events,
    replayed: replayed ?? [],
    closed,
    sendRaw,
    send: (type, payload = {}, custom = {}) =>
      sendRaw(JSON.stringify({ type: `EVENT_TYPE_${type}`, payload, metadata: { custom } })),
    async next(wanted) {
      const find = (): number => events.findIndex((event, index) => index >= consumed && wanted(event))
      await signal.until(() => find() !== -1)
      consumed = find() + 1
      const found = events[consumed - 1]
      if (found === undefined) throw new Error('The frame is gone.')
      return found
    },
  }
}
