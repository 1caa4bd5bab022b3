import type { Bus, BusMessage } from '../ports/bus.ts'
import type { NoticeTopic } from '../ports/notices.ts'

/**
 * Returns a bus between several platforms of one process, and the inner half of one between processes. It is never
 * away.
 */
export function createLocalBus(): Bus {
  const topics = new Map<NoticeTopic, Set<(message: BusMessage) => void>>()
  return {
    publish(topic, message) {
      const listening = topics.get(topic)
      // Removed listeners are not called any more. New ones begin with the next message.
      for (const hear of [...(listening ?? [])]) if (listening?.has(hear)) hear(message)
    },
    subscribe(topic, listener) {
      const listening = topics.get(topic) ?? new Set()
      const hear = (message: BusMessage): void => listener.message(message)
      topics.set(topic, listening.add(hear))
      return () => {
        listening.delete(hear)
        if (listening.size === 0 && topics.get(topic) === listening) topics.delete(topic)
      }
    },
  }
}
