import { EventEmitter } from 'eventemitter3'
import type { Bus, BusMessage } from '../ports/bus.ts'
import type { NoticeTopic } from '../ports/notices.ts'

/**
 * A bus between several platforms of one process, and the inner half of one between processes (LB1 to LB4). It is never
 * away.
 */
export function createLocalBus(): Bus {
  const emitter = new EventEmitter<Record<NoticeTopic, (message: BusMessage) => void>>()
  return {
    publish: (topic, message) => void emitter.emit(topic, message),
    subscribe(topic, listener) {
      const hear = (message: BusMessage): void => listener.message(message)
      emitter.on(topic, hear)
      return () => void emitter.off(topic, hear)
    },
  }
}
