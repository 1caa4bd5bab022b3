import * as z from 'zod'
import type { Environment } from '../../domain/environment.ts'
import type { AccountId, AgentId, ConversationId } from '../../domain/ids.ts'
import { onFirstUse } from '../../domain/on-first-use.ts'
import { type ErrorCode, PlatformError } from '../../errors.ts'
import { anyOf, naming } from '../shared/arguments.ts'
import { environmentSchema } from '../shared/environment.ts'
import { finishRecording } from './finish-recording.ts'
import { recordTurn, recordTurns } from './record-turn.ts'
import {
  type CheckedTurn,
  checkedRecording,
  type Recorded,
  type RecordingFinish,
  type RecordingStart,
  type RecordingTurn,
  recordingSchemas,
  refuseFinish,
  refuseStart,
  refuseTurn,
} from './recording-input.ts'
import { type RecordingParts, startRecording } from './start-recording.ts'

/** A conversation that took place earlier, with the caller's own id, its turns in their order, and its end. */
export type EarlierConversation = Omit<RecordingStart, 'accountId' | 'agentId' | 'environment'> &
  Required<Pick<RecordingStart, 'conversationId' | 'startedAt'>> & {
    readonly turns: readonly Omit<RecordingTurn, 'agentId' | 'conversationId'>[]
    readonly end: Omit<RecordingFinish, 'agentId' | 'conversationId'> & { readonly finishedAt: number }
  }

/** Earlier conversations of one agent. */
export interface ConversationImport {
  /** The prefixed form. */
  readonly accountId: AccountId
  readonly agentId: AgentId
  readonly environment: Environment
  /** At most 1,000, of at most 50,000 turns together. */
  readonly conversations: readonly EarlierConversation[]
}

/** The result of an import for one conversation. */
export interface ImportedConversation {
  readonly conversationId: ConversationId
  /** `duplicate` when all of it was there. */
  readonly status: 'recorded' | 'duplicate' | 'refused'
  /** The reason why it was refused. */
  readonly error: { readonly code: ErrorCode; readonly message: string } | null
}

const MOST = 1_000
const MOST_TURNS = 50_000
/** Imported at a time: their writes share transactions. */
const AT_ONCE = 32
/** Turns of a conversation that are one write. */
const TOGETHER = 50

const isOnce = <Item>(items: readonly Item[], key: (item: Item) => string): boolean =>
  new Set(items.map(key)).size === items.length

/** Fields that say whose a conversation is: an import says them once. */
const OF_ALL = ['accountId', 'agentId', 'environment', 'conversationId']

/** The input of an import, as far as it concerns all of its conversations. */
export const importSchema = onFirstUse(() => {
  const { start, turn, finish } = recordingSchemas()
  const earlier = {
    conversationId: z.string(),
    startedAt: z.number(),
    turns: z
      .array(anyOf(turn, { turnId: z.string() }, OF_ALL))
      .refine(turns => isOnce(turns, ({ turnId }) => turnId), 'must have each turnId once'),
    end: anyOf(finish, { finishedAt: z.number() }, OF_ALL),
  }
  const conversation = anyOf(start, earlier, OF_ALL)
  return naming<ConversationImport>(
    z.object({
      accountId: z.string(),
      agentId: z.string(),
      environment: environmentSchema,
      conversations: z
        .array(conversation)
        .min(1, 'must not be empty')
        .max(MOST, `must have at most ${MOST} conversations`)
        .refine(
          all => all.reduce((turns, one) => turns + one.turns.length, 0) <= MOST_TURNS,
          `must have at most ${MOST_TURNS} turns together`,
        )
        .refine(
          all => isOnce(all, ({ conversationId }) => conversationId),
          'must have each conversationId once',
        ),
    }),
  )
})

/** Adds the place in the conversation to an error. */
async function within<Result>(place: string, act: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    throw new PlatformError(error.code, `In ${place}: ${error.message}`, { cause: error })
  }
}

/** @throws PlatformError for a refusal; everything that needs no store is checked before the first write */
async function importOne(
  deps: RecordingParts,
  scope: Omit<ConversationImport, 'conversations'>,
  { turns, end, ...given }: EarlierConversation,
): Promise<'recorded' | 'duplicate'> {
  const { agentId } = scope
  const { conversationId } = given
  const schemas = recordingSchemas()
  const start = checkedRecording(deps, schemas.start, { ...given, ...scope })
  refuseStart(deps, start)
  const passed: CheckedTurn[] = []
  for (const [number, turn] of turns.entries())
    await within(`turns.${number}`, () => {
      const described = checkedRecording(deps, schemas.turn, { ...turn, agentId, conversationId })
      refuseTurn(deps, described)
      passed.push(described)
    })
  const finish = await within('end', () => {
    const ended = checkedRecording(deps, schemas.finish, { ...end, agentId, conversationId })
    refuseFinish(deps, ended)
    return ended
  })

  const done: Pick<Recorded, 'status'>[] = [await startRecording(deps, start)]
  for (let from = 0; from < passed.length; from += TOGETHER) {
    if (await recordTurns(deps, finish, passed.slice(from, from + TOGETHER))) {
      done.push({ status: 'recorded' })
      continue
    }
    // Some exist already, or one is refused. A separate write for each tells which.
    for (const [number, turn] of passed.slice(from, from + TOGETHER).entries())
      done.push(await within(`turns.${from + number}`, () => recordTurn(deps, turn)))
  }
  done.push(await within('end', () => finishRecording(deps, finish)))
  return done.every(({ status }) => status === 'duplicate') ? 'duplicate' : 'recorded'
}

/**
 * Reports whether an error refuses one conversation only. Errors that concern them all, such as a missing agent, end
 * the call.
 */
const isRefusal = (error: unknown): error is PlatformError =>
  error instanceof PlatformError && error.status < 500 && error.code !== 'PROJECT_NOT_FOUND'

/**
 * Records conversations that took place earlier (RC248). They are independent: one that is refused is named in the
 * result, and the others are recorded. A retry continues.
 * @throws SCHEMA_VALIDATION_FAILED when the list itself is not valid, PROJECT_NOT_FOUND
 */
export async function importConversations(
  deps: RecordingParts,
  { conversations, ...scope }: ConversationImport,
): Promise<readonly ImportedConversation[]> {
  const outcomes: ImportedConversation[] = []
  const left = conversations.entries()
  const failures: unknown[] = []
  async function importNext(): Promise<void> {
    for (const [index, conversation] of left) {
      if (failures.length > 0) return
      const { conversationId } = conversation
      try {
        const status = await importOne(deps, scope, conversation)
        outcomes[index] = { conversationId, status, error: null }
      } catch (error) {
        if (!isRefusal(error)) failures.push(error)
        else
          outcomes[index] = {
            conversationId,
            status: 'refused',
            error: { code: error.code, message: error.message },
          }
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, importNext))
  for (const error of failures) throw error
  return outcomes
}
