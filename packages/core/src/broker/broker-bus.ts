import type { Bus } from '../ports/bus.ts'
import type { NoticeTopic } from '../ports/notices.ts'
import { systemIds } from '../system/system.ts'
import { atMost } from './at-most.ts'
import type { CheckedSettings } from './check-settings.ts'
import { asError, type Connect, type Connection } from './connection.ts'
import { createLink } from './link.ts'
import { Outbox } from './outbox.ts'
import { createReports } from './reports.ts'
import { isFrom, read, write, writeGap } from './said.ts'
import { createSubscriptions } from './subscriptions.ts'

/** The parts of a bus over a broker. */
export interface BrokerBusOptions {
  /** The broker's name in messages, for example "Redis at localhost:6379". */
  readonly broker: string
  readonly connect: Connect
  /** The broker's name for a topic. No two topics may share one. */
  readonly channelOf: (topic: NoticeTopic) => string
  /** True if one connection cannot both listen and publish: there are two then. @default false */
  readonly separate?: boolean
  readonly settings: CheckedSettings
}

/** A bus over a broker. */
export interface BrokerBus extends Bus {
  /** Sends the remaining notices, if the broker still takes them, and ends the connections. */
  close(): Promise<void>
}

/** The longest wait of `close` for the broker to take pending notices, milliseconds. */
const FAREWELL = 1_000

/**
 * Returns a bus between processes over the channels of a broker (BK1 to BK6). It connects in the background, and again
 * whenever the broker was away; every listener is then notified of a gap. Long, because it wires what listens to what
 * speaks.
 */
export function createBrokerBus({
  broker,
  connect,
  channelOf,
  separate = false,
  settings: { log, timing, maxWaiting },
}: BrokerBusOptions): BrokerBus {
  const name = systemIds.short()
  const reports = createReports(log, broker)
  let closed = false

  const outbox = new Outbox({
    most: maxWaiting,
    gap: writeGap(name),
    refused: error =>
      reports.often(`${broker} refuses notices, and they are lost.`, { reason: asError(error).message }),
  })
  const subscriptions = createSubscriptions((connection, error) => listens.lose(connection, asError(error)))

  function hear(channel: string, text: string): void {
    const listener = subscriptions.listenerOf(channel)
    if (listener === undefined || isFrom(name, text)) return
    const message = read(text)
    if (message === 'gap') listener.gap()
    else if (message !== null) listener.message(message)
    else foreign({ channel })
  }
  const foreign = (fields: Readonly<Record<string, unknown>> = {}): void =>
    reports.often(`What is no notice came over ${broker}, and is ignored.`, fields)

  const links = separate ? 2 : 1
  const working = new Set<object>()
  /** Keeps a connection that publishes, one that listens, or one that does both. */
  function link({ publishes, listens }: { readonly publishes: boolean; readonly listens: boolean }) {
    const self = {}
    return createLink({
      connect: ended => connect({ message: hear, foreign, ended }),
      timing,
      up(connection: Connection) {
        working.add(self)
        if (publishes) outbox.connected(connection)
        if (listens) subscriptions.connected(connection)
        if (working.size === links) reports.back(outbox.takeLost())
      },
      down(cause) {
        working.delete(self)
        if (publishes) outbox.disconnected()
        if (listens) subscriptions.disconnected()
        reports.away(cause)
      },
    })
  }
  const listens = link({ listens: true, publishes: !separate })
  const publishes = separate ? link({ listens: false, publishes: true }) : listens

  return {
    publish(topic, message) {
      outbox.add([channelOf(topic), write(name, message)])
    },
    subscribe: (topic, listener) => subscriptions.add(channelOf(topic), listener),
    async close() {
      if (closed) return
      closed = true
      await atMost(FAREWELL, outbox.drained())
      outbox.close()
      subscriptions.disconnected()
      publishes.close()
      listens.close()
    },
  }
}
