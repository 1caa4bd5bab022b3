import * as z from 'zod'
import { type DeskRoster, emptyRoster, withAway } from '../../domain/conversation/desk-roster.ts'
import type { AccountId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import { topics } from '../../ports/notices.ts'
import { findAccount } from '../access/find-owner.ts'
import type { Acting, Context } from '../context.ts'
import { untilWritten } from '../shared/until-written.ts'
import type { Assigner } from './assign.ts'
import { actorOf, type DeskActing, refuseStranger } from './desk-acting.ts'

/** Whether a live agent is away. */
export const awaySchema = ['away', z.boolean()] as const

const conflict = (): PlatformError =>
  new PlatformError('WRITE_CONFLICT', 'The desk is being changed too often. Try again.')

/** Reads the roster of an account. */
export const readRoster = async (
  { store }: Pick<Context, 'store'>,
  accountId: AccountId,
): Promise<DeskRoster> => (await store.access.deskRosters.find(accountId)) ?? emptyRoster(accountId)

/** Changes the roster of an account. Resolves to whether there was something to change. */
export const changeRoster = (
  context: Pick<Context, 'store'>,
  accountId: AccountId,
  decide: (roster: DeskRoster) => DeskRoster | Promise<DeskRoster>,
): Promise<boolean> =>
  untilWritten(conflict, async () => {
    const before = await readRoster(context, accountId)
    const next = await decide(before)
    if (next === before) return false
    const { version } = before
    return (await context.store.access.deskRosters.save({ ...next, version: version + 1 }, version))
      ? true
      : 'stale'
  })

/** See `Desk.setAway`. */
export async function setAway(
  deps: Acting & { readonly assigner: Pick<Assigner, 'changed'> },
  ofAccount: AccountId,
  liveAgentId: string,
  isAway: boolean,
  acting: DeskActing,
): Promise<void> {
  const actor = actorOf(deps.caller, acting)
  if (!actor.isOperator) refuseStranger(actor, liveAgentId, 'liveAgentId')
  const { id } = await findAccount(deps, ofAccount)
  const since = isAway ? deps.clock.now() : null
  const isChanged = await changeRoster(deps, id, roster => withAway(roster, liveAgentId, since))
  if (!isChanged) return
  deps.notices.publish(topics.line(id), { changed: true })
  deps.assigner.changed(id)
}
