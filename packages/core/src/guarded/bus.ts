import { callHost } from '../call-host.ts'
import { createLocalBus } from '../local-bus.ts'
import type { Bus } from '../ports/bus.ts'
import type { Settings } from '../settings.ts'

/**
 * The host's bus, as the platform uses it (EN14): a notice that it does not take is lost to other processes, and nothing else is.
 * A broker that is away must not undo what is stored, nor hide it from those who listen in this process.
 *
 * @param onError told of what the bus throws, or rejects with where it is asynchronous
 */
export function guardBus(bus: Bus, onError: Settings['onError']): Bus {
  /** What the bus did not take, for everyone here. */
  const refused = createLocalBus(onError)
  /** Everything that is said here, for those whom the bus did not let subscribe. */
  const unheard = createLocalBus(onError)

  function subscribe(
    conversationId: Parameters<Bus['subscribe']>[0],
    listener: Parameters<Bus['subscribe']>[1],
  ) {
    try {
      const stop: unknown = bus.subscribe(conversationId, listener)
      if (typeof stop === 'function') return () => Reflect.apply(stop, bus, [])
      callHost(
        () => stop,
        () => undefined,
      )
      throw new TypeError('bus.subscribe must return a function that ends the subscription.')
    } catch (error) {
      onError(error, 'bus subscribe')
      return null
    }
  }

  return {
    publish(conversationId, notice) {
      unheard.publish(conversationId, notice)
      callHost(
        () => bus.publish(conversationId, notice),
        error => {
          onError(error, 'bus publish')
          refused.publish(conversationId, notice)
        },
      )
    },
    subscribe(conversationId, listener) {
      const stop = subscribe(conversationId, listener)
      const stopHere = (stop === null ? unheard : refused).subscribe(conversationId, listener)
      return () => {
        stopHere()
        if (stop !== null) callHost(stop, error => onError(error, 'bus subscribe'))
      }
    },
  }
}
