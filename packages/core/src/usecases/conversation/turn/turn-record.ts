import type { TurnReply } from '../../../domain/conversation/command.ts'
import { projectTurn } from '../../../domain/conversation/project-turn.ts'
import type { StoredTurn } from '../../../domain/conversation/record.ts'
import type { SpokenMessage } from '../../../domain/conversation/spoken.ts'
import type { ConversationState } from '../../../domain/conversation/state.ts'
import { type TurnEvents, turnDetails, wholeDetails } from '../../../domain/conversation/turn-details.ts'
import { recordingOf } from '../../../domain/conversation/turn-recording.ts'
import type { JsonObject } from '../../../domain/json.ts'

/** The facts that the turn's record needs besides its text. */
export interface InputFacts {
  readonly inputType: string
  readonly userInput: string
  readonly userInputAt: number
  readonly agentResponseAt: number
  /** Milliseconds from the input to the response, measured and not compared (TM4). */
  readonly latency: number
  /** @default the input was not spoken */
  readonly spoken?: SpokenMessage
}

/** The trace of a turn: its events and intents. */
export interface TurnTrace extends Omit<TurnEvents, 'delayed' | 'destination' | 'ends'> {
  readonly intents: readonly string[]
}

/** The end of a turn. */
export type TurnEnd = Pick<
  TurnReply,
  | 'text'
  | 'handoff'
  | 'end'
  | 'language'
  | 'silence'
  | 'outOfDomain'
  | 'variables'
  | 'metrics'
  | 'integrationAttributes'
  | 'setAttributes'
> & {
  readonly delayed: boolean
  /**
   * The real-time config that it read, if it is recorded with what lets it be asked again (TE68): null if that is too
   * large. Undefined: it is not recorded.
   */
  readonly recorded: JsonObject | null | undefined
}

/** The reason why a turn failed. */
export interface StatedFailure {
  /** The text for the visitor. */
  readonly text: string
  /** The text for the operators of the agent. */
  readonly error: string
}

/** Returns the number of private parts that were taken out of the visitor's message. */
function redactedOf({ turn }: ConversationState): JsonObject {
  const input = turn?.input
  return input?.type === 'message' && input.redacted !== undefined ? { redacted: input.redacted } : {}
}

/** Returns the record of a turn that was answered. */
export function answeredTurn(
  state: ConversationState,
  facts: InputFacts,
  trace: TurnTrace,
  ended: TurnEnd,
): StoredTurn {
  const record = projectTurn({
    userInput: facts.userInput,
    ...(facts.spoken?.kind === 'keys' ? { userInputDtmf: facts.userInput } : {}),
    userInputAt: facts.userInputAt,
    agentResponse: ended.text,
    agentResponseAt: facts.agentResponseAt,
    latency: facts.latency,
    intents: trace.intents,
    outOfDomain: ended.outOfDomain,
    silence: ended.silence,
  })
  const { recorded } = ended
  const recording = recorded === undefined ? null : recordingOf(state, ended, recorded)
  const details = turnDetails(
    {
      turn_id: state.turn?.id ?? '',
      deployment_id: state.deploymentId ?? '',
      input_type: facts.inputType,
      ...redactedOf(state),
      ...(recording === null ? {} : { recording }),
      ...(facts.spoken === undefined ? {} : { voice: { ...facts.spoken } }),
    },
    {
      topics: trace.topics,
      sources: trace.sources,
      citedTopic: trace.citedTopic,
      nodes: trace.nodes,
      functions: trace.functions,
      effects: trace.effects,
      llmRequests: trace.llmRequests,
      delayed: ended.delayed,
      destination: ended.handoff?.destination ?? '',
      ends: ended.end,
    },
  )
  if (state.kind !== 'debug') return { record, details }
  // Only a debug chat shows the state of each turn; for others it would be stored twice without use.
  const { variables, metrics } = ended
  const language = ended.language ?? state.record.language ?? ''
  return { record, details: { ...wholeDetails(details), state: variables, metrics, language } }
}

/** Returns the record of a failed turn: its trace, without an answer. Its writes are discarded (FN40). */
export function failedTurn(
  state: ConversationState,
  facts: InputFacts,
  trace: TurnTrace,
  failure: StatedFailure & Pick<TurnEnd, 'recorded'>,
): StoredTurn {
  const { variables, metrics, integrationAttributes, setAttributes } = state
  const nothing = {
    ...{ text: '', handoff: null, end: false, delayed: false, language: null },
    ...{ silence: false, outOfDomain: false, recorded: failure.recorded },
  }
  const unchanged = { variables, metrics, integrationAttributes, setAttributes }
  const { record, details } = answeredTurn(state, facts, trace, { ...nothing, ...unchanged })
  return { record, details: { ...details, error: failure.error, stated_failure: failure.text } }
}
