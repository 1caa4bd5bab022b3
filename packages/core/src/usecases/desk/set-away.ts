import * as z from 'zod'
import { withAway } from '../../domain/conversation/desk-roster.ts'
import type { AccountId } from '../../domain/ids.ts'
import { topics } from '../../ports/notices.ts'
import { findAccount } from '../access/find-owner.ts'
import type { Acting } from '../context.ts'
import type { Assigner } from './assign.ts'
import { actorOf, type DeskActing, refuseStranger } from './desk-acting.ts'
import { changeRoster } from './roster.ts'

/** Whether a live agent is away. */
export const awaySchema = ['away', z.boolean()] as const

interface Wish {
  readonly liveAgentId: string
  readonly isAway: boolean
}

/** See `Desk.setAway`. */
export async function setAway(
  deps: Acting & { readonly assigner: Pick<Assigner, 'changed'> },
  ofAccount: AccountId,
  { isAway, liveAgentId }: Wish,
  acting: DeskActing,
): Promise<void> {
  const actor = actorOf(deps.caller, acting)
  if (!actor.isOperator) refuseStranger(actor, liveAgentId, 'liveAgentId')
  const { id } = await findAccount(deps, ofAccount)
  const since = isAway ? deps.clock.now() : null
  if (!(await changeRoster(deps, id, roster => withAway(roster, liveAgentId, since)))) return
  deps.notices.publish(topics.line(id), { changed: true })
  deps.assigner.changed(id)
}
