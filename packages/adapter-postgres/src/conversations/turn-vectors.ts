import {
  claimReach,
  type TurnToEmbed,
  type TurnVectorStore,
  type TurnVectors,
  turnTexts,
} from '@colloquy/core/store'
import { after } from '../database/after.ts'
import { fromJson } from '../database/json.ts'
import { gapsFromTop, type RowGap, type RowRange, withRange } from '../database/row-ranges.ts'
import type { Session } from '../database/session.ts'
import type { Execute } from '../database/statements.ts'
import type { Places } from './conversation-place.ts'
import { beginningOf, conditionsOf } from './records.ts'
import { type EmbedderRow, type TurnRow, vectorStatements } from './vector-statements.ts'

/** With this many ranges the turns written last are claimed in order, so that no further range begins. */
const MOST_RANGES = 64

/** How often, and how many milliseconds apart, it is looked whether those that write turns have finished. */
const LOOKS = 20
const BETWEEN_LOOKS = 10

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

const bytesOfHex = (hex: string | null | undefined): Uint8Array | null =>
  hex === null || hex === undefined ? null : new Uint8Array(Buffer.from(hex, 'hex'))

const isHeld = ({ heldUntil }: EmbedderRow, now: number, until: number): boolean =>
  heldUntil > now && heldUntil <= claimReach(now, until)

