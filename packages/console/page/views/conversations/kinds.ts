import { type Metrics, shownOf } from './rating.ts'

/** Kinds of conversations that a list can be narrowed to. */
export const KINDS = ['contained', 'handoff', 'rated', 'answered', 'unanswered'] as const
export type Kind = (typeof KINDS)[number]

/** Fields of a conversation by which its kind is told. */
export interface Kinded {
  readonly handoff: boolean
  /** Turns that the agent had nothing for. */
  readonly num_ood: number
  readonly metrics: Metrics
}

/** Returns the kind in an address; undefined if it is none. */
export const kindOf = (name: string | undefined): Kind | undefined => KINDS.find(one => one === name)

/** Reports whether a conversation is of a kind. */
export function isOfKind(kind: Kind, { handoff, num_ood: unanswered, metrics }: Kinded): boolean {
  switch (kind) {
    case 'contained':
      return !handoff
    case 'handoff':
      return handoff
    case 'rated':
      return shownOf(metrics).score !== null
    case 'answered':
      return unanswered === 0
    case 'unanswered':
      return unanswered > 0
  }
}

/** A page of a list. */
interface Page<Row> {
  readonly rows: readonly Row[]
  readonly cursor: string | null
}

/**
 * Reads on in a list until there are enough wanted conversations, or until so many pages were read: for what the server
 * does not know. The cursor is of the page after the last one that was read.
 */
export async function narrowed<Row>(
  isWanted: (row: Row) => boolean,
  read: (cursor: string | undefined) => Promise<Page<Row>>,
  from: string | undefined,
  { enough, mostPages }: { readonly enough: number; readonly mostPages: number },
): Promise<Page<Row>> {
  const rows: Row[] = []
  let cursor: string | null | undefined = from
  for (let pages = 0; pages < mostPages && rows.length < enough && cursor !== null; pages++) {
    const page: Page<Row> = await read(cursor)
    rows.push(...page.rows.filter(isWanted))
    cursor = page.cursor
  }
  return { rows, cursor: cursor ?? null }
}
