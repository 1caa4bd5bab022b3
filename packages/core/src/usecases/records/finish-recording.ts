import { keyOf } from '../conversation/engine/conversation-key.ts'
import type { Recorder } from './record-turn.ts'
import { type CheckedFinish, type Recorded, refuseFinish } from './recording-input.ts'
import { refusalOf } from './recording-refusal.ts'

/**
 * Ends the record of a conversation in a host's own channel; the first end wins (RC32).
 * @throws SCHEMA_VALIDATION_FAILED, CONVERSATIONS_NOT_FOUND, CONVERSATION_NOT_RECORDED
 */
export async function finishRecording(deps: Recorder, finish: CheckedFinish): Promise<Recorded> {
  refuseFinish(deps, finish)
  const { agentId, conversationId } = finish
  const id = await keyOf(deps.engine, agentId, conversationId)
  const outcome = await deps.engine.execute(id, {
    type: 'finish_recording',
    end: {
      finishedAt: finish.finishedAt ?? null,
      reason: finish.reason ?? 'REASON_NATURAL_END',
      handoff: finish.handoff ?? null,
      aiDuration: finish.aiDuration ?? null,
      variables: finish.variables ?? {},
      metrics: finish.metrics ?? {},
    },
  })
  if (outcome.status !== 'done') throw refusalOf(conversationId, outcome, deps.settings)
  return { conversationId, status: outcome.events.length === 0 ? 'duplicate' : 'recorded' }
}
