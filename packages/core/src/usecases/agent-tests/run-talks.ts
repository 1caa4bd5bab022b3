import {
  judgedSentences,
  judgedTalk,
  judgedTalks,
  judgeTalk,
  type TalkEnd,
} from '../../domain/agent/judge-talk.ts'
import type { TurnOutcome } from '../../domain/agent/judge-turn.ts'
import type { TestCaseResult, TestTalk, TestTurnResult } from '../../domain/agent/test-run.ts'
import type { TestVisitorProfile } from '../../domain/agent/test-visitor.ts'
import { shortened } from '../../domain/cut-text.ts'
import type { TestLine } from '../../ports/test-visitor.ts'
import type { Context } from '../context.ts'
import { beginRedacting } from '../conversation/engine/redacting.ts'
import { askJudge, askVisitor, TesterFailed } from './ask-testers.ts'

/** Characters of a message or reply in a result. */
const SHOWN = 2_000

/** A conversation of a talk. */
export interface Talking {
  /** Lets the agent greet. */
  join(): Promise<TurnOutcome>
  say(text: string): Promise<TurnOutcome>
  readonly signal: AbortSignal
  /** Returns why a turn failed; null if the agent is not the cause. */
  reasonOf(error: unknown): string | null
}

/** A talk so far. */
interface Course {
  readonly lines: TestLine[]
  readonly outcomes: TurnOutcome[]
  readonly turns: TestTurnResult[]
}

/** Lets the visitor and the agent talk until one of them ends it, or the visitor has said enough. */
async function converse(
  context: Context,
  visitor: TestVisitorProfile,
  { join, say, signal }: Talking,
  { lines, outcomes, turns }: Course,
): Promise<TalkEnd> {
  const hear = (outcome: TurnOutcome): boolean => {
    if (outcome.reply !== '') lines.push({ from: 'ai_agent', text: outcome.reply })
    return outcome.ended
  }
  let ended = hear(await join())
  for (;;) {
    const words = await askVisitor(context, { visitor, lines: [...lines], ended }, signal)
    if (words.type !== 'text') {
      if (turns.length === 0)
        throw new TesterFailed('The visitor ended the talk before it had said anything.')
      return words
    }
    if (ended) return { type: 'ended' }
    if (turns.length === visitor.maxTurns) return { type: 'cut' }
    lines.push({ from: 'visitor', text: words.text })
    const outcome = await say(words.text)
    outcomes.push(outcome)
    const [text, reply] = [shortened(words.text, SHOWN), shortened(outcome.reply, SHOWN)]
    turns.push({ ...outcome, text, reply, verdicts: [] })
    ended = hear(outcome)
  }
}

/**
 * Holds one talk and judges it. A failure of the agent, the visitor or the judge is no verdict: it has errored (TE84).
 */
export async function runTalk(
  context: Context,
  visitor: TestVisitorProfile,
  talking: Talking,
): Promise<TestTalk> {
  const course: Course = { lines: [], outcomes: [], turns: [] }
  const { lines, outcomes, turns } = course
  try {
    const end = await converse(context, visitor, talking, course)
    const { judge: criteria = [] } = visitor.expectations
    const judged = await askJudge(context, { visitor, lines, criteria }, talking.signal)
    const verdicts = [...judgeTalk(visitor, { end, lines, outcomes }), ...judgedSentences(criteria, judged)]
    return judgedTalk({ end }, turns, verdicts)
  } catch (error) {
    talking.signal.throwIfAborted()
    const reason =
      error instanceof TesterFailed ? await withoutPrivateParts(context, error) : talking.reasonOf(error)
    if (reason === null) throw error
    return { status: 'errored', error: reason, turns, verdicts: [] }
  }
}

/** Returns why a visitor or judge failed, as it may be kept (RD8). */
const withoutPrivateParts = async (context: Context, { message }: TesterFailed): Promise<string> =>
  context.redactor === null ? message : beginRedacting(context, context.redactor, null).words(message)

/** Holds the talks of a test case, one after the other. */
export async function runTalks(
  about: Pick<TestCaseResult, 'testCaseId' | 'name'>,
  visitor: TestVisitorProfile,
  talk: () => Promise<TestTalk>,
): Promise<TestCaseResult> {
  const talks: TestTalk[] = []
  while (talks.length < visitor.talks) talks.push(await talk())
  return judgedTalks(about, visitor, talks)
}
