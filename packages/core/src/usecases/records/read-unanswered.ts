import { publicId } from '../../domain/conversation/conversation-key.ts'
import { startOf } from '../../domain/cut-text.ts'
import type { AgentId } from '../../domain/ids.ts'
import {
  type Question,
  type QuestionGroup,
  QuestionGroups,
  wordWeights,
} from '../../domain/questions/question-groups.ts'
import { isPlatformError, PlatformError } from '../../errors.ts'
import type { PlainRecordFilter, RecordPage, RecordPageStart } from '../../ports/store/records.ts'
import { embedWithin } from '../../shared/embed-within.ts'
import type { Context } from '../context.ts'
import { turnPages } from './read-record.ts'
import { checkedFilter } from './refuse-filter.ts'

/** Limits of what is read for the questions without an answer (WN1, WN3). */
export const UNANSWERED_LIMITS = {
  conversations: { default: 500, most: 2_000 },
  questions: 1_000,
  /** Questions of a conversation, the newest: a long one counts no more than others. */
  ofConversation: 20,
  /** Characters of a question. */
  text: 300,
  groups: { default: 50, most: 200 },
} as const

/** Records that are read at once. */
const SLICE = 20
/** Questions that are embedded at once. */
const BATCH = 32

/** The questions without an answer, in groups. */
export interface Unanswered {
  /** The conversations that were read, the newest ones. */
  readonly conversations: number
  /** Whether the filter selects older ones, or a conversation had more questions. */
  readonly more: boolean
  /** The questions that were found. */
  readonly questions: number
  /** Whether questions were grouped by meaning as well as by words. */
  readonly byMeaning: boolean
  /** The number of groups on all pages. */
  readonly total: number
  /** A page of them, the largest first. */
  readonly groups: readonly QuestionGroup[]
}

/** A page of the groups. */
export interface UnansweredPage {
  /** Groups that are left out, the largest ones. @default 0 */
  readonly offset?: number | undefined
  /** 1 to 200. @default 50 */
  readonly limit?: number | undefined
}

type Reader = Pick<Context, 'breather' | 'clock' | 'embedder' | 'log' | 'settings' | 'store'>
type Filter = PlainRecordFilter & { readonly agentId: AgentId }

/** Returns the newest questions of a record, in that order: messages that the agent found nothing for (WN1). */
async function questionsOf(
  context: Reader,
  { accountId, agentId }: Filter,
  { id, json, startedAt }: RecordPage['records'][number],
): Promise<{ readonly found: readonly Question[]; readonly more: boolean }> {
  const found: Question[] = []
  let more = false
  if (json.summary.value.num_ood === 0) return { found, more }
  const conversationId = publicId(id)
  for await (const turns of turnPages(context, accountId, agentId, conversationId))
    for (const { record } of turns) {
      const { is_ood: isUnanswered, user_input: said } = record.value
      if (isUnanswered !== true || typeof said !== 'string' || said.trim() === '') continue
      found.push({ text: startOf(said.trim(), UNANSWERED_LIMITS.text), conversationId, startedAt })
      if (found.length <= UNANSWERED_LIMITS.ofConversation) continue
      found.shift()
      more = true
    }
  return { found: found.reverse(), more }
}

async function collect(context: Reader, filter: Filter, limit: number) {
  const { sliceBytes } = context.settings.limits
  const { records } = context.store.conversations
  const questions: Question[] = []
  let from: RecordPageStart = { offset: 0 }
  let conversations = 0
  let isCut = false
  for (;;) {
    const page = await records.newest(filter, from, Math.min(SLICE, limit - conversations), sliceBytes)
    for (const record of page.records) {
      conversations++
      try {
        const { found, more } = await questionsOf(context, filter, record)
        questions.push(...found)
        isCut ||= more
      } catch (error) {
        // Removed since it was listed.
        if (!isPlatformError(error) || error.code !== 'CONVERSATIONS_NOT_FOUND') throw error
      }
      if (questions.length >= UNANSWERED_LIMITS.questions)
        return { conversations, more: true, questions: questions.slice(0, UNANSWERED_LIMITS.questions) }
      const breath = context.breather.breathe()
      if (breath !== null) await breath
    }
    const last = page.records.at(-1)
    if (!page.more || last === undefined || conversations >= limit)
      return { conversations, more: page.more || isCut, questions }
    from = { after: { startedAt: last.startedAt, id: last.id } }
  }
}

/** Returns a vector for each question. Null without an embedder, and if it fails: words are enough (WN2). */
async function vectorsOf(
  { clock, embedder, log, settings }: Reader,
  questions: readonly Question[],
): Promise<readonly Float32Array[] | null> {
  if (embedder === null || questions.length === 0) return null
  const vectors: Float32Array[] = []
  try {
    for (let at = 0; at < questions.length; at += BATCH) {
      const texts = questions.slice(at, at + BATCH).map(({ text }) => text)
      vectors.push(...(await embedWithin({ embedder, clock }, texts, settings.semanticSearch.queryTimeout)))
    }
    return vectors
  } catch (error) {
    log.warn('Questions were grouped by words alone.', { embedder: embedder.id, error })
    return null
  }
}

/**
 * Reads the newest conversations that a filter selects, and groups the questions that the agent did not answer: by
 * their words, and by their meaning where there is an embedder (WN1 to WN3). @throws SCHEMA_VALIDATION_FAILED
 */
export async function readUnanswered(
  context: Reader,
  filter: Filter,
  limit: number = UNANSWERED_LIMITS.conversations.default,
  { offset = 0, limit: wanted = UNANSWERED_LIMITS.groups.default }: UnansweredPage = {},
): Promise<Unanswered> {
  const { most } = UNANSWERED_LIMITS.conversations
  if (!Number.isInteger(limit) || limit < 1 || limit > most)
    throw new PlatformError('SCHEMA_VALIDATION_FAILED', `limit must be a whole number from 1 to ${most}.`)
  const checked = { ...checkedFilter(filter), agentId: filter.agentId }
  const { conversations, more, questions } = await collect(context, checked, limit)
  const vectors = await vectorsOf(context, questions)
  const groups = new QuestionGroups(wordWeights(questions.map(({ text }) => text)))
  for (const [at, question] of questions.entries()) {
    groups.add(question, vectors?.[at] ?? null)
    const breath = context.breather.breathe()
    if (breath !== null) await breath
  }
  return {
    ...{ conversations, more, questions: questions.length, byMeaning: vectors !== null },
    total: groups.count,
    groups: groups.largest(wanted, offset),
  }
}
