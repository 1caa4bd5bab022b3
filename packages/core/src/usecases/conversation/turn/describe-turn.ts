import { publicId } from '../../../domain/conversation/conversation-key.ts'
import { queueFor } from '../../../domain/conversation/from-agent.ts'
import {
  type ActiveTurn,
  type ClosedQueue,
  type ConversationState,
  HAS_OWN_ID,
} from '../../../domain/conversation/state.ts'
import { externalEventId } from '../../../domain/external-event/event-id.ts'
import type { BranchId, DeploymentId, TurnId } from '../../../domain/ids.ts'
import type { JsonObject } from '../../../domain/json.ts'
import { PlatformError } from '../../../errors.ts'
import type { AgentContent, RuntimePart, RuntimeTurn } from '../../../ports/agent-runtime.ts'
import type { Agents } from '../../agents/agents.ts'
import type { Context } from '../../context.ts'
import { closedQueue } from '../../desk/queues.ts'
import { readFileOf } from '../../files/file-address.ts'
import { callFunction, type FunctionDeps } from '../functions/call-function.ts'
import { standInOf } from '../functions/stand-in.ts'
import type { TurnCollector } from './turn-collector.ts'
import { type LoadedInput, readHistory, variantOf, withAttributes } from './turn-input.ts'

/** The dependencies of describing a turn. */
export interface TurnSurroundings {
  readonly context: Context
  /** As the platform itself has them: a function's writes in a turn have no caller (AU3). */
  readonly agents: Pick<Agents, 'updateRealTimeConfigVariables'>
  /** The turn that gives external events their ids: in a replay the recorded one. @default the turn itself */
  readonly eventsOf?: TurnId
}

/** The turn to describe, with all that had to be read for it. */
export interface LoadedTurn {
  readonly state: ConversationState
  readonly turn: ActiveTurn
  readonly loaded: LoadedInput
  readonly deploymentId: DeploymentId | BranchId
  readonly content: AgentContent
  /** An object of the turn's own. */
  readonly realTimeConfig: JsonObject
}

/** Receives what a turn and its functions say. */
export interface Speaking {
  readonly collector: TurnCollector
  say(part: RuntimePart): void
  /** Aborts when the turn is over. */
  signal(): AbortSignal
  /** Does what the store may be too busy for, until the turn is called off (EN4). */
  whileBusy<Result>(act: () => Promise<Result>): Promise<Result>
}

/** Fields, not getters: a getter of its own would make every turn another shape of object. */
type Described = Omit<RuntimeTurn, Written> & { -readonly [Name in Written]: RuntimeTurn[Name] }

/** The parts of the state that a turn may change while it lasts. */
type Written = 'variant' | 'variables' | 'integrationAttributes'

/** Returns the queue that was closed at the newest handoff, unless it has opened by then (DK559). */
function stillClosed({ handoff }: ConversationState, now: number): ClosedQueue | null {
  const closed = handoff?.closed ?? null
  return closed?.opensAt != null && closed.opensAt <= now ? null : closed
}

/**
 * Returns the turn as its runtime sees it, which `refresh` updates after a write. Actions of its functions go to
 * `speaking`. Long because it lists all that a runtime is given.
 */
export function describeTurn(
  { context, agents, eventsOf }: TurnSurroundings,
  { state, turn, loaded, deploymentId, content, realTimeConfig }: LoadedTurn,
  speaking: Speaking,
): { readonly turn: RuntimeTurn; refresh(): void } {
  const { collector } = speaking
  const { accountId, agentId } = state
  const conversations = context.store.conversations
  const expectedBy = eventsOf ?? turn.id
  async function reserveExternalEvent(purpose: string): Promise<string> {
    const eventId = externalEventId(expectedBy, purpose)
    const event = { eventId, conversationId: state.id, accountId, agentId }
    const reserved = await speaking.whileBusy(() => conversations.externalEvents.expect(event))
    if (reserved !== 'expected')
      throw new PlatformError('INTERNAL', `The external event id of ${purpose} is ${reserved}.`)
    return eventId
  }
  let expected = 0
  const variant = variantOf(content, state.record.variantId)
  const standIn = standInOf(context, content, state)
  // Once: whatever becomes of their sources, the turn keeps them (FN50).
  const functions = context.functions()
  let functionDeps: FunctionDeps | null = null
  /** Made for the first call of a function: most turns call none. */
  const makeFunctionDeps = (): FunctionDeps => ({
    ...{ context, functions, state, collector, standIn, metadata: loaded.metadata },
    reserveExternalEvent: purpose => reserveExternalEvent(`${expectedBy}.${purpose}`),
    calls: new Map<string, number>(),
    say: part => speaking.say(part),
    signal: speaking.signal(),
    turn: described,
    async updateRealTimeConfigVariables(variables: JsonObject): Promise<JsonObject> {
      return (await agents.updateRealTimeConfigVariables(agentId, state.environment, variables)).variables
    },
  })
  const described: Described = {
    turnId: turn.id,
    conversationId: publicId(state.id),
    accountId,
    agentId,
    environment: state.environment,
    deploymentId,
    kind: state.kind,
    channel: state.record.channel,
    language: state.record.language ?? content.responseSettings.languageCode,
    now: turn.startedAt,
    input: loaded.input,
    content,
    variant: withAttributes(variant, collector.writes.setAttributes),
    variables: collector.writes.variables,
    visitor: state.visitor,
    verifiedContext: state.verifiedContext,
    closedQueue: stillClosed(state, turn.startedAt),
    async closedFor(destination) {
      const isDesk = context.hasDesk && state.kind === 'messaging' && state.handoffSettings.mode === 'server'
      const closed = isDesk ? await closedQueue(context, accountId, queueFor(state, destination)) : null
      return closed === null ? null : { ...closed, takesMessages: context.settings.messageWhenClosed }
    },
    integrationAttributes: collector.writes.integrationAttributes,
    realTimeConfig,
    history(limit) {
      const judged = context.guard !== null
      const bounds = { lines: limit, bytes: context.settings.limits.sliceBytes, judged }
      const log = HAS_OWN_ID[state.kind] ? context.logCache : conversations
      return speaking.whileBusy(() => readHistory(log, state, turn.input, bounds))
    },
    readFile: fileId => readFileOf(context, { accountId, conversationId: state.id }, fileId),
    functions: [...functions.values()].map(({ described }) => described),
    callFunction(name, args) {
      functionDeps ??= makeFunctionDeps()
      return callFunction(functionDeps, name, args)
    },
    async expectExternalEvent() {
      expected++
      const eventId = await reserveExternalEvent(`event ${expected}`)
      collector.expects(eventId)
      return eventId
    },
  }
  function refresh(): void {
    const { setAttributes, variables, integrationAttributes } = collector.writes
    described.variant = withAttributes(variant, setAttributes)
    described.variables = variables
    described.integrationAttributes = integrationAttributes
  }
  return { turn: described, refresh }
}
