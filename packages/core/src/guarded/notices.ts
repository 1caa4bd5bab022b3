import { EventEmitter } from 'eventemitter3'
import type { Bus } from '../ports/bus.ts'
import type { Notice, NoticeListener, Notices, NoticeTopic } from '../ports/notices.ts'
import type { Settings } from '../settings/settings.ts'
import { callHost } from '../shared/call-host.ts'

/** The host's subscription to one topic, which everyone here who listens to it shares. */
interface Subscription {
  listeners: number
  readonly stop: () => void
}

/** What listeners hear: a notice, or null for a gap. */
type Heard = Notice | null

/**
 * Notices of this process and, where the host has a bus, of the others (EN14). What is said here is heard here whether
 * or not it gets through to the bus: a broker that is away hides nothing from those who listen in this process. Long,
 * because subscribing, hearing and leaving share the subscriptions.
 *
 * @param from the name of this process on the bus
 * @param onError called with what the bus throws, or rejects with where it is asynchronous
 */
export function createNotices(bus: Bus | null, from: string, onError: Settings['onError']): Notices {
  const emitter = new EventEmitter<Record<string, (heard: Heard) => void>>()
  const subscriptions = new Map<NoticeTopic, Subscription>()

  function listenTo(host: Bus, topic: NoticeTopic): () => void {
    const listener = {
      message(message: { readonly from: string; readonly notice: Notice }) {
        if (message.from !== from) emitter.emit(topic, message.notice)
      },
      gap: () => void emitter.emit(topic, null),
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

  return {
    publish(topic, notice) {
      emitter.emit(topic, notice)
      if (bus === null) return
      callHost(
        () => bus.publish(topic, { from, notice }),
        error => onError(error, 'bus publish'),
      )
    },

    subscribe(topic: NoticeTopic, listener: NoticeListener<Notice>) {
      let subscribed = true
      const hear = (heard: Heard): void => {
        // The emitter still calls those who left while it was delivering.
        if (!subscribed) return
        try {
          if (heard === null) listener.gap()
          else listener.notice(heard)
        } catch (error) {
          onError(error, 'notice')
        }
      }
      emitter.on(topic, hear)
      if (bus !== null) join(bus, topic)
      return () => {
        if (!subscribed) return
        subscribed = false
        emitter.off(topic, hear)
        if (bus !== null) leave(topic)
      }
    },
  }
}