/** The port's methods that keep vectors of turns. */
export function turnVectorMethods({ define, transaction }: Session, places: Places): TurnVectorStore {
  const run = vectorStatements(define)

  /**
   * A row of turns that nobody will add a lower one to: rows get their numbers before they are committed, and one that
   * is passed by would never be embedded. Null while others take long to write.
   */
  async function settledRow(): Promise<number | null> {
    const last = (await run.lastTurn.get({}))?.last ?? 0
    const writers = async () => new Set((await run.writers.all({})).map(({ writer }) => writer))
    let left = await writers()
    for (let look = 0; left.size > 0; look++) {
      if (look === LOOKS) return null
      await after(BETWEEN_LOOKS)
      const there = await writers()
      left = new Set([...left].filter(writer => there.has(writer)))
    }
    return last
  }

  /** The newest turns of a gap above which all is embedded; `top` is the last row that is. */
  async function claimableIn(
    on: Execute,
    gap: RowGap,
    { top, limit, inOrder }: { readonly top: number; readonly limit: number; readonly inOrder: boolean },
  ): Promise<Claimable | null> {
    const newest = await run.newestBetween.all({ ...gap, limit: limit + 1 }, on)
    const [highest] = newest
    if (highest === undefined) return null
    const more = newest.length > limit
    if (more && inOrder) {
      const rows = (await run.oldestBetween.all({ ...gap, limit }, on)).toReversed()
      return { rows, more, range: { first: gap.above + 1, last: rows[0]?.turn ?? highest.turn } }
    }
    const rows = newest.slice(0, limit)
    const first = more ? (rows.at(-1)?.turn ?? highest.turn) : gap.above + 1
    return { rows, more, range: { first, last: Math.max(highest.turn, top) } }
  }

  async function claimable(
    on: Execute,
    embedder: number,
    settled: number,
    limit: number,
  ): Promise<Claimable | null> {
    const ranges = await run.ranges.all({ embedder }, on)
    const top = ranges.at(-1)?.last ?? 0
    const gaps = gapsFromTop(ranges).map(({ above, below }) => ({
      above,
      below: Math.min(below, settled + 1),
    }))
    for (const [at, gap] of gaps.entries()) {
      const inOrder = at === 0 && ranges.length >= MOST_RANGES
      const found = await claimableIn(on, gap, { top, limit, inOrder })
      if (found === null) continue
      let { more } = found
      for (const other of gaps.slice(at + 1))
        more ||= (await run.newestBetween.get({ ...other, limit: 1 }, on)) !== undefined
      return { ...found, more }
    }
    return null
  }

  async function cover(on: Execute, embedder: number, added: RowRange): Promise<void> {
    const ranges = withRange(await run.ranges.all({ embedder }, on), added)
    await run.dropRanges.all({ embedder }, on)
    const [firsts, lasts] = [ranges.map(({ first }) => first), ranges.map(({ last }) => last)]
    await run.insertRanges.all({ embedder, firsts, lasts }, on)
  }

  /** Most looks find nothing, and need no transaction. */
  async function mayClaim(id: string, now: number, until: number): Promise<boolean> {
    const embedder = await run.embedder.get({ id })
    if (embedder === undefined) return true
    if (isHeld(embedder, now, until)) return false
    const ranges = await run.ranges.all({ embedder: embedder.row })
    for (const gap of gapsFromTop(ranges))
      if ((await run.newestBetween.get({ ...gap, limit: 1 })) !== undefined) return true
    return false
  }

  return {
    async claim(id, limit, now, until) {
      if (!(await mayClaim(id, now, until))) return null
      const settled = await settledRow()
      if (settled === null) return null
      return transaction('claim turns to embed', async on => {
        const embedder = await run.lockedEmbedder.get({ id }, on)
        if (embedder === undefined || isHeld(embedder, now, until)) return null
        const { row, claim } = embedder
        const found = await claimable(on, row, settled, limit)
        if (found === null) return null
        await run.claim.all({ row, ...found.range, now, until }, on)
        return {
          claim: claim + 1,
          turns: found.rows.filter(({ listed }) => listed).map(toEmbed),
          more: found.more,
        }
      })
    },
    async keep(id, claim, given) {
      const vectors = structuredClone(given)
      return transaction('keep vectors of turns', async on => {
        const held = await run.heldEmbedder.get({ id, claim }, on)
        if (held === undefined) return 'lost'
        const { row, first, last } = held
        await run.keep.all(
          {
            ...{ embedder: row, first, last },
            turns: vectors.map(({ turn }) => turn),
            users: vectors.map(({ user }) => user),
            agents: vectors.map(({ agent }) => agent),
          },
          on,
        )
        await cover(on, row, { first, last })
        await run.endClaim.all({ row }, on)
        return 'kept'
      })
    },
    release: (id, claim) =>
      transaction('give turns back', async on => {
        const held = await run.heldEmbedder.get({ id, claim }, on)
        if (held !== undefined) await run.endClaim.all({ row: held.row }, on)
      }),
    async next(embedder, given, position, limit) {
      const filter = structuredClone(given)
      const first = beginningOf(filter)
      const start = position !== null && position.startedAt >= first.startedAt ? { ...position } : first
      const scope = await places.find(filter)
      if (scope === null) return { conversations: [], next: null }
      const rows = await run.next.all({ ...conditionsOf(filter, start), scope, embedder, limit })
      const last = rows.at(-1)
      return {
        conversations: rows.flatMap(({ id, startedAt, users, agents }) => {
          const turns = users.map(
            (user, at): TurnVectors => ({ user: bytesOfHex(user), agent: bytesOfHex(agents[at]) }),
          )
          return turns.length === 0 ? [] : [{ startedAt, id, turns }]
        }),
        next:
          last === undefined || last.found <= rows.length ? null : { startedAt: last.startedAt, id: last.id },
      }
    },
    remove: (except, unusedSince, limit) =>
      transaction('remove vectors of turns', async on => {
        const [first, ...others] = await run.unusedEmbedders.all({ except, since: unusedSince }, on)
        if (first === undefined) return { removed: 0, more: false }
        const { row } = first
        await run.dropRanges.all({ embedder: row }, on)
        await run.endClaim.all({ row }, on)
        const removed = (await run.dropVectors.all({ embedder: row, limit }, on)).length
        if (removed < limit) await run.dropEmbedder.all({ row }, on)
        return { removed, more: removed === limit || others.length > 0 }
      }),
  }
}
