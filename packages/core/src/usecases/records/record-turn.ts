import type { RecordedTurn } from '../../domain/conversation/command.ts'
import { turnDetails } from '../../domain/conversation/turn-details.ts'
import type { Context } from '../context.ts'
import { keyOf } from '../conversation/engine/conversation-key.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import { type CheckedTurn, type Recorded, type RecordingTurn, refuseTurn } from './recording-input.ts'
import { refusalOf } from './recording-refusal.ts'

const recordedTurn = ({ ids }: Context, turn: CheckedTurn): RecordedTurn => {
  const { userInput = '', agentResponse = '', agentResponseAt = turn.userInputAt } = turn
  return {
    turnId: turn.turnId,
    responseId: ids.uuid(),
    description: { ...turn, userInput, agentResponse, agentResponseAt },
    details: turnDetails(
      { input_type: userInput === '' && agentResponse !== '' ? 'greeting' : 'message' },
      {
        delayed: false,
        topics: turn.retrievedTopics ?? [],
        sources: turn.retrievedSources ?? [],
        citedTopic: turn.citedTopic ?? '',
        nodes: turn.nodeTrace ?? [],
        functions: turn.functionEvents ?? [],
        effects: [],
        llmRequests: turn.llmRequests ?? [],
        destination: '',
        ends: false,
      },
    ),
    variables: turn.variables ?? {},
    metrics: turn.metrics ?? {},
  }
}

/** The dependencies of recording a turn, or an end. */
export type Recorder = Context & { readonly engine: Pick<Engine, 'execute' | 'load'> }

/**
 * Adds a turn to the record of a conversation in a host's own channel, once a turn id, in one write (RC32).
 * @throws SCHEMA_VALIDATION_FAILED, CONVERSATIONS_NOT_FOUND, CONVERSATION_NOT_RECORDED, CONVERSATION_FINISHED
 */
export async function recordTurn(deps: Recorder, input: CheckedTurn): Promise<Recorded> {
  refuseTurn(deps, input)
  const turn = recordedTurn(deps, input)
  const { agentId, conversationId } = input
  const id = await keyOf(deps.engine, agentId, conversationId)
  const outcome = await deps.engine.execute(id, { type: 'record_turns', turns: [turn] })
  if (outcome.status === 'done') return { conversationId, status: 'recorded' }
  if (outcome.status === 'duplicate') return { conversationId, status: 'duplicate' }
  // A turn that is refused now may have been taken before: the machine does not know turn ids, the log does.
  if (outcome.status === 'refused' && outcome.refusal !== 'not_recorded') {
    const before = await deps.store.conversations.clientEvent(id, [turn.turnId])
    if (before !== null) return { conversationId, status: 'duplicate' }
  }
  throw refusalOf(conversationId, outcome, deps.settings)
}

/**
 * Adds turns of a conversation, which have passed their schemas, in one write. False when not all of them can be: some
 * were recorded before, or are refused.
 */
export async function recordTurns(
  deps: Recorder,
  { agentId, conversationId }: Pick<RecordingTurn, 'agentId' | 'conversationId'>,
  turns: readonly CheckedTurn[],
): Promise<boolean> {
  const id = await keyOf(deps.engine, agentId, conversationId)
  const recorded = turns.map(turn => recordedTurn(deps, turn))
  const { status } = await deps.engine.execute(id, { type: 'record_turns', turns: recorded })
  return status === 'done'
}
