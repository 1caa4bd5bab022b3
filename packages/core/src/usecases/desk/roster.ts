import { type DeskRoster, emptyRoster } from '../../domain/conversation/desk-roster.ts'
import type { AccountId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import type { Context } from '../context.ts'
import { untilWritten } from '../shared/until-written.ts'

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
