import { EventEmitter } from 'eventemitter3'
import { callHost } from './call-host.ts'
import type { ConversationId } from './domain/ids.ts'
import type { Bus, Notice } from './ports/bus.ts'
import type { Settings } from './settings.ts'

/**
 * A bus within one process (LB1 to LB4): every listener of a conversation gets its notices during `publish`, each once,
 * in the order in which they were published. A notice that a listener publishes comes after the one being delivered.
 *
 * @param onError told of what a listener throws; the other listeners and the publisher do not notice. @default tells nobody
 */
export function createLocalBus(onError: Settings['onError'] = () => {}): Bus {
  const emitter = new EventEmitter<Record<string, (notice: Notice) => void>>()
  const waiting: { readonly conversationId: ConversationId; readonly notice: Notice }[] = []
  let delivering = false

  return {
    publish(conversationId, notice) {
      waiting.push({ conversationId, notice })
      if (delivering) return
      delivering = true
      try {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
          emitter.emit(next.conversationId, next.notice)
      } finally {
        // Reached early only when onError throws: the bus goes on with the next notice.
        delivering = false
      }
    },

    subscribe(conversationId, listener) {
      let subscribed = true
      const deliver = (notice: Notice): void => {
        // The emitter still calls those who left while it was delivering.
        if (!subscribed) return
        callHost(
          () => listener(notice),
          error => onError(error, 'bus listener'),
        )
      }
      emitter.on(conversationId, deliver)
      return () => {
        subscribed = false
        emitter.off(conversationId, deliver)
      }
    },
  }
}
