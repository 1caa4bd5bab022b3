import type { ConversationKind, ConversationState } from '../../../domain/conversation/state.ts'
import type { ConversationId } from '../../../domain/ids.ts'
import { createLastUsed } from '../../shared/last-used.ts'

/** A conversation as a command is decided on. */
export interface LoadedConversation {
  readonly state: ConversationState
  readonly version: number
  /** As in `StoredConversation`; none of a cached conversation. */
  readonly pendingExternalEvents: readonly string[]
  /** The state that was written whole last, where this process has done it: what has changed since is told from it. */
  readonly whole: ConversationState | null
  /** True when it comes from the cache: the store may have a later version. */
  readonly cached: boolean
}

/** The conversations that this process wrote last. */
export interface StateCache {
  /** Null when it is not cached. */
  get(id: ConversationId): LoadedConversation | null
  /** Caches what was written, with no external event pending. */
  keep(state: ConversationState, version: number, whole: ConversationState): void
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
  debug: false,
  recorded: false,
  test: false,
}

const NO_EVENTS: readonly string[] = []

/** @param most how many conversations; those used last are kept */
export function createStateCache(most: number): StateCache {
  /** One entry for each open conversation that was written; changed in place, which is cheaper than a new one. */
  const entries = createLastUsed<ConversationId, { loaded: LoadedConversation | null }>(most)

  function put(state: ConversationState, loaded: LoadedConversation | null): void {
    const { id } = state
    if (state.endedAt !== null || state.kind === 'recorded') {
      entries.delete(id)
      return
    }
    const entry = entries.get(id)
    if (entry === undefined) entries.set(id, { loaded })
    else entry.loaded = loaded
  }

  return {
    get: id => entries.get(id)?.loaded ?? null,
    keep(state, version, whole) {
      const loaded = { state, version, pendingExternalEvents: NO_EVENTS, whole, cached: true }
      put(state, HAS_OWN_ID[state.kind] ? loaded : null)
    },
    forget(id) {
      const entry = entries.peek(id)
      if (entry !== undefined) entry.loaded = null
    },
    note: state => put(state, null),
    open: () => [...entries.keys()],
  }
}
