import type { ConversationState } from '../../domain/conversation/state.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { Context } from '../context.ts'
import { Feed } from './feed.ts'

/** The feeds of this process: one for each conversation that someone watches. */
export interface Feeds {
  /** The conversation's feed, which lasts until each of those who opened it has released it. */
  open(state: ConversationState): OpenFeed
}

/** Someone's hold on a feed. */
export interface OpenFeed {
  readonly feed: Feed
  /** Called once. */
  release(): void
}

/** No feed is open. */
export function createFeeds(context: Context): Feeds {
  const open = new Map<ConversationId, { readonly feed: Feed; holders: number }>()
  return {
    open(state) {
      const entry = open.get(state.id) ?? { feed: new Feed(context, state), holders: 0 }
      open.set(state.id, entry)
      entry.holders++
      return {
        feed: entry.feed,
        release() {
          if (--entry.holders > 0) return
          open.delete(entry.feed.id)
          entry.feed.close()
        },
      }
    },
  }
}
