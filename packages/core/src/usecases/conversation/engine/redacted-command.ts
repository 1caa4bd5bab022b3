import type { Command } from '../../../domain/conversation/command.ts'
import { publicId } from '../../../domain/conversation/conversation-key.ts'
import { conversationFacts } from '../../../domain/conversation/platform-event.ts'
import type { ConversationState } from '../../../domain/conversation/state.ts'
import { startOf } from '../../../domain/cut-text.ts'
import { thrownNames } from '../../../domain/thrown.ts'
import type { Redactor } from '../../../ports/redactor.ts'
import { within } from '../../../shared/deadline.ts'
import type { Context } from '../../context.ts'

/** Stands in place of a text that no redactor has read to its end (RD3). */
const WITHHELD = '[withheld]'

const RECORDED = { sorts: 20, characters: 40 } as const

type Words = (text: string) => Promise<string>

/** Returns a command with other words of the visitor in it. Null for one that holds none. */
function withWords(command: Command): ((words: Words) => Promise<Command>) | null {
  switch (command.type) {
    case 'message':
      return async words => ({ ...command, text: await words(command.text) })
    case 'rate':
      return async words => {
        const { comment, ...rating } = command.rating
        return { ...command, rating: { ...rating, comment: await words(comment) } }
      }
    case 'record_turns':
      return async words => {
        const turns = []
        for (const turn of command.turns) {
          const { description } = turn
          const { translatedUserInput, userInputDtmf } = description
          const userInput = await words(description.userInput)
          const translated =
            translatedUserInput === undefined ? {} : { translatedUserInput: await words(translatedUserInput) }
          const keyed = userInputDtmf === undefined ? {} : { userInputDtmf: await words(userInputDtmf) }
          turns.push({ ...turn, description: { ...description, userInput, ...translated, ...keyed } })
        }
        return { ...command, turns }
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

/** Returns a redactor's error as the host is told of it: its message, its stack and its causes may hold the words. */
const withoutWords = (error: unknown): Error =>
  new Error(
    `The redactor failed (${thrownNames(error) || 'no error'}). Its message is withheld as the words are.`,
  )

/** Returns a command whose words of the visitor a redactor has read (RD1 to RD3, RD2). */
export async function redactedCommand(
  { clock, observers, settings }: Context,
  redactor: Redactor,
  state: ConversationState,
  command: Command,
): Promise<Command> {
  const replace = withWords(command)
  if (replace === null) return command
  const counts: Record<string, number> = {}
  const limit = settings.redactionDeadline
  const late = new Error(`The redactor did not answer within ${limit} ms.`)
  const deadline = { limit, late }
  const words: Words = async text => {
    if (text === '') return text
    try {
      const about = { conversationId: publicId(state.id), language: state.record.language }
      const { found, text: redacted } = await within(clock, deadline, async signal =>
        redactor.redact(text, about, signal),
      )
      for (const [kind, count] of Object.entries(found)) counts[kind] = (counts[kind] ?? 0) + count
      return redacted
    } catch (error) {
      settings.onError(error === late ? late : withoutWords(error), 'redactor')
      counts.withheld = (counts.withheld ?? 0) + 1
      return WITHHELD
    }
  }
  const redacted = await replace(words)
  if (Object.keys(counts).length === 0) return redacted
  observers.tell({
    type: 'words.redacted',
    event: { ...conversationFacts(state), found: counts },
  })
  return redacted.type === 'message' ? { ...redacted, redacted: recorded(counts) } : redacted
}
