import * as z from 'zod'
import { type CallsOf, callsWith, type InputOf } from '../../calls/call.ts'
import { properNameSchema } from '../../domain/agent/proper-name.ts'
import type { SavedView } from '../../domain/conversation/saved-view.ts'
import type { AccountId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import { findAccount } from '../access/find-owner.ts'
import { auditEntry } from '../audit/audit-entry.ts'
import type { Acting, Context } from '../context.ts'
import { accountId } from '../shared/arguments.ts'
import { untilWritten } from '../shared/until-written.ts'

const MOST_FILTERS = 30

const nameSchema = properNameSchema(80)

/** The schema of {@link SavedViewInput}. */
export const savedViewSchema = z.object({
  /** Without spaces around it, at most 80 characters. A view of that name, in any case, is replaced. */
  name: z.string().trim().pipe(nameSchema),
  /** At most 30 filters, by their names in the address: names of 40 characters, values of 1,000. */
  filters: z
    .record(z.string().min(1).max(40), z.string().max(1_000))
    .refine(
      filters => Object.keys(filters).length <= MOST_FILTERS,
      `must have at most ${MOST_FILTERS} filters`,
    ),
})

/** A view to save. */
export type SavedViewInput = InputOf<typeof savedViewSchema>

/** Views of the list of conversations that the people of an account share (RC605). */
export interface SavedViews {
  /** Lists the views of an account, by name. */
  list(accountId: AccountId): Promise<readonly SavedView[]>
  /** Saves a view, over one of that name. @throws VIEWS_LIMIT, ACCOUNT_NOT_FOUND, WRITE_CONFLICT */
  save(accountId: AccountId, view: SavedViewInput): Promise<SavedView>
  /** Deletes the view of a name. @throws VIEW_NOT_FOUND */
  delete(accountId: AccountId, name: string): Promise<void>
}

const conflict = (): PlatformError =>
  new PlatformError('WRITE_CONFLICT', 'The view is being changed too often. Try again.')

async function save(
  context: Acting,
  ofAccount: AccountId,
  given: z.output<typeof savedViewSchema>,
): Promise<SavedView> {
  const { settings, store } = context
  const { id } = await findAccount(context, ofAccount)
  const { savedViews } = store.access
  return untilWritten(conflict, async () => {
    const version = (await savedViews.find(id, given.name))?.version ?? 0
    const view: SavedView = { ...given, accountId: id, version: version + 1 }
    const audit = auditEntry(context, 'view.saved', { accountId: id, resourceId: given.name })
    const result = await savedViews.save(view, version, settings.savedViews, { audit })
    if (result === 'full')
      throw new PlatformError('VIEWS_LIMIT', `An account has at most ${settings.savedViews} saved views.`)
    return result === 'stale' ? 'stale' : view
  })
}

async function remove(context: Acting, ofAccount: AccountId, name: string): Promise<void> {
  const audit = auditEntry(context, 'view.deleted', { accountId: ofAccount, resourceId: name })
  if (!(await context.store.access.savedViews.remove(ofAccount, name, { audit })))
    throw new PlatformError('VIEW_NOT_FOUND', 'The account has no saved view of that name.')
}

const { call, act } = callsWith<Context>()

/** The implementations of the calls about saved views. */
export const savedViewCalls = {
  list: call(
    () => [accountId],
    ({ store }, ofAccount) => store.access.savedViews.list(ofAccount),
  ),
  save: act(() => [accountId, savedViewSchema], save),
  delete: act(() => [accountId, ['name', z.string().min(1).max(200)]], remove),
} satisfies CallsOf<SavedViews, Context>
