import { createLocalBus } from './local-bus.ts'
import type { Bus } from './ports/bus.ts'
import type { Settings } from './settings.ts'

/**
 * The host's bus, as the platform uses it (EN14): a notice that it does not take is lost to other processes, and nothing else is.
 * A broker that is away must not undo what is stored, nor hide it from those who listen in this process.
 *
 * @param onError told of what `publish` throws, or rejects with where it is asynchronous
 */
export function guardBus(bus: Bus, onError: Settings['onError']): Bus {
  const here = createLocalBus(onError)
  return {
    publish(conversationId, notice) {
      const refused = (error: unknown): void => {
        onError(error, 'bus publish')
        here.publish(conversationId, notice)
      }
      try {
        // To the types, an asynchronous function is a `publish` as well.
        const sent: unknown = bus.publish(conversationId, notice)
        if (sent instanceof Promise) sent.catch(refused)
      } catch (error) {
        refused(error)
      }
    },
    subscribe(conversationId, listener) {
      const stops = [bus.subscribe(conversationId, listener), here.subscribe(conversationId, listener)]
      return () => {
        for (const stop of stops) stop()
      }
    },
  }
}
