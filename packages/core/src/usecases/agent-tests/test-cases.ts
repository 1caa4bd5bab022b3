import * as z from 'zod'
import { type CallsOf, callsWith, type InputOf } from '../../calls/call.ts'
import { caseOf, type RecordedCase, recordedCaseSchema } from '../../domain/agent/case-from-record.ts'
import {
  TEST_CASE_LIMITS,
  type TestCase,
  testCaseSchema,
  writtenTestCaseSchema,
} from '../../domain/agent/test-case.ts'
import { isKind, type ResourceOf } from '../../domain/agent/tree.ts'
import type { AgentId, BranchId, ConversationId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import { resourceIn } from '../agents/branches/branch-view.ts'
import { namedResources, updating } from '../agents/content/named-resources.ts'
import type { Expecting } from '../agents/content/refuse-changed.ts'
import { type AgentsDeps, requireAgent } from '../agents/deps.ts'
import { keyOf } from '../conversation/engine/conversation-key.ts'
import { agentId, anyOf, branchId, naming, text } from '../shared/arguments.ts'
import { checked } from '../shared/checked.ts'
import { recordedTurns } from './recorded-turns.ts'

/** A test case with its id. */
export type TestCaseRecord = TestCase & { readonly id: string }

/** A conversation, and its right course. */
export type ConversationCase = InputOf<typeof recordedCaseSchema>

/** Test cases of a branch. They are content: versioned, merged and deployed with it (TE1). */
export interface TestCases {
  /** Lists the test cases of a branch, by name. */
  list(agentId: AgentId, branchId: BranchId): Promise<readonly TestCaseRecord[]>
  /** Returns a test case of a branch. @throws TEST_CASE_NOT_FOUND */
  read(agentId: AgentId, branchId: BranchId, testCaseId: string): Promise<TestCaseRecord>
  /**
   * Creates a test case, with turns or a visitor who talks back (TE80). By default it is active, for the default
   * variant and without function results. The id of one that was removed from the branch restores that one (AG76).
   * @throws TEST_CASE_ALREADY_EXISTS, VARIANT_NOT_FOUND
   */
  create(
    agentId: AgentId,
    branchId: BranchId,
    input: Pick<TestCase, 'name'> & Partial<TestCase> & { readonly id?: string },
  ): Promise<TestCaseRecord>
  /**
   * Creates a test case of a conversation or debug chat: its visitor's messages with what should have happened after
   * them, or a visitor who talks back. What the agent replied then is never an expectation. Reads its first
   * 100 turns (TE89).
   * @throws CONVERSATIONS_NOT_FOUND, TEST_CASE_ALREADY_EXISTS, VARIANT_NOT_FOUND
   */
  createFromConversation(
    agentId: AgentId,
    branchId: BranchId,
    input: ConversationCase,
  ): Promise<TestCaseRecord>
  /**
   * Changes the given fields, if those that are `expected` are as expected.
   * @throws TEST_CASE_NOT_FOUND, TEST_CASE_ALREADY_EXISTS, VARIANT_NOT_FOUND, CONTENT_CHANGED
   */
  update(
    agentId: AgentId,
    branchId: BranchId,
    testCaseId: string,
    change: Expecting<Partial<TestCase>>,
  ): Promise<TestCaseRecord>
  /** Removes a test case from a branch. @throws TEST_CASE_NOT_FOUND */
  delete(agentId: AgentId, branchId: BranchId, testCaseId: string): Promise<void>
}

const testCases = namedResources<ResourceOf<'test_cases'>>({
  kind: 'test_cases',
  noun: 'test case',
  idPrefix: 'TESTCASE',
  defaults: { turns: [], functionResults: {}, variantId: null, isActive: true },
  most: TEST_CASE_LIMITS.testCases,
  notFound: 'TEST_CASE_NOT_FOUND',
  nameTaken: 'TEST_CASE_ALREADY_EXISTS',
  is: isKind('test_cases'),
  make: (id, value) => ({ kind: 'test_cases', id, value: checked(writtenTestCaseSchema, value) }),
  async onWrite(deps, view, { value: { variantId } }, before) {
    // A test case that was removed meanwhile does no harm: the run says that it is gone (TE10).
    if (variantId === null || variantId === before?.value.variantId) return []
    if ((await resourceIn(deps, view, 'variants', variantId)) !== null) return []
    throw new PlatformError('VARIANT_NOT_FOUND', `There is no variant ${variantId} on this branch.`)
  },
})

/** See `TestCases.createFromConversation`. */
async function createFromConversation(
  deps: AgentsDeps,
  agentId: AgentId,
  branchId: BranchId,
  wanted: RecordedCase,
): Promise<TestCaseRecord> {
  const { store, settings } = deps.context
  const { conversationId } = wanted
  const { accountId } = await requireAgent(deps, agentId)
  const load = async (id: ConversationId) => (await store.conversations.load(id))?.state ?? null
  const state = await load(await keyOf({ load }, agentId, conversationId))
  if (state === null || state.kind === 'test' || state.agentId !== agentId || state.accountId !== accountId)
    throw new PlatformError('CONVERSATIONS_NOT_FOUND', `The agent has no conversation ${conversationId}.`)
  const { turns } = await recordedTurns(store, settings, state.id)
  const made = caseOf(turns, state.record.variantId, wanted)
  if ('reason' in made) throw new PlatformError('SCHEMA_VALIDATION_FAILED', made.reason)
  return testCases.create(deps, agentId, branchId, made.value)
}

const { call } = callsWith<AgentsDeps>()
const testCaseId = ['testCaseId', text] as const

type NewTestCase = Parameters<TestCases['create']>[2]
const turns = z.array(z.object({ text: z.unknown(), expectations: z.unknown() }))
const fields = (more: z.ZodRawShape) => anyOf(testCaseSchema, { turns: turns.optional(), ...more })

/** The implementations of the calls about test cases. */
export const testCaseCalls = {
  list: call(() => [agentId, branchId], testCases.list),
  read: call(() => [agentId, branchId, testCaseId], testCases.read),
  create: call(
    () => [agentId, branchId, naming<NewTestCase>(fields({ id: z.unknown().optional() }))],
    testCases.create,
  ),
  createFromConversation: call(() => [agentId, branchId, recordedCaseSchema], createFromConversation),
  update: call(
    () => [
      agentId,
      branchId,
      testCaseId,
      naming<Expecting<Partial<TestCase>>>(fields({ expected: fields({}).optional() })),
    ],
    updating(testCases),
  ),
  delete: call(() => [agentId, branchId, testCaseId], testCases.delete),
} satisfies CallsOf<TestCases, AgentsDeps>
