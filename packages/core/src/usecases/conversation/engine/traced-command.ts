import type { Command } from '../../../domain/conversation/command.ts'
import { publicId } from '../../../domain/conversation/conversation-key.ts'
import type { ConversationId } from '../../../domain/ids.ts'
import type { Begin } from '../../../ports/telemetry.ts'
import { failureCode } from '../../observing/failure-code.ts'

/** Carries a command out as an operation of its own, with its outcome (OB11). */
export async function tracedCommand<Outcome extends { readonly status: string }>(
  begin: Begin,
  id: ConversationId,
  command: Pick<Command, 'type'>,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  const fields = { 'gen_ai.conversation.id': publicId(id), 'colloquy.command': command.type }
  const span = begin({ kind: 'command', name: command.type, fields })
  try {
    const outcome = await span.within(work)
    span.set({ 'colloquy.outcome': outcome.status })
    span.end(null)
    return outcome
  } catch (error) {
    span.end(failureCode(error))
    throw error
  }
}
