import * as z from 'zod'
import type { Connection } from '../usecases/messaging/connection-port.ts'
import type { Handshake, HandshakeRefusal } from '../usecases/messaging/handshake.ts'
import type { Messaging } from '../usecases/messaging/messaging.ts'

const receivedSchema = z.object({
  id: z.string(),
  sequence: z.number().nullable(),
  timestamp: z.string(),
  type: z.string(),
  payload: z.record(z.string(), z.unknown()),
  metadata: z.object({ custom: z.record(z.string(), z.string()) }).optional(),
})

/** An event as a client reads it. */
export type ReceivedEvent = z.output<typeof receivedSchema>

const batchSchema = z.object({ events: z.array(receivedSchema) })

/** Returns the events of a received `EVENT_BATCH`; empty for anything else. */
export function batchEvents(event: ReceivedEvent): readonly ReceivedEvent[] {
  const batch = batchSchema.safeParse(event.payload)
  return event.type === 'EVENT_TYPE_EVENT_BATCH' && batch.success ? batch.data.events : []
}

/**
 * A visitor's socket without a network. What either side sends lies still until it is flushed, so that a test decides
 * in which order things happen.
 */
export interface SocketPair {
  /** The client sends a frame: text as it is, anything else as JSON. */
  send(frame: unknown): void
  /** The client closes, or its network is gone. Frames that it sent before still arrive, ahead of the close. */
  close(): void
  /** All events that the client has received, oldest first. */
  readonly received: readonly ReceivedEvent[]
  /** Returns the received events, with the events of batches in place of the batches. */
  events(): readonly ReceivedEvent[]
  /** The code and reason with which the server closed the socket. Null while it is open. */
  readonly closedBy: { readonly code: number; readonly reason: string } | null
  /** Frames that wait to be received by the client. */
  readonly pending: number
  /** Moves the client's frames to the server, without waiting for the responses. */
  flushToServer(): void
  /** Moves what the server sent to the client; with a number, at most that many frames. */
  flushToClient(frames?: number): void
  /** Moves frames both ways until every frame was handled and nothing lies still. */
  flush(): Promise<void>
  /** The platform's side. */
  readonly connection: Connection
}

/**
 * Opens an accepted handshake over a new pair. The function is long, because both ends share the frames in progress.
 */
export function openSocketPair(handshake: Handshake): SocketPair {
  const toServer: (string | null)[] = []
  const toClient: string[] = []
  const received: ReceivedEvent[] = []
  let closedBy: SocketPair['closedBy'] = null
  let clientGone = false
  const drained: (() => void)[] = []

  const connection = handshake.open({
    send(frame) {
      if (closedBy === null) toClient.push(frame)
    },
    close(code, reason) {
      if (closedBy !== null) return
      closedBy = { code, reason }
      toServer.push(null)
      wake()
    },
    drained: () => {
      if (clientGone || toClient.length === 0) return Promise.resolve()
      return new Promise(resolve => drained.push(resolve))
    },
  })

  function wake(): void {
    for (const resolve of drained.splice(0)) resolve()
  }

  function flushToServer(): void {
    for (const frame of toServer.splice(0)) {
      if (frame === null) {
        connection.closed()
        wake()
      } else connection.receive(frame)
    }
  }

  function flushToClient(frames = Number.POSITIVE_INFINITY): void {
    for (let moved = 0; moved < frames; moved++) {
      const frame = toClient.shift()
      if (frame === undefined) break
      if (!clientGone) received.push(receivedSchema.parse(JSON.parse(frame)))
    }
    if (toClient.length === 0) wake()
  }

  async function flush(): Promise<void> {
    let settled = false
    const settle = (): Promise<void> =>
      connection.settled().then(() => {
        settled = true
      })
    do {
      settled = false
      flushToServer()
      void settle()
      // A paced replay waits for the client to read, so the client goes on reading while the server settles.
      while (!settled) {
        flushToClient()
        await macrotask()
      }
      flushToClient()
    } while (toServer.length > 0 || toClient.length > 0)
  }

  return {
    send(frame) {
      toServer.push(typeof frame === 'string' ? frame : JSON.stringify(frame))
    },
    close() {
      if (clientGone) return
      clientGone = true
      toServer.push(null)
    },
    received,
    events: () =>
      received.flatMap(event => (event.type === 'EVENT_TYPE_EVENT_BATCH' ? batchEvents(event) : [event])),
    get closedBy() {
      return closedBy
    },
    get pending() {
      return toClient.length
    },
    flushToServer,
    flushToClient,
    flush,
    connection,
  }
}

/** Lets pending input and output of stores run. */
const macrotask = (): Promise<void> => new Promise(resolve => globalThis.setTimeout(resolve, 0))

/** Makes the handshake and opens the pair. @throws Error with status and text when the handshake is refused */
export async function connectSocketPair(
  messaging: Messaging,
  input: { readonly sessionId: string; readonly accessToken: string; readonly cursor?: string },
): Promise<SocketPair> {
  const handshake = await messaging.handshake({ cursor: null, ...input })
  if (isRefusal(handshake))
    throw new Error(`The handshake was refused: ${handshake.status} ${handshake.message}`)
  return openSocketPair(handshake)
}

/** True when a handshake was refused. */
export const isRefusal = (handshake: Handshake | HandshakeRefusal): handshake is HandshakeRefusal =>
  'status' in handshake
