/** An event of a socket, for its listeners: `data` of a message, `code` of a close. */
export interface SocketEvent {
  readonly type: string
  readonly data?: unknown
  readonly code?: number
}

/** A WebSocket, as browsers, Node from version 22 on, and the package `ws` have it. */
export interface MessagingSocket {
  send(frame: string): void
  close(code?: number): void
  addEventListener(type: 'message' | 'close' | 'error', listener: (event: SocketEvent) => void): void
}

/** Opens a socket. */
export type OpenSocket = (url: string) => MessagingSocket

/** An answer over HTTP, as `fetch` gives it. */
export interface HttpAnswer {
  readonly ok: boolean
  readonly status: number
  readonly headers: { get(name: string): string | null }
  json(): Promise<unknown>
}

/** Calls over HTTP, as `fetch` does. */
export type Fetch = (
  url: string,
  request: {
    readonly method: string
    readonly headers: Record<string, string>
    readonly body?: string | Blob
    readonly signal: AbortSignal
  },
) => Promise<HttpAnswer>

/** Time and chance. */
export interface Timing {
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls back once, after that many milliseconds. Returns what stops it. */
  delay(callback: () => void, milliseconds: number): () => void
  /** From 0 to below 1. */
  random(): number
}

/** Reports whether the device has a network, and changes of that. */
export interface Network {
  isOnline(): boolean
  /** `woken`: the page is seen again. Returns what ends it. */
  watch(listener: (change: 'online' | 'offline' | 'woken') => void): () => void
}

/**
 * Storage in which a session outlives its page. All entries are texts. If a method throws or rejects, nothing is kept.
 */
export interface MessagingStorage {
  /** Returns all entries that were written and not removed. */
  read(): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
  write(key: string, value: string): void | Promise<void>
  remove(key: string): void | Promise<void>
}

/** The browser's `Storage`: `localStorage`, `sessionStorage`. */
export interface StorageArea {
  readonly length: number
  key(index: number): string | null
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}
