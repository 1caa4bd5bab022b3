import type { Bus } from '../ports/bus.ts'
import type { Notice, NoticeListener, Notices, NoticeTopic, Subscription } from '../ports/notices.ts'
import { createHostBus, type HostBusOptions } from './bus/host-bus.ts'

/** The host's subscription to one topic, which everyone here who listens to it shares. */
interface HostSubscription {
  listeners: number
  readonly stop: () => void
}

/** The news for listeners: a notice, or null for a gap. */
type Heard = Notice | null

/**
 * The listeners of each topic.
 * A map and no event emitter, which keeps its thousands of names as properties of one object: V8 finds a key of a map
 * faster. Lists are replaced, never changed: one that is being notified stays as it is.
 */
type Listeners = Map<NoticeTopic, readonly OpenSubscription[]>

/** The state that the subscriptions of a process share. */
interface Shared {
  readonly listeners: Listeners
  /** Called at the end of each subscription; null if there is no bus. */
  readonly left: ((topic: NoticeTopic) => void) | null
  readonly failed: (error: unknown) => void
}

const NOBODY: readonly OpenSubscription[] = []

/** A class, because each open conversation has one: two functions and their scope would take four times the room. */
class OpenSubscription implements Subscription {
  readonly #shared: Shared
  readonly #topic: NoticeTopic
  /** Null once it has ended: those who left while a notice was delivered are still called. */
  #listener: NoticeListener<Notice> | null

  constructor(shared: Shared, topic: NoticeTopic, listener: NoticeListener<Notice>) {
    this.#shared = shared
    this.#topic = topic
    this.#listener = listener
    shared.listeners.set(topic, (shared.listeners.get(topic) ?? NOBODY).concat(this))
  }

  hear(heard: Heard): void {
    try {
      if (heard === null) this.#listener?.gap()
      else this.#listener?.notice(heard)
    } catch (error) {
      this.#shared.failed(error)
    }
  }

  end(): void {
    if (this.#listener === null) return
    this.#listener = null
    const { left, listeners } = this.#shared
    const others = (listeners.get(this.#topic) ?? NOBODY).filter(other => other !== this)
    if (others.length === 0) listeners.delete(this.#topic)
    else listeners.set(this.#topic, others)
    left?.(this.#topic)
  }
}

/**
 * Notices of this process and, if the host has a bus, of the others (BU7). Listeners in this process get its notices
 * even if the bus fails: an outage of the broker hides nothing from them.
 */
export function createNotices(bus: Bus | null, options: HostBusOptions): Notices {
  const { onError } = options
  const listeners: Listeners = new Map()
  const subscriptions = new Map<NoticeTopic, HostSubscription>()

  function tell(topic: NoticeTopic, heard: Heard): void {
    const told = listeners.get(topic)
    if (told !== undefined) for (const one of told) one.hear(heard)
  }

  const others =
    bus === null ? null : createHostBus(bus, options, { notice: tell, gap: topic => tell(topic, null) })

  function join(topic: NoticeTopic): void {
    if (others === null) return
    const known = subscriptions.get(topic)
    if (known === undefined) subscriptions.set(topic, { listeners: 1, stop: others.subscribe(topic) })
    else known.listeners++
  }

  function leave(topic: NoticeTopic): void {
    const known = subscriptions.get(topic)
    if (known === undefined || --known.listeners > 0) return
    subscriptions.delete(topic)
    known.stop()
  }

  const shared: Shared = {
    listeners,
    left: others === null ? null : leave,
    failed: error => onError(error, 'notice'),
  }

  return {
    others,
    publish(topic, notice) {
      tell(topic, notice)
      others?.publish(topic, notice)
    },

    subscribe(topic: NoticeTopic, listener: NoticeListener<Notice>) {
      const subscription = new OpenSubscription(shared, topic, listener)
      join(topic)
      return subscription
    },
  }
}
