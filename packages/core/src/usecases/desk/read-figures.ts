import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import {
  type DeskFigures,
  figuresByLiveAgent,
  figuresByQueue,
  figuresByTime,
  figuresOf,
} from '../../domain/conversation/desk-figures.ts'
import type { DeskOutcome } from '../../domain/conversation/desk-outcome.ts'
import type { AccountId } from '../../domain/ids.ts'
import type { Context } from '../context.ts'

/** The longest span of figures, milliseconds: 92 days. */
const LONGEST_SPAN = 92 * 86_400_000

/** The number of outcomes that are read at a time. */
const PAGE = 2_000

/** The schema of {@link FiguresQuery}. */
export const figuresSchema = z
  .object({
    /** The beginning of the span, milliseconds since the epoch. */
    from: z.int().min(0),
    /** Its end, which is not part of it: at most 92 days later. */
    to: z.int().min(0),
    /** Seconds in which a visitor is to be answered, 1 to 86,400. @default 60 */
    answeredWithin: z.int().min(1).max(86_400).default(60),
    /** Only visitors whose newest turn this deployment gave, such as a side of a rollout. @default all */
    deploymentId: z.string().exactOptional(),
  })
  .refine(({ from, to }) => from < to && to - from <= LONGEST_SPAN, 'expected a span of at most 92 days')

/** The span of figures to read. */
export type FiguresQuery = InputOf<typeof figuresSchema>

/** The counts of an hour or a day. */
export interface DeskFiguresSpan {
  /** Its beginning, milliseconds since the epoch. */
  readonly from: number
  readonly answered: number
  readonly abandoned: number
  readonly unanswered: number
  readonly handled: number
}

/** Figures of the desk of an account. */
export interface DeskFiguresReport {
  /** The beginning of the span that they cover. It is later than asked for if the span has too many handoffs. */
  readonly from: number
  readonly to: number
  readonly all: DeskFigures
  readonly queues: readonly (DeskFigures & { readonly queueName: string })[]
  readonly liveAgents: readonly (DeskFigures & {
    readonly liveAgent: { readonly id: string; readonly name: string }
  })[]
  /** By the hour for a span of up to two days, else by the day. */
  readonly times: readonly DeskFiguresSpan[]
}

/** Reads the outcomes of a span, newest first, at most as many as the setting says. */
async function readOutcomes(
  { settings, store }: Pick<Context, 'settings' | 'store'>,
  accountId: AccountId,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<{ readonly outcomes: readonly DeskOutcome[]; readonly from: number }> {
  const most = settings.deskFigures
  const outcomes = new Map<string, DeskOutcome>()
  for (let through = to - 1; ; ) {
    const page = await store.conversations.handoffs.outcomes(accountId, { from, through }, PAGE)
    const before = outcomes.size
    for (const one of page) outcomes.set(one.id, one)
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE || outcomes.size === before) break
    // Those of the same moment may go on, so it is read again.
    through = last.at
    if (outcomes.size >= most) break
  }
  const all = [...outcomes.values()]
  if (all.length <= most) return { outcomes: all, from }
  const since = (all[most - 1]?.at ?? from) + 1
  return { outcomes: all.filter(({ at }) => at >= since), from: since }
}

/** See `Desk.figures`. */
export async function readFigures(
  deps: Pick<Context, 'settings' | 'store'>,
  accountId: AccountId,
  { answeredWithin, deploymentId, from: asked, to }: z.output<typeof figuresSchema>,
): Promise<DeskFiguresReport> {
  const { from, outcomes: all } = await readOutcomes(deps, accountId, { from: asked, to })
  const outcomes = all.filter(one => deploymentId === undefined || one.deploymentId === deploymentId)
  const within = answeredWithin * 1_000
  return {
    ...{ from, to, all: figuresOf(outcomes, within), queues: figuresByQueue(outcomes, within) },
    ...{ liveAgents: figuresByLiveAgent(outcomes, within), times: figuresByTime(outcomes, { from, to }) },
  }
}
