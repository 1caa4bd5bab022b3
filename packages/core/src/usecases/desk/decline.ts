import { declined, offerOf } from '../../domain/conversation/assignment.ts'
import { ofConversation } from '../../domain/conversation/desk-outcome.ts'
import { isGenuine } from '../../domain/conversation/state.ts'
import { PlatformError } from '../../errors.ts'
import { topics } from '../../ports/notices.ts'
import type { Acting } from '../context.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import type { Assigner } from './assign.ts'
import { actorOf, type DeskActing, refuseStranger } from './desk-acting.ts'
import { conversationOfHandoff, type NamedHandoff } from './find-handoff.ts'
import { changeRoster } from './roster.ts'

type Deps = Acting & {
  readonly assigner: Pick<Assigner, 'changed'>
  readonly engine: Pick<Engine, 'load'>
}

/** See `Desk.decline`. */
export async function decline(
  deps: Deps,
  named: NamedHandoff,
  liveAgentId: string,
  acting: DeskActing,
): Promise<void> {
  const { accountId, handoffId } = named
  refuseStranger(actorOf(deps.caller, acting), liveAgentId, 'agent.id')
  const conversation = await conversationOfHandoff(deps, named)
  const { handoff, kind } = conversation
  const isWaiting = handoff?.id === handoffId && handoff.status === 'waiting'
  const now = deps.clock.now()
  const { offerTime } = deps.settings
  const isDone =
    isWaiting &&
    (await changeRoster(
      deps,
      accountId,
      roster => declined(roster, handoffId, liveAgentId, now),
      before => {
        const offer = offerOf(before, handoffId, now)
        if (offer === null || !isGenuine(kind)) return undefined
        return {
          ...{ ...ofConversation(conversation), id: `${handoffId} ${before.version} declined` },
          ...{ queueName: handoff.queueName, type: 'declined', liveAgent: offer.liveAgent, at: now },
          lasted: Math.max(0, now - (offer.until - offerTime)),
        }
      },
    ))
  if (!isDone)
    throw new PlatformError(
      'HANDOFF_CONFLICT',
      `The visitor is not offered to ${JSON.stringify(liveAgentId)} now. Allowed: an offer that has not ended.`,
    )
  deps.notices.publish(topics.line(accountId), { changed: true })
  deps.assigner.changed(accountId)
}
