import { fieldsOf, number, text } from './fields.ts'
import { globals } from './globals.ts'
import type { MessagingStorage, StorageArea } from './ports.ts'
import type { Pending, Session } from './state.ts'

/** Keeps a session as long as the program runs. */
export function memoryStorage(): MessagingStorage {
  const entries = new Map<string, string>()
  return {
    read: () => Object.fromEntries(entries),
    write: (key, value) => void entries.set(key, value),
    remove: key => void entries.delete(key),
  }
}

/**
 * Keeps a session in the browser: over reloads, and for all tabs of the origin, which then share the conversation.
 *
 * @param options.name before all keys; conversations with several connectors need one each. @default 'colloquy'
 * @param options.area `sessionStorage` gives each tab a conversation of its own. @default localStorage
 */
export function browserStorage({
  name = 'colloquy',
  area,
}: {
  readonly name?: string
  readonly area?: StorageArea
} = {}): MessagingStorage {
  const prefix = `${name}:`
  // If a page may store nothing, reading `localStorage` throws.
  const found = (): StorageArea => {
    const storage = area ?? globals().localStorage
    if (storage === undefined) throw new Error('There is no localStorage here. Use the option `area`.')
    return storage
  }
  return {
    read() {
      const storage = found()
      const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
      return Object.fromEntries(
        keys
          .filter(key => key.startsWith(prefix))
          .map(key => [key.slice(prefix.length), storage.getItem(key) ?? '']),
      )
    },
    write: (key, value) => found().setItem(prefix + key, value),
    remove: key => found().removeItem(prefix + key),
  }
}

const SESSION = 'session'
const PENDING = 'pending.'
const STREAMS = 'no-sockets'
const IDENTITY = 'identity'

/** The time for which a client uses streams before it tries sockets again, milliseconds. */
const STREAMS_FOR = 3_600_000

const parse = (json: string | undefined): unknown => {
  try {
    return JSON.parse(json ?? '')
  } catch {
    return null
  }
}

function sessionOf(json: string | undefined): Session | null {
  const stored = fieldsOf(parse(json))
  const token = fieldsOf(stored.token)
  const [issuedAt, expiresAt] = [number(token, 'issuedAt'), number(token, 'expiresAt')]
  const [id, value] = [text(stored, 'id'), text(token, 'value')]
  if (id === '' || value === '' || issuedAt === null || expiresAt === null) return null
  return { id, token: { value, issuedAt, expiresAt } }
}

function pendingOf(key: string, json: string): readonly Pending[] {
  const stored = fieldsOf(parse(json))
  const kind = text(stored, 'kind')
  if (kind !== 'message' && kind !== 'end') return []
  const nullable = (name: string): string | null => (stored[name] === null ? null : text(stored, name))
  return [
    {
      id: key.slice(PENDING.length),
      kind,
      text: text(stored, 'text'),
      ...(Array.isArray(stored.files) && { files: stored.files }),
      problem: nullable('problem'),
      session: nullable('session'),
    },
  ]
}

/** Data that a client finds when it starts. */
export interface Found {
  readonly session: Session | null
  readonly pending: readonly Pending[]
  /** Streams are used until then, milliseconds since the epoch; 0 where sockets get through. */
  readonly streamsUntil: number
  /** Identity to which it belongs; null for an unknown visitor. */
  readonly identity: string | null
}

/** Nothing at all. */
const NOTHING: Found = { session: null, pending: [], streamsUntil: 0, identity: null }

/** Reads a client's data from its storage. Unreadable entries count as missing. */
export function findStored(entries: Readonly<Record<string, string>>): Found {
  const pending = Object.entries(entries)
    .filter(([key]) => key.startsWith(PENDING))
    .map(([key, json]) => ({ at: number(fieldsOf(parse(json)), 'at') ?? 0, found: pendingOf(key, json) }))
    .sort((one, other) => one.at - other.at)
    .flatMap(({ found }) => found)
  const streamsUntil = Number(entries[STREAMS] ?? 0)
  return {
    session: sessionOf(entries[SESSION]),
    pending,
    streamsUntil: Math.max(streamsUntil || 0, 0),
    identity: entries[IDENTITY] ?? null,
  }
}

const isPromise = (value: unknown): value is Promise<unknown> => value instanceof Promise

/** Returns the storage as the client uses it: it goes on where nothing can be kept. */
export function createKeeper(storage: MessagingStorage) {
  /** The place of each pending event among the others. */
  const places = new Map<string, number>()
  let next = 0
  const quietly = (act: () => unknown): void => {
    try {
      const result = act()
      if (isPromise(result)) result.catch(() => {})
    } catch {
      // Nothing is kept: the conversation ends with the page.
    }
  }
  /** At once where the storage answers at once, so that no other tab comes between. */
  function read(use: (found: Found) => void): void {
    const take = (entries: Readonly<Record<string, string>>): void => {
      const found = findStored(entries)
      for (const { id } of found.pending) places.set(id, next++)
      use(found)
    }
    try {
      const entries = storage.read()
      if (isPromise(entries)) entries.then(take, () => use(NOTHING))
      else take(entries)
    } catch {
      use(NOTHING)
    }
  }
  return {
    read,
    /**
     * Stores a session, unless another client of the storage was first: then `taken` is called with the other one.
     * Stores nothing if the storage belongs to another visitor by now.
     */
    storeSession(session: Session, identity: string | null, taken: (other: Session) => void): void {
      read(({ session: other, identity: owner }) => {
        if (owner !== identity) return
        if (other !== null && other.id !== session.id) taken(other)
        else quietly(() => storage.write(SESSION, JSON.stringify(session)))
      })
    },
    storeIdentity(identity: string | null): void {
      quietly(() => (identity === null ? storage.remove(IDENTITY) : storage.write(IDENTITY, identity)))
    },
    keepToStreams(now: number): void {
      quietly(() => storage.write(STREAMS, String(now + STREAMS_FOR)))
    },
    forgetSession(id: string): void {
      read(({ session }) => {
        if (session?.id === id) quietly(() => storage.remove(SESSION))
      })
    },
    storePending({ id, ...pending }: Pending, now: number): void {
      const at = places.get(id) ?? now
      places.set(id, at)
      quietly(() => storage.write(PENDING + id, JSON.stringify({ ...pending, at })))
    },
    forgetPending(id: string): void {
      places.delete(id)
      quietly(() => storage.remove(PENDING + id))
    },
  }
}
