import type { Bus, BusListener, BusMessage } from '../../packages/core/src/ports/bus.ts'
import type { NoticeTopic } from '../../packages/core/src/ports/notices.ts'

/** A message on its way to a process. */
export interface Parcel {
  readonly to: number
  readonly topic: NoticeTopic
  readonly message: BusMessage
}

/** An unreliable broker between processes: it may lose, repeat and delay messages. */
export interface Network {
  /** The bus of one more process: what others say comes as the network delivers it. */
  bus(): Bus
  /** `at once`: as they are published. `by hand`: they wait in `waiting`. `never`: they are lost. @default at once */
  delivery: 'at once' | 'by hand' | 'never'
  readonly waiting: Parcel[]
  /** Delivers the waiting message of that place; with `keep` it stays and comes again. */
  deliver(index?: number, keep?: boolean): void
  /** Tells every subscription that messages may have been lost. */
  gap(): void
}

/** Messages pass as JSON, as they would through a broker. */
export function createNetwork(): Network {
  const processes: Map<NoticeTopic, Set<BusListener>>[] = []
  const waiting: Parcel[] = []
  const hand = ({ to, topic, message }: Parcel): void => {
    for (const listener of [...(processes[to]?.get(topic) ?? [])])
      listener.message(JSON.parse(JSON.stringify(message)))
  }

  const network: Network = {
    delivery: 'at once',
    waiting,
    bus() {
      const own: (typeof processes)[number] = new Map()
      const index = processes.push(own) - 1
      return {
        publish(topic, message) {
          for (const to of processes.keys()) {
            if (to === index || network.delivery === 'never') continue
            if (network.delivery === 'at once') hand({ to, topic, message })
            else waiting.push({ to, topic, message })
          }
        },
        subscribe(topic, listener) {
          const listeners = own.get(topic) ?? new Set()
          own.set(topic, listeners.add(listener))
          return () => {
            listeners.delete(listener)
            if (listeners.size === 0) own.delete(topic)
          }
        },
      }
    },
    deliver(index = 0, keep = false) {
      const [parcel] = keep ? waiting.slice(index, index + 1) : waiting.splice(index, 1)
      if (parcel !== undefined) hand(parcel)
    },
    gap() {
      for (const topics of processes)
        for (const listeners of [...topics.values()]) for (const listener of [...listeners]) listener.gap()
    },
  }
  return network
}
