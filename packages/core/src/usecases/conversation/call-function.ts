import type { TestCase } from '../../domain/agent/test-case.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import { decodeBody } from '../../domain/external-event/decode.ts'
import type { JsonObject } from '../../domain/json.ts'
import type {
  FunctionCall,
  FunctionConversation,
  FunctionEvent,
  RuntimePart,
  RuntimeTurn,
} from '../../ports/agent-runtime.ts'
import type { Context } from '../context.ts'
import { executeInTest } from './execute-in-test.ts'
import { type TurnCollector, toJson } from './turn-collector.ts'

/** What a function call needs of the turn it belongs to. */
export interface FunctionScope {
  readonly context: Context
  readonly state: ConversationState
  readonly collector: TurnCollector
  readonly turn: Pick<RuntimeTurn, 'turnId' | 'variant' | 'realTimeConfig' | 'input'>
  /** The test case that the conversation goes through; null outside of tests. */
  readonly testCase: TestCase | null
  readonly signal: AbortSignal
  /** Says a part as if the runtime had said it. */
  say(part: RuntimePart): void
  expectExternalEvent(): Promise<string>
}

/** Calls one of the host's functions. It never throws: an unknown name, an error and a bad result stand in the event. */
export async function callFunction(
  scope: FunctionScope,
  name: string,
  args: JsonObject,
): Promise<FunctionCall> {
  const { clock, functions } = scope.context
  const startedAt = clock.now()
  const traced = trace(scope)
  const finish = (outcome: Pick<FunctionEvent, 'result' | 'error'>): FunctionCall => {
    const event = { name, arguments: args, ...outcome, duration: clock.now() - startedAt }
    scope.collector.called(event)
    return { ...event, ...traced.done() }
  }
  const registered = Object.hasOwn(functions, name) ? functions[name] : undefined
  if (registered === undefined) return finish({ result: null, error: `There is no function named ${name}.` })
  const execute =
    scope.testCase === null
      ? registered.execute.bind(registered)
      : executeInTest(name, registered, scope.testCase)
  try {
    const result = await execute(conversationOf(traced.scope), args, scope.signal)
    return finish({ result: toJson(result), error: null })
  } catch (error) {
    scope.context.log.warn('A function of the agent failed', { function: name, error: String(error) })
    return finish({ result: null, error: error instanceof Error ? error.message : String(error) })
  }
}

/** The scope of one call, which notes what the call does to the turn. */
function trace(scope: FunctionScope) {
  const parts: RuntimePart[] = []
  const expectedEventIds: string[] = []
  return {
    scope: {
      ...scope,
      say(part: RuntimePart) {
        parts.push(part)
        scope.say(part)
      },
      async expectExternalEvent() {
        const eventId = await scope.expectExternalEvent()
        expectedEventIds.push(eventId)
        return eventId
      },
    },
    done: (): Omit<FunctionCall, keyof FunctionEvent> => ({
      said: parts.some(part => part.type === 'text' && part.text.trim() !== ''),
      concluded: parts.some(({ type }) => type === 'delayed' || type === 'handoff' || type === 'end'),
      expectedEventIds,
    }),
  }
}

function conversationOf(scope: FunctionScope): FunctionConversation {
  const { state, turn, collector, say } = scope
  return {
    turnId: turn.turnId,
    conversationId: state.id,
    accountId: state.accountId,
    agentId: state.agentId,
    environment: state.environment,
    get variables() {
      return collector.variables
    },
    integrationAttributes: state.integrationAttributes,
    variantAttributes: turn.variant?.attributes ?? {},
    realTimeConfig: turn.realTimeConfig,
    externalEvent:
      turn.input.type === 'external_event'
        ? {
            eventId: turn.input.eventId,
            contentType: turn.input.contentType,
            text: decodeBody(turn.input.contentType, turn.input.body),
          }
        : null,
    setVariable: (key, value) => say({ type: 'variable', key, value: toJson(value) }),
    setMetric: (name, value) => say({ type: 'metric', name, value }),
    async expectExternalEvent(options) {
      const eventId = await scope.expectExternalEvent()
      if (options?.delayResponse === true) say({ type: 'delayed' })
      return eventId
    },
    say: text => say({ type: 'text', text }),
    handOff: (destination, reason) => say({ type: 'handoff', destination, reason }),
    end: () => say({ type: 'end' }),
  }
}
