import type { Agent } from '../../domain/agent/agent.ts'
import { publicId } from '../../domain/conversation/conversation-key.ts'
import { initialState } from '../../domain/conversation/initial-state.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import type { AgentId, ConversationId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import type { Context } from '../context.ts'
import { keyOf } from '../conversation/engine/conversation-key.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import type { PinningParts } from '../shared/pinning.ts'
import { type CheckedStart, type Recorded, refuseStart } from './recording-input.ts'

/** The dependencies of recording on other parts of the platform. */
export interface RecordingParts extends Context, PinningParts {
  readonly engine: Engine
  findAgent(agentId: AgentId): Promise<Agent | null>
}

/** The number of attempts at a start whose id is removed and taken by others meanwhile. */
const ATTEMPTS = 5

/** Returns a plain value as text, independent of the order of its fields. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  )

/**
 * Returns the facts in which the stored conversation differs from the start. A fact that the platform chose may be left
 * out.
 */
function differences(state: ConversationState, start: CheckedStart): readonly string[] {
  const { record } = state
  const facts: Readonly<Record<string, readonly [unknown, unknown]>> = {
    environment: [start.environment, state.environment],
    channel: [start.channel, record.channel],
    startedAt: [start.startedAt ?? state.startedAt, state.startedAt],
    variantId: [start.variantId ?? record.variantId, record.variantId],
    fromNumber: [start.fromNumber ?? '', record.fromNumber],
    toNumber: [start.toNumber ?? '', record.toNumber],
    language: [start.language ?? record.language, record.language],
    direction: [start.direction ?? 'inbound', record.direction],
    integrationAttributes: [start.integrationAttributes ?? {}, state.integrationAttributes],
  }
  return Object.entries(facts).flatMap(([fact, [given, kept]]) =>
    canonical(given) === canonical(kept) ? [] : [fact],
  )
}

const noAgent = ({ accountId, agentId }: CheckedStart): PlatformError =>
  new PlatformError('PROJECT_NOT_FOUND', `The account ${accountId} has no agent ${agentId}.`)

/**
 * @throws PROJECT_NOT_FOUND for another account than the agent's; CONVERSATION_ID_ALREADY_EXISTS unless the
 *   conversation is the one that the start describes
 */
function refuseOther(state: ConversationState, start: CheckedStart): void {
  const id = publicId(state.id)
  if (state.accountId !== start.accountId) throw noAgent(start)
  if (state.kind !== 'recorded') {
    throw new PlatformError(
      'CONVERSATION_ID_ALREADY_EXISTS',
      `The agent has a conversation ${id} already, which was not started with conversations.start. Choose another id.`,
    )
  }
  const others = differences(state, start)
  if (others.length === 0) return
  throw new PlatformError(
    'CONVERSATION_ID_ALREADY_EXISTS',
    `The agent has a conversation ${id} already, with another ${others.join(', ')}.`,
  )
}

/** Returns the number of the person in a call, if it is known. */
const numberOf = ({ direction, fromNumber, toNumber }: CheckedStart): string | null =>
  (direction === 'outbound' ? toNumber : fromNumber) || null

async function begin(
  { clock, findAgent, resolvePinning, settings }: RecordingParts,
  id: ConversationId,
  start: CheckedStart,
): Promise<ConversationState> {
  const agentId = start.agentId
  const accountId = start.accountId
  const agent = await findAgent(agentId)
  if (agent?.accountId !== accountId) {
    throw noAgent(start)
  }
  const participant = { conversationId: id, visitor: numberOf(start), runs: null }
  const pinning = await resolvePinning(agentId, start.environment, {
    variantId: start.variantId ?? null,
    participant,
  })
  if (start.variantId !== undefined && pinning?.variantId !== start.variantId) {
    throw new PlatformError(
      'VARIANT_NOT_FOUND',
      `The agent that is deployed in ${start.environment} has no variant ${start.variantId}.`,
    )
  }
  const { environment, channel, startedAt = clock.now() } = start
  return initialState(
    {
      ...{ id, kind: 'recorded', accountId, agentId, environment, channel, pinning },
      idleTimeout: settings.sessionIdle,
      handoffSettings: { mode: 'server', queueName: '', timeoutSeconds: settings.handoffTimeoutSeconds },
      direction: start.direction ?? 'inbound',
      language: start.language ?? null,
      fromNumber: start.fromNumber ?? '',
      toNumber: start.toNumber ?? '',
      integrationAttributes: start.integrationAttributes ?? {},
    },
    startedAt,
  )
}

/**
 * Begins the record of a conversation in a host's own channel (RC30, RC31).
 * @throws SCHEMA_VALIDATION_FAILED, PROJECT_NOT_FOUND, VARIANT_NOT_FOUND, CONVERSATION_ID_ALREADY_EXISTS
 */
export async function startRecording(deps: RecordingParts, start: CheckedStart): Promise<Recorded> {
  refuseStart(deps, start)
  const agentId = start.agentId
  const conversationId = start.conversationId ?? deps.ids.uuid()
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const own = start.conversationId === undefined
    const id = own ? conversationId : await keyOf(deps.engine, agentId, conversationId)
    const before = own ? null : await deps.engine.load(id)
    if (before !== null) {
      refuseOther(before, start)
      return { conversationId, status: 'duplicate' }
    }
    const initial = await begin(deps, id, start)
    if ((await deps.engine.start(initial)).status === 'done') return { conversationId, status: 'recorded' }
  }
  throw new PlatformError(
    'WRITE_CONFLICT',
    `The conversation ${conversationId} is being started and removed too often. Try again.`,
  )
}
