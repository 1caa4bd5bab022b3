import { createPlatform, type Telemetry } from '@colloquy/core'
import type { Store } from '@colloquy/core/store'
import type { Connection } from '@colloquy/core/transport'
import { admit, echo, furnish } from './reception.ts'

/** A visitor in process: no network, everything else as it is. */
export interface Visitor {
  /** Says something; resolves when the agent's message has come. */
  ask(text: string): Promise<void>
  leave(): void
}

/** A platform in process, with an agent that visitors can talk to. */
interface Reception {
  /** A visitor in a session that is new, greeted. */
  open(): Promise<Visitor>
  /** Ends the platform; visitors are to leave before. */
  close(): Promise<void>
}

/** A platform over the store. */
export async function openReception(store: Store, telemetry: Telemetry | null = null): Promise<Reception> {
  const seen = telemetry === null ? {} : { telemetry }
  const platform = createPlatform({ store, runtime: echo, rateLimits: null, ...seen })
  const enter = await admit(platform, (await furnish(platform)).token)
  const open = async (): Promise<Visitor> => {
    const { sessionId, accessToken } = await enter()
    const handshake = await platform.messaging.handshake({ sessionId, accessToken, cursor: null })
    if ('status' in handshake) throw new Error(handshake.message)
    let answered = (): void => {}
    const connection: Connection = handshake.open({
      send: frame => {
        if (frame.includes('"EVENT_TYPE_AI_AGENT_MESSAGE"')) answered()
      },
      close: () => {},
      drained: () => Promise.resolve(),
    })
    const send = (type: string, payload: object): Promise<void> =>
      new Promise(resolve => {
        answered = resolve
        connection.receive(JSON.stringify({ type: `EVENT_TYPE_${type}`, payload }))
      })
    await send('REQUEST_AI_AGENT_JOIN', {})
    return { ask: text => send('USER_MESSAGE', { text }), leave: () => connection.closed() }
  }
  return { open, close: () => platform.close() }
}

/** Visitors of a platform over the store, each of them greeted. */
export async function openVisitors(
  store: Store,
  count: number,
  telemetry: Telemetry | null = null,
): Promise<{ readonly visitors: readonly Visitor[]; close(): Promise<void> }> {
  const reception = await openReception(store, telemetry)
  const visitors = await Promise.all(Array.from({ length: count }, reception.open))
  return {
    visitors,
    async close() {
      // As a transport does: sockets go before their platform.
      for (const { leave } of visitors) leave()
      await reception.close()
    },
  }
}
