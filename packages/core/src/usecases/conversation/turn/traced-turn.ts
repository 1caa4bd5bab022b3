import { publicId } from '../../../domain/conversation/conversation-key.ts'
import type { ActiveTurn, ConversationState } from '../../../domain/conversation/state.ts'
import type { Begin } from '../../../ports/telemetry.ts'

/** Runs a turn as an operation of its own; it resolves to the code of its failure (OB11). */
export async function tracedTurn(
  begin: Begin,
  { state, turn }: { readonly state: ConversationState; readonly turn: ActiveTurn },
  run: () => Promise<string | null>,
): Promise<void> {
  const span = begin({
    kind: 'turn',
    name: state.agentName,
    fields: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': 'colloquy',
      'gen_ai.agent.id': state.agentId,
      'gen_ai.agent.name': state.agentName,
      'gen_ai.conversation.id': publicId(state.id),
      'colloquy.turn.id': turn.id,
      'colloquy.turn.generation': turn.generation,
      'colloquy.turn.input': turn.input.type,
      'colloquy.environment': state.environment,
      'colloquy.deployment.id': state.deploymentId ?? '',
    },
  })
  const failure = await span.within(run)
  span.end(failure)
}
