import type {
  OnPlatformEvent,
  PlatformEvent,
  PlatformEvents,
  PlatformEventType,
} from '../../domain/conversation/platform-event.ts'
import { PlatformError } from '../../errors.ts'
import type { Settings } from '../../settings/settings.ts'
import { callHost } from '../../shared/call-host.ts'

type Listener<Type extends PlatformEventType> = (event: PlatformEvents[Type]) => void

/** The parties in this process that are notified of events: the host, the log and the figures. */
export interface Observers {
  /** As `Platform.on`. */
  readonly on: OnPlatformEvent
  /** Notifies all observers of an event. To be called once the event is written. Never throws. */
  tell<Type extends PlatformEventType>(event: PlatformEvent<Type>): void
}

type Listeners = { readonly [Type in PlatformEventType]: Set<Listener<Type>> }

/** @param onError called with errors of listeners that throw or reject; the others are still called (EM1) */
export function createObservers(onError: Settings['onError']): Observers {
  const listeners: Listeners = {
    'conversation.started': new Set(),
    'conversation.completed': new Set(),
    'handoff.requested': new Set(),
    'handoff.accepted': new Set(),
    'handoff.failed': new Set(),
    'handoff.returned': new Set(),
    'handoff.transferred': new Set(),
    'turn.completed': new Set(),
    'turn.failed': new Set(),
    'turn.spoken': new Set(),
    'words.redacted': new Set(),
    'words.guarded': new Set(),
    'deployment.created': new Set(),
  }
  return {
    on<Type extends PlatformEventType>(type: Type, listener: Listener<Type>) {
      if (!Object.hasOwn(listeners, type))
        throw new PlatformError(
          'SCHEMA_VALIDATION_FAILED',
          `There is no event ${JSON.stringify(type)}. Allowed: ${Object.keys(listeners).join(', ')}.`,
        )
      if (typeof listener !== 'function')
        throw new PlatformError('SCHEMA_VALIDATION_FAILED', `The listener of ${type} must be a function.`)
      const those: Set<Listener<Type>> = listeners[type]
      // One of its own for each call: a function that listens twice is called twice, and stops once at a time.
      const guarded: Listener<Type> = event =>
        callHost(
          () => listener(event),
          error => onError(error, `listener of ${type}`),
        )
      those.add(guarded)
      return () => void those.delete(guarded)
    },
    tell<Type extends PlatformEventType>({ type, event }: PlatformEvent<Type>) {
      const those: Set<Listener<Type>> = listeners[type]
      for (const listener of those) listener(event)
    },
  }
}
