import { publicId } from '../../../domain/conversation/conversation-key.ts'
import { expectation, type FunctionEffect } from '../../../domain/conversation/function-effect.ts'
import type { ConversationState } from '../../../domain/conversation/state.ts'
import { decodeBody } from '../../../domain/external-event/decode.ts'
import type { JsonObject } from '../../../domain/json.ts'
import { PlatformError } from '../../../errors.ts'
import type { FunctionConversation } from '../../../ports/agent-function.ts'
import type { FunctionCall, FunctionEvent, RuntimePart, RuntimeTurn } from '../../../ports/agent-runtime.ts'
import type { Context } from '../../context.ts'
import type { TurnCollector } from '../turn/turn-collector.ts'
import { createWriter, requireText, type WriterDeps } from './function-writes.ts'

/** The dependencies of a function's conversation on the turn that it belongs to. */
export interface FunctionConversationDeps {
  readonly context: Pick<Context, 'settings'>
  readonly state: ConversationState
  readonly collector: Pick<TurnCollector, 'writes' | 'expects'>
  /** The metadata of the turn's message. */
  readonly metadata: JsonObject
  readonly turn: Pick<
    RuntimeTurn,
    'turnId' | 'channel' | 'language' | 'variant' | 'realTimeConfig' | 'input' | 'content'
  >
  /** Adds a part as if the runtime had yielded it. */
  say(part: RuntimePart): void
  /**
   * Reserves the id of an external event. Every attempt at the turn gets the same id for the same purpose. The turn
   * expects the event only after the collector has got it.
   */
  reserveExternalEvent(purpose: string): Promise<string>
  updateRealTimeConfigVariables(variables: JsonObject): Promise<JsonObject>
}

/** A function's conversation while its call lasts. */
export interface OpenConversation {
  readonly conversation: FunctionConversation
  /** Ends the call: every later method call is refused (FN20). */
  close(): void
  /** Returns the changes that the call has made in the turn. */
  done(): Omit<FunctionCall, keyof FunctionEvent>
  /** Returns its messages, writes and actions so far, in order. */
  effects(): readonly FunctionEffect[]
}

/** Returns the methods of a call's conversation that say something as if the runtime had said it. */
function createSpeaker({ check, say }: Pick<WriterDeps, 'check' | 'say'>) {
  return {
    say(text) {
      check('say')
      requireText(text, 'What is said')
      say({ type: 'text', text })
    },
    suggest(text, payload) {
      check('suggest')
      say({ type: 'suggestion', text, ...(payload === undefined ? {} : { payload }) })
    },
    attach(attachment) {
      check('attach')
      say({ type: 'attachment', attachment })
    },
    offerCall(title, contactNumber) {
      check('offerCall')
      say({ type: 'call_action', action: { title, contactNumber } })
    },
    handOff(destination, reason) {
      check('handOff')
      requireText(destination, 'The destination of a handoff')
      requireText(reason, 'The reason of a handoff')
      say({ type: 'handoff', destination, reason })
    },
    end() {
      check('end')
      say({ type: 'end' })
    },
  } satisfies Partial<FunctionConversation>
}

/** Opens the conversation for one call of the function `name`. @param call the call's key among those of the turn */
export function openConversation(
  deps: FunctionConversationDeps,
  name: string,
  call: string,
): OpenConversation {
  const { collector, turn } = deps
  const parts: FunctionEffect[] = []
  const expectedEventIds: string[] = []
  let open = true
  let expected = 0

  function check(member: keyof FunctionConversation): void {
    if (open) return
    const message = `conversation.${member} does nothing: this call of the function ${name} is over.`
    throw new PlatformError('AGENT_FAILED', message)
  }
  function say(part: RuntimePart): void {
    deps.say(part)
    parts.push(part)
  }

  const { variableBytes: limit } = deps.context.settings.limits
  const conversation: FunctionConversation = {
    ...factsOf(deps, `${turn.turnId}.${call}`),
    get variables() {
      return collector.writes.variables
    },
    get integrationAttributes() {
      return collector.writes.integrationAttributes
    },
    get variantAttributes() {
      return turn.variant?.attributes ?? {}
    },
    ...createWriter({ collector, turn, limit, check, say }),
    ...createSpeaker({ check, say }),
    async updateRealTimeConfigVariables(variables) {
      check('updateRealTimeConfigVariables')
      return deps.updateRealTimeConfigVariables(variables)
    },
    async expectExternalEvent(options) {
      check('expectExternalEvent')
      expected++
      const eventId = await deps.reserveExternalEvent(`${call} event ${expected}`)
      // The call may have ended meanwhile.
      check('expectExternalEvent')
      collector.expects(eventId)
      expectedEventIds.push(eventId)
      const isDelayed = options?.delayResponse === true
      if (isDelayed) deps.say({ type: 'delayed' })
      parts.push(expectation(isDelayed))
      return eventId
    },
  }

  return {
    conversation,
    close() {
      open = false
    },
    effects: () => [...parts],
    done: () => ({
      said: parts.some(part => part.type === 'text' && part.text.trim() !== ''),
      concluded: parts.some(({ type }) => type === 'delayed' || type === 'handoff' || type === 'end'),
      expectedEventIds: [...expectedEventIds],
    }),
  }
}

/** Returns the read-only properties of a call's conversation. */
function factsOf({ state, turn, metadata }: FunctionConversationDeps, idempotencyKey: string) {
  const { turnId, channel, language, input, realTimeConfig } = turn
  const { accountId, agentId, environment, verifiedContext, visitor } = state
  const conversationId = publicId(state.id)
  const externalEvent =
    input.type === 'external_event'
      ? {
          eventId: input.eventId,
          contentType: input.contentType,
          text: decodeBody(input.contentType, input.body),
        }
      : null
  return {
    ...{ turnId, conversationId, accountId, agentId, environment, channel, language },
    ...{ idempotencyKey, realTimeConfig, externalEvent, verifiedContext, visitor, metadata },
  }
}
