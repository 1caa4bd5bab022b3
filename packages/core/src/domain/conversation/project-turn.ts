import type { JsonObject } from '../json.ts'
import { isoTime } from '../time.ts'

/**
 * One input and its answer, in plain words. Times are milliseconds since the epoch; what is left out is empty or false.
 */
export interface TurnDescription {
  /** Empty for the greeting. */
  readonly userInput: string
  readonly userInputDtmf?: string
  /** The time at which the agent received the input, or was asked to greet. */
  readonly userInputAt: number
  readonly agentResponse: string
  readonly agentResponseAt: number
  /** Milliseconds. @default from the input to the response */
  readonly latency?: number
  readonly translatedUserInput?: string
  readonly englishAgentResponse?: string
  readonly intents?: readonly string[]
  /** Each maps an entity's name to a string or several. */
  readonly entities?: readonly Readonly<Record<string, string | readonly string[]>>[]
  readonly outOfDomain?: boolean
  readonly silence?: boolean
}

/**
 * Returns a turn as the v1 record shows it (contract/conversations.md, Turn of a record). `latency` is in seconds, to
 * the millisecond.
 */
export function projectTurn(turn: TurnDescription): JsonObject {
  const latency = turn.latency ?? turn.agentResponseAt - turn.userInputAt
  return {
    user_input: turn.userInput,
    user_input_dtmf: turn.userInputDtmf ?? '',
    user_input_datetime: isoTime(turn.userInputAt),
    agent_response: turn.agentResponse,
    agent_response_datetime: isoTime(turn.agentResponseAt),
    latency: Math.max(Math.round(latency), 0) / 1000,
    translated_user_input: turn.translatedUserInput ?? '',
    english_agent_response: turn.englishAgentResponse ?? '',
    intents: turn.intents ?? [],
    entities: turn.entities ?? [],
    is_ood: turn.outOfDomain ?? false,
    is_silence: turn.silence ?? false,
  }
}
