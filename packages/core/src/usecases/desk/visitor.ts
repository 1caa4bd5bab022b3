import type { VisitorDevice, VisitorPage } from '../../domain/conversation/arrival.ts'
import { publicId } from '../../domain/conversation/conversation-key.ts'
import { channelOf } from '../../domain/conversation/project-record.ts'
import { type Rating, ratingIn } from '../../domain/conversation/rating.ts'
import { type ConversationState, isGenuine } from '../../domain/conversation/state.ts'
import type { SessionVisitor } from '../../domain/conversation/visitor.ts'
import type { AccountId, AgentId, ConversationId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import { conversationOfHandoff } from './find-handoff.ts'

/** An earlier conversation of a visitor. */
export interface PastConversation {
  readonly agentId: AgentId
  readonly conversationId: ConversationId
  readonly channel: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** Null while it is in progress. */
  readonly endedAt: number | null
  /** The visitor's rating of it, 1 to 5. Null without one. */
  readonly score: number | null
}

/** The facts about a visitor that live agents see beside the conversation (DK640). */
export interface DeskVisitor {
  /** The visitor's identity as the host gave it. Null for a visitor without a name. */
  readonly visitor: SessionVisitor | null
  /** The language of the conversation, as a tag of BCP 47. */
  readonly language: string | null
  readonly page: VisitorPage | null
  readonly device: VisitorDevice | null
  /** The visitor's rating of this conversation. */
  readonly rating: Rating | null
  /** The attributes that the host's server gave when the conversation began. */
  readonly attributes: JsonObject
  /** The newest context that the host has signed. Null without one. */
  readonly verified: JsonObject | null
  /** At most 10, newest first. Those of visitors whom the host has named alone. */
  readonly earlier: readonly PastConversation[]
}

/** Earlier conversations that are shown. */
const EARLIER = 10

type Deps = Pick<Context, 'store'> & { readonly engine: Pick<Engine, 'load'> }

async function earlierOf({ engine, store }: Deps, { accountId, id, visitor }: ConversationState) {
  if (visitor === null) return []
  const { visitors } = store.conversations
  const found = await visitors.conversations(accountId, { visitorId: visitor.id }, null, EARLIER + 1)
  const others = found
    .map(one => one.id)
    .filter(one => one !== id)
    .slice(0, EARLIER)
  const states = await Promise.all(others.map(one => engine.load(one)))
  return states.flatMap((state): readonly PastConversation[] =>
    state === null || !isGenuine(state.kind)
      ? []
      : [
          {
            agentId: state.agentId,
            conversationId: publicId(state.id),
            channel: channelOf(state),
            startedAt: state.startedAt,
            endedAt: state.endedAt,
            score: ratingIn(state.metrics)?.score ?? null,
          },
        ],
  )
}

/** See `Desk.visitor`. */
export async function readVisitor(deps: Deps, accountId: AccountId, handoffId: string): Promise<DeskVisitor> {
  const state = await conversationOfHandoff(deps, { accountId, handoffId })
  const { arrival, asrLanguage, record, ttsLanguage, visitor } = state
  return {
    visitor,
    language: ttsLanguage ?? asrLanguage ?? record.language,
    page: arrival?.page ?? null,
    device: arrival?.device ?? null,
    rating: ratingIn(state.metrics),
    attributes: state.integrationAttributes,
    verified: state.verifiedContext,
    earlier: await earlierOf(deps, state),
  }
}
