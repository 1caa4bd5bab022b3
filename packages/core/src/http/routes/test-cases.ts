import * as z from 'zod'
import { recordedCaseSchema } from '../../domain/agent/case-from-record.ts'
import { testCaseSchema } from '../../domain/agent/test-case.ts'
import type { TestCaseRecord } from '../../usecases/agent-tests/test-cases.ts'
import type * as wire from '../answers/content.ts'
import { describeRoute, type Route } from '../route.ts'
import { BRANCH_PATH, changeExpecting, ofBranch, removedId } from './agents-api.ts'
import { namedResourceRoutes } from './named-resources.ts'

const testCase = testCaseSchema.shape
const change = z.object({
  name: testCase.name.exactOptional(),
  turns: testCase.turns.exactOptional(),
  visitor: testCase.visitor,
  functionResults: testCase.functionResults.exactOptional(),
  variantId: testCase.variantId.exactOptional(),
  isActive: testCase.isActive.exactOptional(),
})

const onWire = ({
  id,
  name,
  turns,
  visitor = null,
  ...rest
}: TestCaseRecord): z.input<typeof wire.testCase> => ({
  id,
  name,
  turns,
  visitor,
  ...rest,
})

/** Test cases of a branch, which are content as any other (SPEC, Agent tests). */
export const testCaseRoutes: readonly Route[] = [
  ...namedResourceRoutes({
    path: '/test-cases',
    idPath: '/:testCaseId',
    params: ofBranch.params.extend({ testCaseId: z.string() }),
    idOf: params => params.testCaseId,
    noun: 'test case',
    names: ['TestCase', 'TestCases'],
    newBody: change.extend({ ...removedId, name: testCase.name }),
    changeBody: changeExpecting(change),
    writesShow: false,
    onWire,
    calls: agents => agents.testCases,
  }),
  describeRoute({
    ...ofBranch,
    method: 'POST',
    path: `${BRANCH_PATH}/test-cases/from-conversation`,
    operation: 'createTestCaseFromConversation',
    summary: 'Make a test case of a conversation, with what should have happened',
    body: recordedCaseSchema,
    async handle({ platform, params: { agentId, branchId }, body }) {
      const made = await platform.agents.testCases.createFromConversation(agentId, branchId, body)
      return { status: 201, json: onWire(made) }
    },
  }),
]
