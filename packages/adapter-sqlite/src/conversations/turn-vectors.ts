import { claimReach, type TurnToEmbed, type TurnVectorStore, turnTexts } from '@colloquy/core/store'
import { fromJson } from '../database/json.ts'
import { gapsFromTop, type RowGap, type RowRange, withRange } from '../database/row-ranges.ts'
import type { Session } from '../database/session.ts'
import type { ConversationStatements } from './conversation-statements.ts'
import { beginningOf, conditionsOf, type RecordStatements } from './records.ts'
import { type TurnRow, vectorStatements } from './vector-statements.ts'

/** With this many ranges the turns written last are claimed in order, so that no further range begins (SQ85). */
export const MOST_RANGES = 64

/** Turns that may be claimed, and which rows are embedded once they are. */
interface Claimable {
  readonly rows: readonly TurnRow[]
  readonly range: RowRange
  readonly more: boolean
}

const toEmbed = ({ turn, record, conversationId }: TurnRow): TurnToEmbed => ({
  turn,
  conversationId,
  ...turnTexts({ record: fromJson(record) }),
})

/** The port's methods that keep vectors of turns. */
export function turnVectorMethods(
  { define, read, snapshot, write }: Session,
  { run, records }: { readonly run: ConversationStatements; readonly records: RecordStatements },
): TurnVectorStore {
  const own = vectorStatements(define)

  /** The newest turns of a gap above which all is embedded; `top` is the last row that is. */
  function claimableIn(gap: RowGap, top: number, limit: number, inOrder: boolean): Claimable | null {
    const newest = own.newestBetween.all({ ...gap, limit: limit + 1 })
    const [highest] = newest
    if (highest === undefined) return null
    const more = newest.length > limit
    if (more && inOrder) {
      const rows = own.oldestBetween.all({ ...gap, limit }).toReversed()
      return { rows, more, range: { first: gap.above + 1, last: rows[0]?.turn ?? highest.turn } }
    }
    const rows = newest.slice(0, limit)
    const first = more ? (rows.at(-1)?.turn ?? highest.turn) : gap.above + 1
    return { rows, more, range: { first, last: Math.max(highest.turn, top) } }
  }

  function claimable(embedder: number | undefined, limit: number): Claimable | null {
    const ranges = embedder === undefined ? [] : own.ranges.all({ embedder })
    const top = ranges.at(-1)?.last ?? 0
    const gaps = gapsFromTop(ranges)
    for (const [at, gap] of gaps.entries()) {
      const found = claimableIn(gap, top, limit, at === 0 && ranges.length >= MOST_RANGES)
      if (found === null) continue
      const isEmpty = (other: RowGap) => own.newestBetween.get({ ...other, limit: 1 }) === undefined
      return { ...found, more: found.more || !gaps.slice(at + 1).every(isEmpty) }
    }
    return null
  }

  function cover(embedder: number, added: RowRange): void {
    const ranges = withRange(own.ranges.all({ embedder }), added)
    own.dropRanges.run({ embedder })
    for (const { first, last } of ranges) own.insertRange.run({ embedder, first, last })
  }

  /** The embedder's row, where that claim is its newest and not over. */
  function holder(id: string, claim: number) {
    const embedder = own.embedder.get({ id })
    if (embedder?.claim !== claim || embedder.first === null || embedder.last === null) return null
    return { row: embedder.row, range: { first: embedder.first, last: embedder.last } }
  }

  return {
    async claim(id, limit, now, until) {
      const operation = 'claim turns to embed'
      const find = (most: number) => {
        const embedder = own.embedder.get({ id })
        const held = embedder?.heldUntil ?? now
        if (held > now && held <= claimReach(now, until)) return null
        return claimable(embedder?.row, most)
      }
      // Most looks find nothing, and need not wait for the lock that writes need.
      const some = await snapshot(operation, () => find(1) !== null)
      if (!some) return null
      return write(operation, () => {
        const found = find(limit)
        if (found === null) return null
        const { row, claim } = own.embedder.get({ id }) ?? { ...own.insertEmbedder.run({ id }), claim: 0 }
        own.claim.run({ row, ...found.range, now, until })
        const turns = found.rows.filter(({ listed }) => listed !== 0).map(toEmbed)
        return { claim: claim + 1, turns, more: found.more }
      })
    },
    async keep(id, claim, given) {
      const vectors = structuredClone(given)
      return write('keep vectors of turns', () => {
        const held = holder(id, claim)
        if (held === null) return 'lost'
        const { row: embedder, range } = held
        for (const { turn, user, agent } of vectors) {
          if (turn < range.first || turn > range.last) continue
          const conversation = own.conversationOf.get({ turn })?.conversation
          if (conversation !== undefined) own.keep.run({ embedder, turn, conversation, user, agent })
        }
        cover(embedder, range)
        own.endClaim.run({ row: embedder })
        return 'kept'
      })
    },
    release: (id, claim) =>
      write('give turns back', () => {
        const held = holder(id, claim)
        if (held !== null) own.endClaim.run({ row: held.row })
      }),
    async next(id, filter, after, limit) {
      return snapshot('read vectors of turns', () => {
        const { accountId, agentId, environment } = filter
        const scope = run.scope.get({ accountId, agentId, environment })?.row
        const embedder = own.embedder.get({ id })?.row
        if (scope === undefined || embedder === undefined) return { conversations: [], next: null }
        const first = beginningOf(filter)
        const start = after !== null && after.startedAt >= first.startedAt ? after : first
        const places = records.places.all({ ...conditionsOf(scope, filter, start), limit: limit + 1 })
        const conversations = []
        let [looked, told] = [0, 0]
        for (const { row, startedAt, id } of places.slice(0, limit)) {
          const turns = own.vectors.all({ embedder, conversation: row })
          if (looked > 0 && told + turns.length > limit) break
          looked++
          told += turns.length
          if (turns.length > 0) conversations.push({ startedAt, id, turns })
        }
        const last = places[looked - 1]
        const more = last !== undefined && places.length > looked
        return { conversations, next: more ? { startedAt: last.startedAt, id: last.id } : null }
      })
    },
    async remove(except, unusedSince, limit) {
      const operation = 'remove vectors of turns'
      const unused = () => own.unusedEmbedders.all({ except, since: unusedSince })
      const some = await read(operation, () => unused().length > 0)
      if (!some) return { removed: 0, more: false }
      return write(operation, () => {
        const [first, ...others] = unused()
        if (first === undefined) return { removed: 0, more: false }
        const { row: embedder } = first
        own.dropRanges.run({ embedder })
        own.endClaim.run({ row: embedder })
        const removed = own.dropVectors.run({ embedder, limit }).changes
        if (removed < limit) own.dropEmbedder.run({ row: embedder })
        return { removed, more: removed === limit || others.length > 0 }
      })
    },
  }
}
