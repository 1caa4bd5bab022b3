import { type CallsOf, callsWith } from '../../calls/call.ts'
import type { Command } from '../../domain/conversation/command.ts'
import { readHandoffId } from '../../domain/conversation/handoff-id.ts'
import type { HandoffId } from '../../domain/ids.ts'
import type { LiveAgentCallbacks } from '../../ports/live-agent-callbacks.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import { handoffId, loosely, text } from '../shared/arguments.ts'
import { refusalOf, refuseOtherWords } from './desk-handoff.ts'
import { liveAgentSchema, queueStatusSchema, reportedMessageSchema, typingState } from './desk-input.ts'

/** The dependencies of reports of another live-agent system. */
type Deps = Pick<Context, 'settings'> & { readonly engine: Pick<Engine, 'execute'> }

async function report(
  { engine }: Deps,
  command: Command & { readonly handoffId: HandoffId },
): Promise<boolean> {
  const { conversationId } = readHandoffId(command.handoffId)
  const outcome = await engine.execute(conversationId, command)
  if (outcome.status === 'duplicate' && command.type === 'live_agent_message')
    refuseOtherWords(outcome.event, command)
  if (outcome.status === 'refused' && outcome.refusal === 'return_not_allowed')
    throw refusalOf(outcome, command.handoffId)
  return outcome.status === 'done' || outcome.status === 'duplicate'
}

const { call } = callsWith<Deps>()
const reason = ['reason', text.optional()] as const

/** The implementations of reports of another live-agent system. */
export const liveAgentCalls = {
  accepted: call(
    () => [handoffId],
    (deps, id) => report(deps, { type: 'handoff_accepted', handoffId: id }),
  ),
  queueStatus: call(
    () => [handoffId, ["queue status's field", queueStatusSchema]],
    (deps, id, status) => report(deps, { type: 'queue_status', handoffId: id, ...status }),
  ),
  joined: call(
    () => [handoffId, ["live agent's field", liveAgentSchema]],
    (deps, id, liveAgent) => report(deps, { type: 'live_agent_joined', handoffId: id, liveAgent }),
  ),
  typing: call(
    () => [handoffId, typingState],
    (deps, id, state) => report(deps, { type: 'live_agent_typing', handoffId: id, state }),
  ),
  message: call(
    ({ settings }: Deps) => [
      handoffId,
      ['message field', loosely(reportedMessageSchema(settings.limits.replyLength))],
    ],
    (deps, id, said) => report(deps, { type: 'live_agent_message', handoffId: id, ...said }),
  ),
  left: call(
    () => [handoffId, reason],
    (deps, id, why) => report(deps, { type: 'live_agent_left', handoffId: id, reason: why ?? null }),
  ),
  returned: call(
    () => [handoffId, reason],
    (deps, id, why) => report(deps, { type: 'live_agent_returned', handoffId: id, reason: why ?? null }),
  ),
  failed: call(
    () => [handoffId, reason],
    (deps, id, why) => report(deps, { type: 'handoff_failed', handoffId: id, reason: why ?? null }),
  ),
} satisfies CallsOf<LiveAgentCallbacks, Deps>
