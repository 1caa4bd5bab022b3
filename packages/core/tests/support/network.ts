import type { ConversationId } from '../../src/domain/ids.ts'
import { createLocalBus } from '../../src/local-bus.ts'
import type { Bus, Notice } from '../../src/ports/bus.ts'

/** A notice on its way to a process. */
export interface Parcel {
  readonly to: number
  readonly id: ConversationId
  readonly notice: Notice
}

/** A broker between processes, of which none can be relied upon: it may lose, double and delay. */
export interface Network {
  /** The bus of one more process: its own notices it hears at once, those of others as the network delivers them. */
  bus(): Bus
  /** `at once`: as they are published. `by hand`: they wait in `waiting`. `never`: they are lost. @default at once */
  delivery: 'at once' | 'by hand' | 'never'
  readonly waiting: Parcel[]
  /** Delivers the waiting notice of that place; with `keep` it stays and comes again. */
  deliver(index?: number, keep?: boolean): void
}

/** Notices pass as JSON, as they would through a broker. */
export function createNetwork(): Network {
  const processes: Bus[] = []
  const waiting: Parcel[] = []
  const hand = ({ to, id, notice }: Parcel): void =>
    processes[to]?.publish(id, JSON.parse(JSON.stringify(notice)))

  const network: Network = {
    delivery: 'at once',
    waiting,
    bus() {
      const own = createLocalBus()
      const index = processes.push(own) - 1
      return {
        publish(id, notice) {
          own.publish(id, notice)
          for (const to of processes.keys()) {
            if (to === index || network.delivery === 'never') continue
            if (network.delivery === 'at once') hand({ to, id, notice })
            else waiting.push({ to, id, notice })
          }
        },
        subscribe: own.subscribe,
      }
    },
    deliver(index = 0, keep = false) {
      const [parcel] = keep ? waiting.slice(index, index + 1) : waiting.splice(index, 1)
      if (parcel !== undefined) hand(parcel)
    },
  }
  return network
}
