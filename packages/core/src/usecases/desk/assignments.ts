import * as z from 'zod'
import { type CallsOf, callsWith, type InputOf } from '../../calls/call.ts'
import { changedFields } from '../../domain/audit/details.ts'
import {
  ASSIGNMENT_MODES,
  type AssignmentMode,
  type QueueAssignment,
} from '../../domain/conversation/assignment.ts'
import { queueNameSchema, skillSchema } from '../../domain/conversation/desk-service.ts'
import type { AccountId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import { PlatformError } from '../../errors.ts'
import { findAccount } from '../access/find-owner.ts'
import { auditEntry } from '../audit/audit-entry.ts'
import type { Acting, Context } from '../context.ts'
import { accountId } from '../shared/arguments.ts'
import { untilWritten } from '../shared/until-written.ts'
import type { Assigner } from './assign.ts'

/** The schema of {@link AssignmentInput}. */
export const assignmentSchema = z.object({
  /** `round_robin`: whose last offer is the longest ago. `least_busy`: who has the fewest visitors. */
  mode: z.enum(ASSIGNMENT_MODES),
  /** The skills that a live agent must have, 20 at most; `{language}`: the visitor's language. @default none */
  skills: z.array(skillSchema).max(20).default([]),
})

/** An assignment of a queue to set. */
export type AssignmentInput = InputOf<typeof assignmentSchema>

/** The way in which visitors of a queue are assigned. */
export interface Assignment {
  readonly queueName: string
  readonly mode: AssignmentMode
  readonly skills: readonly string[]
}

/** Assignments of the queues of an account (DK610). A queue without it is for anyone. */
export interface Assignments {
  /** Lists the queues whose visitors are assigned, by name. */
  list(accountId: AccountId): Promise<readonly Assignment[]>
  /** Sets how the visitors of a queue are assigned. @throws QUEUES_LIMIT, WRITE_CONFLICT */
  set(accountId: AccountId, queueName: string, assignment: AssignmentInput): Promise<Assignment>
  /** Removes it. The visitors of the queue are for anyone then. @throws QUEUE_NOT_FOUND */
  remove(accountId: AccountId, queueName: string): Promise<void>
}

type Deps = Context & { readonly assigner: Pick<Assigner, 'changed'> }
type ActingDeps = Acting & Deps

const conflict = (): PlatformError =>
  new PlatformError('WRITE_CONFLICT', 'The assignment is being changed too often. Try again.')

const described = ({ mode, queueName, skills }: QueueAssignment): Assignment => ({ queueName, mode, skills })

const shown = ({ mode, skills }: Pick<Assignment, 'mode' | 'skills'>): JsonObject => ({
  mode,
  skills: [...skills],
})

async function set(
  context: ActingDeps,
  ofAccount: AccountId,
  queueName: string,
  given: z.output<typeof assignmentSchema>,
): Promise<Assignment> {
  const { settings, store } = context
  const { id } = await findAccount(context, ofAccount)
  const { queueAssignments } = store.access
  const written = await untilWritten(conflict, async () => {
    const before = await queueAssignments.find(id, queueName)
    const changes = changedFields(before === null ? {} : shown(before), shown(given))
    if (before !== null && Object.keys(changes).length === 0) return before
    const version = (before?.version ?? 0) + 1
    const next = { ...given, accountId: id, queueName, version }
    const subject = { accountId: id, resourceId: queueName, details: { changes } }
    const audit = auditEntry(context, 'queue.assignment_changed', subject)
    const result = await queueAssignments.save(next, version - 1, settings.deskQueues, { audit })
    if (result === 'full')
      throw new PlatformError(
        'QUEUES_LIMIT',
        `An account has assignments for at most ${settings.deskQueues} queues.`,
      )
    return result === 'stale' ? 'stale' : next
  })
  context.assigner.changed(id)
  return described(written)
}

async function remove(context: ActingDeps, ofAccount: AccountId, queueName: string): Promise<void> {
  const subject = { accountId: ofAccount, resourceId: queueName }
  const audit = auditEntry(context, 'queue.assignment_removed', subject)
  if (!(await context.store.access.queueAssignments.remove(ofAccount, queueName, { audit })))
    throw new PlatformError('QUEUE_NOT_FOUND', 'The account has no assignment for a queue of that name.')
  context.assigner.changed(ofAccount)
}

const { call, act } = callsWith<Deps, ActingDeps>()
const queueName = ['queueName', queueNameSchema] as const

/** The implementations of the calls about the assignments of queues. */
export const assignmentCalls = {
  list: call(
    () => [accountId],
    async ({ store }, ofAccount) => (await store.access.queueAssignments.list(ofAccount)).map(described),
  ),
  set: act(() => [accountId, queueName, assignmentSchema], set),
  remove: act(() => [accountId, queueName], remove),
} satisfies CallsOf<Assignments, Deps>
