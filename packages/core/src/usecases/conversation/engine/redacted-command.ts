import type { Command } from '../../../domain/conversation/command.ts'
import { conversationFacts } from '../../../domain/conversation/platform-event.ts'
import type { ConversationState } from '../../../domain/conversation/state.ts'
import { startOf } from '../../../domain/cut-text.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../domain/json.ts'
import type { Redactor } from '../../../ports/redactor.ts'
import { WITHHELD } from '../../../shared/redacted-words.ts'
import type { Context } from '../../context.ts'
import { beginRedacting, type Redacting } from './redacting.ts'

const RECORDED = { sorts: 20, characters: 40 } as const

/** Returns fields of an object. */
const fields = (value: Json, names: readonly string[]): JsonObject =>
  isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)))
    : {}

/** Fields of a call of a function that have words of the host, or of others. */
const CALL = ['arguments', 'result', 'error']

/** Fields of a request to a model that do. */
const REQUEST = ['calls', 'error']

const listed = (value: Json | undefined): readonly Json[] => (isJsonArray(value) ? value : [])

/** Returns the details of a turn. A redactor has read its error, and what functions were given and gave (RD5). */
async function withResults(details: JsonObject, redacting: Redacting): Promise<JsonObject> {
  const { error, function_events: calls, llm_requests: requests } = details
  const failed = error === undefined ? [] : [error]
  const parts = [
    ...failed,
    ...listed(calls).map(call => fields(call, CALL)),
    ...listed(requests).map(request => fields(request, REQUEST)),
  ]
  if (parts.length === 0) return details
  const read = listed(await redacting.texts(parts))
  const merged = (given: readonly Json[], from: number): readonly Json[] =>
    given.map((one, at) => {
      const part = read[from + at]
      return isJsonObject(one) && isJsonObject(part) ? { ...one, ...part } : one
    })
  const [first, second] = [failed.length, failed.length + listed(calls).length]
  return {
    ...details,
    ...(error === undefined ? {} : { error: read[0] ?? WITHHELD }),
    ...(calls === undefined ? {} : { function_events: merged(listed(calls), first) }),
    ...(requests === undefined ? {} : { llm_requests: merged(listed(requests), second) }),
  }
}

/** Returns a command without private parts. Null for one that holds no words. */
function withWords(command: Command): ((redacting: Redacting) => Promise<Command>) | null {
  switch (command.type) {
    case 'message':
      return async ({ words }) => ({ ...command, text: await words(command.text) })
    case 'rate':
      return async ({ words }) => {
        const { comment, ...rating } = command.rating
        return { ...command, rating: { ...rating, comment: await words(comment) } }
      }
    case 'record_turns':
      return async redacting => {
        const { words } = redacting
        const turns = []
        for (const turn of command.turns) {
          const { description } = turn
          const { translatedUserInput, userInputDtmf } = description
          const userInput = await words(description.userInput)
          const translated =
            translatedUserInput === undefined ? {} : { translatedUserInput: await words(translatedUserInput) }
          const keyed = userInputDtmf === undefined ? {} : { userInputDtmf: await words(userInputDtmf) }
          const details = await withResults(turn.details, redacting)
          turns.push({
            ...turn,
            details,
            description: { ...description, userInput, ...translated, ...keyed },
          })
        }
        return { ...command, turns }
      }
    case 'turn_completed':
      return async redacting => {
        const { reply } = command
        const details = await withResults(reply.turn.details, redacting)
        return { ...command, reply: { ...reply, turn: { ...reply.turn, details } } }
      }
    case 'turn_failed':
      return async redacting => {
        const { turn } = command
        if (turn === null) return command
        return { ...command, turn: { ...turn, details: await withResults(turn.details, redacting) } }
      }
    default:
      return null
  }
}

/** Returns the counts as a turn's record holds them: as many sorts, and of names as long, as people can read. */
const recorded = (counts: Readonly<Record<string, number>>): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(counts)
      .filter(([, count]) => Number.isSafeInteger(count) && count > 0)
      .slice(0, RECORDED.sorts)
      .map(([sort, count]) => [startOf(sort, RECORDED.characters), count]),
  )

/** Returns a command whose words a redactor has read (RD1, RD2, RD3, RD5). */
export async function redactedCommand(
  context: Context,
  redactor: Redactor,
  state: ConversationState,
  command: Command,
): Promise<Command> {
  const replace = withWords(command)
  if (replace === null) return command
  const redacting = beginRedacting(context, redactor, state)
  const redacted = await replace(redacting)
  const { counts } = redacting
  if (Object.keys(counts).length === 0) return redacted
  context.observers.tell({
    type: 'words.redacted',
    event: { ...conversationFacts(state), found: counts },
  })
  return redacted.type === 'message' ? { ...redacted, redacted: recorded(counts) } : redacted
}
