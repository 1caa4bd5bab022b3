import * as z from 'zod'
import { testCaseSchema } from '../../domain/agent/test-case.ts'
import type * as wire from '../answers/content.ts'
import type { Route } from '../route.ts'
import { changeExpecting, ofBranch, removedId } from './agents-api.ts'
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

/** Test cases of a branch, which are content as any other (SPEC, Agent tests). */
export const testCaseRoutes: readonly Route[] = namedResourceRoutes({
  path: '/test-cases',
  idPath: '/:testCaseId',
  params: ofBranch.params.extend({ testCaseId: z.string() }),
  idOf: params => params.testCaseId,
  noun: 'test case',
  names: ['TestCase', 'TestCases'],
  newBody: change.extend({ ...removedId, name: testCase.name }),
  changeBody: changeExpecting(change),
  writesShow: false,
  onWire: ({
    id,
    name,
    turns,
    visitor = null,
    functionResults,
    variantId,
    isActive,
  }): z.input<typeof wire.testCase> => ({
    id,
    name,
    turns,
    visitor,
    functionResults,
    variantId,
    isActive,
  }),
  calls: agents => agents.testCases,
})
