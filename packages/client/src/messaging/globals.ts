import type { Fetch, MessagingSocket, Network, StorageArea, Timing } from './ports.ts'

type Listen = (type: string, listener: () => void) => void

/** Globals that a page, a worker or Node may have. */
interface Globals {
  readonly WebSocket?: new (url: string) => MessagingSocket
  readonly fetch?: Fetch
  readonly localStorage?: StorageArea
  readonly location?: { readonly hostname: string; readonly href: string }
  readonly navigator?: { readonly onLine?: boolean }
  readonly addEventListener?: Listen
  readonly removeEventListener?: Listen
  readonly document?: {
    readonly visibilityState: string
    addEventListener: Listen
    removeEventListener: Listen
  }
}

/** Read when it is needed: a page may be given one of them later. */
export const globals = (): Globals => globalThis as Globals

/** The system's clock and chance. */
export const systemTiming: Timing = {
  now: () => Date.now(),
  delay(callback, milliseconds) {
    const timer = setTimeout(callback, milliseconds)
    return () => clearTimeout(timer)
  },
  random: () => Math.random(),
}

/** The browser's network events. Elsewhere the network counts as online. */
export const systemNetwork: Network = {
  isOnline: () => globals().navigator?.onLine !== false,
  watch(listener) {
    const { addEventListener, document, removeEventListener } = globals()
    const online = (): void => listener('online')
    const offline = (): void => listener('offline')
    const seen = (): void => {
      if (document?.visibilityState === 'visible') listener('woken')
    }
    addEventListener?.('online', online)
    addEventListener?.('offline', offline)
    document?.addEventListener('visibilitychange', seen)
    return () => {
      removeEventListener?.('online', online)
      removeEventListener?.('offline', offline)
      document?.removeEventListener('visibilitychange', seen)
    }
  },
}
