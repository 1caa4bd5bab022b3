import type { ConversationKind, ConversationState } from '../../../domain/conversation/state.ts'
import type { StateChanges } from '../../../domain/conversation/state-changes.ts'
import type { ConversationId } from '../../../domain/ids.ts'
import { createLastUsed } from '../../shared/last-used.ts'

/** A conversation as a command is decided on. */
export interface LoadedConversation {
  readonly state: ConversationState
  readonly version: number
  /** As in `StoredConversation`; none of a cached conversation. */
  readonly pendingExternalEvents: readonly string[]
  /** What has changed since the state was written whole; null where another process has done that. */
  readonly sinceWhole: StateChanges | null
  /** True when it comes from the cache: the store may have a later version. */
  readonly cached: boolean
}

/** The conversations that this process wrote last. */
export interface StateCache {
  /** Null when it is not cached. */
  get(id: ConversationId): LoadedConversation | null
  /** Caches what was written, with no external event pending. */
  keep(state: ConversationState, version: number, sinceWhole: StateChanges): void
  /** The next command reads the conversation from the store. */
  forget(id: ConversationId): void
  /** Remembers that this process has written the conversation, and nothing else of it. */
  note(state: ConversationState): void
  /** Open conversations that this process has written: their deadlines move with a step of the clock. */
  open(): readonly ConversationId[]
}

/**
 * Kinds whose ids the platform generates, so that no id is used twice and states may be cached. An id that a caller
 * chose can be used again once its conversation was removed: a cached state of the first conversation would pass for
 * the second one's of the same version (EN50). A test's id can be used again too: a released attempt is repeated under
 * its number (TE23).
 */
const HAS_OWN_ID: Readonly<Record<ConversationKind, boolean>> = {
  messaging: true,
  chat: true,
  text: true,
  debug: false,
  recorded: false,
  test: false,
}

const NO_EVENTS: readonly string[] = []

/** What is kept of an open conversation. Changed in place, which is cheaper than a new one for every write. */
interface Entry {
  /** Null when the next command reads the conversation from the store. */
  state: ConversationState | null
  version: number
  sinceWhole: StateChanges | null
}

/** @param most how many conversations; those used last are kept */
export function createStateCache(most: number): StateCache {
  const entries = createLastUsed<ConversationId, Entry>(most)

  /** The entry of the conversation, while it is open. */
  function entryOf(state: ConversationState): Entry | null {
    const { id, endedAt, kind } = state
    if (endedAt !== null || kind === 'recorded') {
      entries.delete(id)
      return null
    }
    // Every command has just asked for it.
    const known = entries.peek(id)
    if (known !== undefined) return known
    const entry = { state: null, version: 0, sinceWhole: null }
    entries.set(id, entry)
    return entry
  }

  function forget(entry: Entry | null | undefined): void {
    if (!entry) return
    entry.state = null
    entry.sinceWhole = null
  }

  return {
    get(id) {
      const entry = entries.get(id)
      if (!entry || entry.state === null) return null
      const { state, version, sinceWhole } = entry
      return { state, version, pendingExternalEvents: NO_EVENTS, sinceWhole, cached: true }
    },
    keep(state, version, sinceWhole) {
      const entry = entryOf(state)
      if (entry === null || !HAS_OWN_ID[state.kind]) return
      entry.state = state
      entry.version = version
      entry.sinceWhole = sinceWhole
    },
    forget: id => forget(entries.peek(id)),
    note: state => forget(entryOf(state)),
    open: () => [...entries.keys()],
  }
}
