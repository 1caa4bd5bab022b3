import type { ConversationId } from '../ids.ts'
import { REPLAY_VERDICTS, type ReplayedTurn, type ReplayGroupKey, type ReplayVerdict } from './replay.ts'
import { isOfGroup } from './replay-report.ts'
import type { TestCaseResult } from './test-run.ts'

/** A turn of a replay, and the key of its conversation. */
export interface PlacedTurn {
  readonly key: ConversationId
  readonly turn: ReplayedTurn
}

/** The place of a turn among those of a replay. */
export interface TurnPlace {
  readonly verdict: ReplayVerdict
  readonly key: ConversationId
  /** Its place among the turns of the conversation. */
  readonly turn: number
}

export const placeOf = ({ key, turn: { verdict, turn } }: PlacedTurn): TurnPlace => ({ verdict, key, turn })

/** One reading of a replay's results, in the order of their conversations. */
interface Pass {
  /** The verdicts of the turns to take, the gravest first. */
  readonly verdicts: readonly ReplayVerdict[]
  /** The turn before the first one, in the conversation with which it begins. Null: it begins with the first one. */
  readonly after: TurnPlace | null
}

/** Returns the readings for a page: of what is left of the verdict of the page before, then of all that follow. */
export function passesOf(
  { verdict: only }: Partial<ReplayGroupKey>,
  counts: Readonly<Record<ReplayVerdict, number>>,
  after: TurnPlace | null,
): readonly Pass[] {
  const wanted = REPLAY_VERDICTS.filter(verdict => counts[verdict] > 0 && (only ?? verdict) === verdict)
  if (after === null) return [{ verdicts: wanted, after }]
  const gravity = REPLAY_VERDICTS.indexOf(after.verdict)
  const later = wanted.filter(verdict => REPLAY_VERDICTS.indexOf(verdict) > gravity)
  return [
    { verdicts: [after.verdict], after },
    { verdicts: later, after: null },
  ].filter(({ verdicts }) => verdicts.length > 0)
}

/** Gathers the first turns of one reading that belong to a group: it holds no more than a page of each verdict. */
export function createGathering({ after, verdicts }: Pass, group: Partial<ReplayGroupKey>, limit: number) {
  const isWanted = isOfGroup(group)
  const found = new Map(verdicts.map((verdict): [ReplayVerdict, PlacedTurn[]] => [verdict, []]))
  const [gravest] = found.values()
  return {
    add({ replayed = [], testCaseId: key }: TestCaseResult): void {
      for (const turn of replayed) {
        const list = found.get(turn.verdict)
        if (list === undefined || list.length === limit || !isWanted(turn)) continue
        if (after?.key !== key || turn.turn > after.turn) list.push({ key, turn })
      }
    },
    /** True if no further result can change the turns. */
    get isFull(): boolean {
      return gravest?.length === limit
    },
    /** The turns, the gravest verdict first, then in the order of conversations. */
    get turns(): readonly PlacedTurn[] {
      return [...found.values()].flat().slice(0, limit)
    },
  }
}
