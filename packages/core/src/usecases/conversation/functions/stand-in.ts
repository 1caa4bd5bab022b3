import type { ConversationState } from '../../../domain/conversation/state.ts'
import type { AgentContent } from '../../../ports/agent-runtime.ts'
import type { Context } from '../../context.ts'
import { testCaseOf } from '../turn/turn-input.ts'
import { callInReplay, isReplayed } from './call-in-replay.ts'
import { callInTest, type StandIn } from './call-in-test.ts'

/**
 * Returns the replacement for the host's functions in one turn of a conversation. Null outside of tests and replays.
 * @throws INTERNAL when the content lacks the test case
 */
export function standInOf(context: Context, content: AgentContent, state: ConversationState): StandIn | null {
  if (isReplayed(state)) return callInReplay(context, state)
  const testCase = testCaseOf(content, state)
  return testCase && (({ name, called, prepared }) => callInTest(name, called, testCase, prepared))
}
