import * as z from 'zod'
import type { Testers } from '../../domain/agent/test-run.ts'
import type { ResourceOf } from '../../domain/agent/tree.ts'
import { shortened } from '../../domain/cut-text.ts'
import { onFirstUse } from '../../domain/on-first-use.ts'
import { parse } from '../../domain/parse.ts'
import { thrownMessage } from '../../domain/thrown.ts'
import type { JudgeVerdict, TalkToJudge, TestTalkSoFar, VisitorWords } from '../../ports/test-visitor.ts'
import { within } from '../../shared/deadline.ts'
import type { Context } from '../context.ts'

/** Limits of what a visitor says in one message, and of a reason. */
const LENGTH = { text: 10_000, reason: 1_000, error: 500 } as const

const schemas = onFirstUse(() => {
  const reason = z.string().transform(text => shortened(text, LENGTH.reason))
  const words = z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('text'),
      text: z
        .string()
        .max(LENGTH.text)
        .refine(text => text.trim() !== '', 'must not be blank'),
    }),
    z.strictObject({ type: z.literal('done') }),
    z.strictObject({ type: z.literal('gives_up'), reason: reason.exactOptional() }),
  ])
  return { words, verdicts: z.array(z.strictObject({ passed: z.boolean(), reason })) }
})

/** A visitor or judge that threw, was late, or gave what cannot be read: the test case has errored (TE84). */
export class TesterFailed extends Error {}

interface Asking<Answer> {
  readonly who: 'visitor' | 'judge'
  readonly signal: AbortSignal
  ask(signal: AbortSignal): unknown
  read(answer: unknown): Answer
}

/** Asks a visitor or judge within its deadline, and reads its answer. @throws TesterFailed, the signal's reason */
export async function asked<Answer>(
  { clock, settings }: Context,
  { ask, read, signal, who }: Asking<Answer>,
): Promise<Answer> {
  const limit = settings.testRuns.answerDeadline
  signal.throwIfAborted()
  try {
    const late = new Error(`it did not answer within ${limit} ms.`)
    return read(await within(clock, { limit, late, outer: signal }, async signal => ask(signal)))
  } catch (error) {
    signal.throwIfAborted()
    settings.onError(error, 'tests')
    throw new TesterFailed(`The ${who} failed: ${shortened(thrownMessage(error), LENGTH.error)}`)
  }
}

/** Returns the visitor's next words. @throws TesterFailed, the signal's reason */
export const askVisitor = (
  context: Context,
  talk: TestTalkSoFar,
  signal: AbortSignal,
): Promise<VisitorWords> =>
  asked(context, {
    ...{ who: 'visitor', signal },
    ask: signal => context.testVisitor.say(talk, signal),
    read: answer => parse(schemas().words, answer, "visitor's field"),
  })

/** Returns the judge's verdicts, one for each sentence. @throws TesterFailed, the signal's reason */
export async function askJudge(
  context: Context,
  talk: TalkToJudge,
  signal: AbortSignal,
): Promise<readonly JudgeVerdict[]> {
  const judge = context.testJudge
  if (talk.criteria.length === 0) return []
  if (judge === null)
    throw new TesterFailed('Nobody judges the sentences: createPlatform was given no testJudge.')
  return asked(context, {
    ...{ who: 'judge', signal },
    ask: signal => judge.judge(talk, signal),
    read(answer) {
      const verdicts = parse(schemas().verdicts, answer, "judge's field")
      if (verdicts.length === talk.criteria.length) return verdicts
      throw new Error(`it gave ${verdicts.length} verdicts on ${talk.criteria.length} sentences.`)
    },
  })
}

/** Returns the testers of a run with these cases. None without a visitor who talks back (TE84). */
export function testersOf(
  { testJudge, testVisitor }: Pick<Context, 'testJudge' | 'testVisitor'>,
  testCases: readonly ResourceOf<'test_cases'>[],
): { readonly testers?: Testers } {
  if (!testCases.some(({ value }) => value.visitor)) return {}
  return { testers: { visitor: testVisitor.version, judge: testJudge?.version ?? null } }
}

/** Calls a run off that was begun with another visitor or judge (TE84). */
export const OTHER_TESTERS = new Error(
  'The visitor or the judge of this process is not the one with which the run was started. Start another run.',
)

/** @throws OTHER_TESTERS */
export function requireTesters(
  { testJudge, testVisitor }: Pick<Context, 'testJudge' | 'testVisitor'>,
  testers: Testers | undefined,
): void {
  if (testers?.visitor !== testVisitor.version || testers.judge !== (testJudge?.version ?? null))
    throw OTHER_TESTERS
}
