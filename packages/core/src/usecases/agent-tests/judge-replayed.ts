import * as z from 'zod'
import { factsOf, type ReplayedTurn, type ReplayPlan } from '../../domain/agent/replay.ts'
import type { StoredTurn } from '../../domain/conversation/record.ts'
import { shortened } from '../../domain/cut-text.ts'
import { onFirstUse } from '../../domain/on-first-use.ts'
import { parse } from '../../domain/parse.ts'
import { JUDGE_VERDICTS, type ReplayOpinion } from '../../ports/replay-judge.ts'
import type { Context } from '../context.ts'
import { asked, OTHER_TESTERS, TesterFailed } from './ask-testers.ts'

/** The longest reason that is kept, characters. */
const REASON = 500

const opinionSchema = onFirstUse(() =>
  z.strictObject({
    verdict: z.enum(JUDGE_VERDICTS),
    reason: z.string().transform(text => shortened(text, REASON)),
  }),
)

/** The two sides of a turn of a replay. */
export interface Sides {
  readonly recorded: StoredTurn
  /** Null: the agent never began. */
  readonly now: StoredTurn | null
}

/**
 * Asks the host's judge about a turn that is `changed` or `reworded` by rule, and returns it with what the judge says.
 * A judge that fails changes nothing but the count (TE91). @throws the signal's reason
 */
export async function withOpinion(
  context: Context,
  turn: ReplayedTurn,
  { recorded, now }: Sides,
  signal: AbortSignal,
): Promise<ReplayedTurn> {
  const { replayJudge: judge } = context
  const { verdict, reason } = turn
  if (judge === null || now === null || (verdict !== 'changed' && verdict !== 'reworded')) return turn
  const { user_input: said } = recorded.record
  const question = {
    said: typeof said === 'string' ? said : '',
    rule: { verdict, reason },
    before: factsOf(recorded),
    now: factsOf(now),
  }
  try {
    const opinion = await asked<ReplayOpinion>(context, {
      ...{ who: 'judge', signal },
      ask: inner => judge.compare(question, inner),
      read: answer => parse(opinionSchema(), answer, "judge's field"),
    })
    const judged = { rule: reason, reason: opinion.reason }
    // A verdict that stays keeps the reason by rule.
    if (opinion.verdict === verdict) return { ...turn, judged }
    return { ...turn, verdict: opinion.verdict, reason: 'judged', judged }
  } catch (error) {
    if (!(error instanceof TesterFailed)) throw error
    return { ...turn, judged: null }
  }
}

/** Refuses to go on with a replay that another judge has begun. @throws OTHER_TESTERS */
export function requireReplayJudge(
  { replayJudge }: Pick<Context, 'replayJudge'>,
  { judge = null }: Pick<ReplayPlan, 'judge'>,
): void {
  if ((replayJudge?.version ?? null) !== judge) throw OTHER_TESTERS
}
