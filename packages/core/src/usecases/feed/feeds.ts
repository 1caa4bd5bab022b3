import type { ConversationState } from '../../domain/conversation/state.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { Context } from '../context.ts'
import { createHeld, type Hold } from '../shared/held.ts'
import { Feed } from './feed.ts'

/** The feeds of this process: one for each watched conversation. */
export interface Feeds {
  /** The conversation's feed, which stays open until every hold on it is released. */
  open(state: ConversationState): Hold<Feed>
}

/** Opens feeds on demand. */
export function createFeeds(context: Context): Feeds {
  const held = createHeld<ConversationId, Feed>(feed => feed.close())
  return { open: state => held.hold(state.id, () => new Feed(context, state)) }
}
