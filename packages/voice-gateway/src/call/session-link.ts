import type {
  CallConnection,
  CallProgress,
  CallRecorder,
  ConnectionPort,
  EventNames,
  Handshake,
  SpokenTurn,
} from '@colloquy/core/transport'
import * as z from 'zod'
import type { SessionEvent } from '../domain/session-log.ts'

/** A call's connection to its messaging session, as a client of it. */
export interface SessionLink {
  /** Brings the agent into the session. */
  join(call: string): void
  /** Says something as the visitor. */
  say(text: string, custom: Readonly<Record<string, string>>): void
  /** Tells the platform the latencies of a turn. */
  measured(turn: SpokenTurn): void
  /** Reads the log for events without a notice, unless that was done recently. */
  refresh(): void
  /** Keeps how far the call has come. */
  progressed(progress: CallProgress): Promise<void>
  /** Keeps the call's sound. Null if the host keeps none. */
  readonly recorder: CallRecorder | null
  /** Ends the session, as the visitor. */
  end(): void
  close(): void
  /** Resolves when all that was said has been handled. */
  settled(): Promise<void>
}

/** The receiver of a link's events. */
export interface LinkListener {
  event(event: SessionEvent): void
  /** All events so far have been told: from now on they are new. */
  live(): void
  /** The platform has closed the connection. */
  closed(code: number, reason: string): void
}

const eventSchema = z.object({
  id: z.string(),
  type: z.string(),
  sequence: z.number().nullable(),
  payload: z.record(z.string(), z.unknown()),
  metadata: z.object({ custom: z.record(z.string(), z.string()) }).optional(),
})

const batchSchema = z.object({ events: z.array(eventSchema) })

/** Comes back behind the history: frames take effect in their order. */
const LIVE = 'voice-live'

/** Opens a connection of the session in this process: no socket, the same checks, the same frames. */
export function openLink(
  handshake: Pick<Handshake, 'openCall'>,
  names: EventNames,
  listener: LinkListener,
): SessionLink {
  let connection: CallConnection | null = null
  let isClosed = false

  function tell(given: z.output<typeof eventSchema>): void {
    const type = names.short(given.type)
    const custom = given.metadata?.custom ?? {}
    if (type === 'EVENT_BATCH') for (const one of batchSchema.parse(given.payload).events) tell(one)
    else if (type === 'HEARTBEAT' && custom.voice === LIVE) listener.live()
    else if (type !== null) listener.event({ ...given, type, custom })
  }

  const port: ConnectionPort = {
    send(frame) {
      if (!isClosed) tell(eventSchema.parse(JSON.parse(frame)))
    },
    close(code, reason) {
      if (isClosed) return
      isClosed = true
      connection?.closed()
      listener.closed(code, reason)
    },
    // Events are handled as they come: nothing waits.
    drained: () => Promise.resolve(),
  }

  connection = handshake.openCall(port)
  if (isClosed) connection.closed()
  const send = (type: string, payload: object, custom: Readonly<Record<string, string>>): void => {
    if (!isClosed) connection.receive(JSON.stringify({ type, payload, metadata: { custom } }))
  }
  send(names.wire('HEARTBEAT'), {}, { voice: LIVE })
  return {
    join: call =>
      send(names.wire('REQUEST_AI_AGENT_JOIN'), {}, { client_event_id: `voice.${call}.join`, voice: call }),
    say: (text, custom) => send(names.wire('USER_MESSAGE'), { text }, custom),
    measured: turn => connection.measured(turn),
    refresh: () => connection.refresh(),
    progressed: progress => connection.progressed(progress),
    get recorder() {
      return connection.recorder
    },
    end: () => send(names.wire('USER_END_SESSION'), {}, {}),
    close() {
      if (isClosed) return
      isClosed = true
      connection.closed()
    },
    settled: () => connection.settled(),
  }
}
