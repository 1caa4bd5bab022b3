import type * as z from 'zod'
import { type CallsOf, callsWith } from '../../calls/call.ts'
import { changedFields } from '../../domain/audit/details.ts'
import { filledReply, isReplyFor, type SharedReply } from '../../domain/conversation/shared-reply.ts'
import type { AccountId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import { PlatformError } from '../../errors.ts'
import type { SavedReply } from '../../ports/store/shared-replies.ts'
import { findAccount } from '../access/find-owner.ts'
import { auditEntry } from '../audit/audit-entry.ts'
import type { Acting, Context } from '../context.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import { accountId, handoffId, id } from '../shared/arguments.ts'
import { untilWritten } from '../shared/until-written.ts'
import { conversationOfHandoff } from './find-handoff.ts'
import {
  replyChangeSchema,
  replySchema,
  type SharedReplyChange,
  type SharedReplyInput,
} from './reply-fields.ts'

/** A shared reply that is filled in for a visitor. */
export interface FilledReply extends SharedReply {
  /** The text with the names in the place of its placeholders. */
  readonly filled: string
}

/** Replies that the live agents of an account share (DK553). */
export interface SharedReplies {
  /** Lists the replies of an account, by their codes. */
  list(accountId: AccountId): Promise<readonly SharedReply[]>
  /** Lists those for the visitor of a handoff, filled in, by their codes. @throws HANDOFF_NOT_FOUND */
  filled(accountId: AccountId, handoffId: string): Promise<readonly FilledReply[]>
  /** Adds a reply. @throws REPLY_CODE_TAKEN, REPLIES_LIMIT, PROJECT_NOT_FOUND */
  create(accountId: AccountId, input: SharedReplyInput): Promise<SharedReply>
  /** Changes the given fields. @throws REPLY_NOT_FOUND, REPLY_CODE_TAKEN, PROJECT_NOT_FOUND, WRITE_CONFLICT */
  update(accountId: AccountId, id: string, change: SharedReplyChange): Promise<SharedReply>
  /** Deletes a reply. @throws REPLY_NOT_FOUND */
  delete(accountId: AccountId, id: string): Promise<void>
}

type Deps = Context & { readonly engine: Pick<Engine, 'load'> }
type ActingDeps = Acting & Deps

const notFound = (): PlatformError =>
  new PlatformError('REPLY_NOT_FOUND', 'The account has no shared reply of that id.')

const conflict = (): PlatformError =>
  new PlatformError('WRITE_CONFLICT', 'The reply is being changed too often. Try again.')

/** Returns the error for a reply that was not written. */
function refusalOf(
  result: Exclude<SavedReply, 'saved' | 'stale'>,
  { code }: SharedReply,
  most: number,
): PlatformError {
  switch (result) {
    case 'code_taken':
      return new PlatformError(
        'REPLY_CODE_TAKEN',
        `The code ${JSON.stringify(code)} is taken. Allowed: a code that no other reply has, in any case.`,
      )
    case 'full':
      return new PlatformError('REPLIES_LIMIT', `An account has at most ${most} shared replies.`)
    case 'no_agent':
      return new PlatformError('PROJECT_NOT_FOUND', 'The account has no agent of that id.')
  }
}

const shown = ({ agentId, code, language }: SharedReply): JsonObject => ({ code, agentId, language })

async function create(
  context: ActingDeps,
  ofAccount: AccountId,
  { agentId = null, language = null, ...given }: z.output<ReturnType<typeof replySchema>>,
): Promise<SharedReply> {
  const { clock, ids, settings, store } = context
  const account = await findAccount(context, ofAccount)
  const reply: SharedReply = {
    ...{ ...given, agentId, language, id: `REPLY-${ids.short()}`, accountId: account.id },
    ...{ createdAt: clock.now(), version: 1 },
  }
  const subject = { accountId: account.id, agentId, resourceId: reply.id, details: shown(reply) }
  const audit = auditEntry(context, 'shared_reply.created', subject)
  const result = await store.access.sharedReplies.save(reply, 0, settings.sharedReplies, { audit })
  if (result === 'saved') return reply
  if (result === 'stale') throw new Error(`The id ${reply.id} came twice.`)
  throw refusalOf(result, reply, settings.sharedReplies)
}

async function update(
  context: ActingDeps,
  ofAccount: AccountId,
  replyId: string,
  change: z.output<ReturnType<typeof replyChangeSchema>>,
): Promise<SharedReply> {
  const { settings, store } = context
  const { sharedReplies } = store.access
  return untilWritten(conflict, async () => {
    const before = await sharedReplies.find(ofAccount, replyId)
    if (before === null) throw notFound()
    const next: SharedReply = { ...before, ...change, version: before.version + 1 }
    const changes = {
      ...changedFields(shown(before), shown(next)),
      ...(before.text === next.text ? {} : { text: true }),
    }
    if (Object.keys(changes).length === 0) return before
    const subject = { accountId: ofAccount, agentId: next.agentId, resourceId: replyId, details: { changes } }
    const audit = auditEntry(context, 'shared_reply.changed', subject)
    const result = await sharedReplies.save(next, before.version, settings.sharedReplies, { audit })
    if (result === 'saved') return next
    if (result === 'stale') return 'stale'
    throw refusalOf(result, next, settings.sharedReplies)
  })
}

async function remove(context: ActingDeps, ofAccount: AccountId, replyId: string): Promise<void> {
  const { sharedReplies } = context.store.access
  const before = await sharedReplies.find(ofAccount, replyId)
  if (before === null) throw notFound()
  const { agentId } = before
  const subject = { accountId: ofAccount, agentId, resourceId: replyId, details: shown(before) }
  const audit = auditEntry(context, 'shared_reply.deleted', subject)
  if (!(await sharedReplies.remove(ofAccount, replyId, { audit }))) throw notFound()
}

async function filled(deps: Deps, ofAccount: AccountId, ofHandoff: string): Promise<readonly FilledReply[]> {
  const state = await conversationOfHandoff(deps, { accountId: ofAccount, handoffId: ofHandoff })
  const { agentId, agentName, handoff, visitor } = state
  const values = { visitor: visitor?.name ?? '', agent: agentName, me: handoff?.liveAgent?.name ?? '' }
  const replies = await deps.store.access.sharedReplies.list(ofAccount)
  return replies
    .filter(reply => isReplyFor(reply, agentId))
    .map(reply => ({ ...reply, filled: filledReply(reply.text, values) }))
}

const { call, act } = callsWith<Deps, ActingDeps>()

/** The implementations of the calls about shared replies. */
export const sharedReplyCalls = {
  list: call(
    () => [accountId],
    ({ store }, ofAccount) => store.access.sharedReplies.list(ofAccount),
  ),
  filled: call(() => [accountId, handoffId], filled),
  create: act(({ settings }: Deps) => [accountId, replySchema(settings.limits.sharedReplyLength)], create),
  update: act(
    ({ settings }: Deps) => [accountId, id, replyChangeSchema(settings.limits.sharedReplyLength)],
    update,
  ),
  delete: act(() => [accountId, id], remove),
} satisfies CallsOf<SharedReplies, Deps>
