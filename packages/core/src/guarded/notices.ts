import type { Bus } from '../ports/bus.ts'
import type { Notice, NoticeListener, Notices, NoticeTopic, Subscription } from '../ports/notices.ts'
import type { Settings } from '../settings/settings.ts'
import { callHost } from '../shared/call-host.ts'

/** The host's subscription to one topic, which everyone here who listens to it shares. */
interface HostSubscription {
  listeners: number
  readonly stop: () => void
}

/** What listeners hear: a notice, or null for a gap. */
type Heard = Notice | null

/**
 * Who listens to each topic. A map and no emitter of events, which keeps its thousands of names as properties of one
 * object: V8 finds a key of a map faster. Lists are replaced, never changed: one that is being told stays as it is.
 */
type Listeners = Map<NoticeTopic, readonly OpenSubscription[]>

/** What the subscriptions of a process share. */
interface Shared {
  readonly listeners: Listeners
  /** Told of the end of each subscription; null where there is no bus. */
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
 * Notices of this process and, where the host has a bus, of the others (EN14). What is said here is heard here whether
 * or not it gets through to the bus: a broker that is away hides nothing from those who listen in this process. Long,
 * because subscribing, hearing and leaving share the subscriptions.
 *
 * @param from the name of this process on the bus
 * @param onError called with what the bus throws, or rejects with where it is asynchronous
 */
export function createNotices(bus: Bus | null, from: string, onError: Settings['onError']): Notices {
  const listeners: Listeners = new Map()
  const subscriptions = new Map<NoticeTopic, HostSubscription>()

  function tell(topic: NoticeTopic, heard: Heard): void {
    const told = listeners.get(topic)
    if (told !== undefined) for (const one of told) one.hear(heard)
  }

  function listenTo(host: Bus, topic: NoticeTopic): () => void {
    const listener = {
      message(message: { readonly from: string; readonly notice: Notice }) {
        if (message.from !== from) tell(topic, message.notice)
      },
      gap: () => tell(topic, null),
    }
    try {
      const stop: unknown = host.subscribe(topic, listener)
      if (typeof stop === 'function') return () => Reflect.apply(stop, host, [])
      callHost(
        () => stop,
        () => undefined,
      )
      throw new TypeError('bus.subscribe must return a function that ends the subscription.')
    } catch (error) {
      onError(error, 'bus subscribe')
      return () => undefined
    }
  }

  function join(host: Bus, topic: NoticeTopic): void {
    const known = subscriptions.get(topic)
    if (known === undefined) subscriptions.set(topic, { listeners: 1, stop: listenTo(host, topic) })
    else known.listeners++
  }

  function leave(topic: NoticeTopic): void {
    const known = subscriptions.get(topic)
    if (known === undefined || --known.listeners > 0) return
    subscriptions.delete(topic)
    callHost(known.stop, error => onError(error, 'bus subscribe'))
  }

  const shared: Shared = {
    listeners,
    left: bus === null ? null : leave,
    failed: error => onError(error, 'notice'),
  }

  return {
    publish(topic, notice) {
      tell(topic, notice)
      if (bus === null) return
      callHost(
        () => bus.publish(topic, { from, notice }),
        error => onError(error, 'bus publish'),
      )
    },

    subscribe(topic: NoticeTopic, listener: NoticeListener<Notice>) {
      const subscription = new OpenSubscription(shared, topic, listener)
      if (bus !== null) join(bus, topic)
      return subscription
    },
  }
}
