import type { DeskOutcome } from '../../domain/conversation/desk-outcome.ts'
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

/**
 * Changes the roster of an account. Resolves to whether there was something to change.
 *
 * @param outcomeOf the outcome for figures that is written with the change @default none
 */
export const changeRoster = (
  context: Pick<Context, 'store'>,
  accountId: AccountId,
  decide: (roster: DeskRoster) => DeskRoster | Promise<DeskRoster>,
  outcomeOf: (before: DeskRoster) => DeskOutcome | undefined = () => undefined,
): Promise<boolean> =>
  untilWritten(conflict, async () => {
    const before = await readRoster(context, accountId)
    const next = await decide(before)
    if (next === before) return false
    const { version } = before
    const written = { ...next, version: version + 1 }
    return (await context.store.access.deskRosters.save(written, version, outcomeOf(before))) ? true : 'stale'
  })
