import { fromBase64, toBase64 } from '../../domain/base64.ts'
import { claimReach } from '../../domain/claim-reach.ts'
import { turnTexts } from '../../domain/conversation/turn-words.ts'
import type { ClaimedTurnVectors, TurnVectorStore } from '../../ports/store/turn-vectors.ts'
import { absent, type Decision, type Guarded, unchanged } from '../guarded.ts'
import { idOf } from '../kind-parts.ts'
import {
  EMBEDDER,
  type Embedder,
  type HeldTurn,
  type KeptVectors,
  LISTED_CONVERSATION,
  TURN,
  TURN_VECTORS,
} from './kinds.ts'
import { READ_AT_ONCE } from './placing.ts'
import { isSelected, rangeOf } from './selected.ts'

/**
 * A turn gets its place before it is written, and may come behind later ones: of the last minute before the newest one
 * none is taken for embedded by its place alone. In microseconds, as places are.
 */
const UNSETTLED = 60_000_000

/** An id that stands behind no other. */
const NO_VECTORS = idOf('', 0, '')

/** Nothing is embedded. */
const NOTHING = { first: 1, last: 0 } as const

/** The vectors of turns by embedder, as documents. */
export function turnVectorsOver({ decided, each, get, one, save, scan, write }: Guarded): TurnVectorStore {
  /** Turns at these places that are in lists and have no vectors, newest first. */
  async function* waitingIn(embedderId: string, places: { readonly from: number; readonly through: number }) {
    const range = {
      prefix: [],
      from: places.from,
      through: places.through,
      descending: true,
      limit: READ_AT_ONCE,
    }
    for (let after: readonly (string | number)[] | undefined; ; ) {
      const page = await scan(TURN, 'place', { ...range, after })
      const embedded = await get(
        TURN_VECTORS,
        page.map(({ log, number }) => idOf(log, number, embedderId)),
      )
      const listed = await get(
        LISTED_CONVERSATION,
        page.map(({ conversationId }) => conversationId),
      )
      for (const [at, turn] of page.entries()) if (embedded[at] === null && listed[at] !== null) yield turn
      const last = page.at(-1)
      if (last === undefined || page.length < READ_AT_ONCE) return
      after = [last.place, TURN.id(last)]
    }
  }

  /** The newest turns without vectors, and between which places all are embedded once these are. */
  async function waiting(
    { first, id, last }: Pick<Embedder, 'first' | 'id' | 'last'>,
    newest: number,
    limit: number,
  ) {
    const turns: HeldTurn[] = []
    /** A place stands for one turn of a claim: of those that two processes gave at once, one waits. */
    const isFull = ({ place }: HeldTurn): boolean => turns.length === limit || turns.at(-1)?.place === place
    for await (const turn of waitingIn(id, { from: last + 1, through: Number.MAX_SAFE_INTEGER })) {
      if (isFull(turn)) return { turns, first, last, more: true }
      turns.push(turn)
    }
    const settled = Math.max(last, newest - UNSETTLED)
    for await (const turn of waitingIn(id, { from: 0, through: Math.min(first, settled + 1) - 1 })) {
      if (isFull(turn)) return { turns, first: Math.min(first, turn.place + 1), last: settled, more: true }
      turns.push(turn)
    }
    return { turns, first: 1, last: settled, more: false }
  }

  /** Returns the place of the newest turn of all. */
  const newestPlace = async (): Promise<number> =>
    (await scan(TURN, 'place', { prefix: [], descending: true, limit: 1 }))[0]?.place ?? 0

  /** An embedder that is used for the first time: what was said long ago waits below, and what is new above. */
  const newEmbedder = (id: string, newest: number): Embedder => {
    const first = Math.max(newest - UNSETTLED, 1)
    return { id, version: 0, claim: 0, claimed: null, heldUntil: 0, usedAt: 0, first, last: first - 1 }
  }

  async function vectorsFor(
    { claimed, id: embedderId }: Embedder,
    vectors: readonly ClaimedTurnVectors[],
  ): Promise<readonly { readonly turn: HeldTurn; readonly value: KeptVectors }[]> {
    const turns = claimed?.turns ?? []
    const there = await get(
      TURN,
      turns.map(({ log, number }) => idOf(log, number)),
    )
    const listed = await get(
      LISTED_CONVERSATION,
      turns.map(({ conversationId }) => conversationId),
    )
    return turns.flatMap(({ conversationId, log, number, place }, at) => {
      const [turn, one] = [there[at], listed[at]]
      if (turn == null || one == null || turn.place !== place) return []
      const { accountId, agentId, environment, startedAt } = one
      const given = vectors.find(({ turn }) => turn === place)
      const packed = (bytes: Uint8Array | null | undefined) => (bytes == null ? null : toBase64(bytes))
      const of = { embedderId, conversationId, log, accountId, agentId, environment, startedAt, turn: number }
      return [{ turn, value: { ...of, user: packed(given?.user), agent: packed(given?.agent) } }]
    })
  }

  return {
    claim: (embedderId, limit, now, until) =>
      decided(async (): Promise<Decision<Awaited<ReturnType<TurnVectorStore['claim']>>>> => {
        const newest = await newestPlace()
        const known = await one(EMBEDDER, embedderId)
        const embedder = known ?? newEmbedder(embedderId, newest)
        const isHeld = embedder.claimed !== null && embedder.heldUntil > now
        if (isHeld && embedder.heldUntil <= claimReach(now, until)) return { batch: null, result: null }
        const { first, last, more, turns } = await waiting(embedder, newest, limit)
        if (turns.length === 0) return { batch: null, result: null }
        const claim = embedder.claim + 1
        const claimed = turns.map(({ conversationId, log, number, place }) => ({
          ...{ conversationId, log, number, place },
        }))
        const value = {
          ...embedder,
          ...{ version: embedder.version + 1, claim, heldUntil: until, usedAt: now },
          claimed: { turns: claimed, first, last },
        }
        return {
          batch: {
            when: [known === null ? absent(EMBEDDER, embedderId) : unchanged(EMBEDDER, known)],
            put: [{ kind: EMBEDDER, value }],
          },
          result: {
            claim,
            turns: turns.map(turn => ({
              turn: turn.place,
              conversationId: turn.conversationId,
              ...turnTexts(turn),
            })),
            more,
          },
        }
      }),
    keep: (embedderId, claim, vectors) =>
      decided<'kept' | 'lost'>(async () => {
        const embedder = await one(EMBEDDER, embedderId)
        if (embedder?.claim !== claim || embedder.claimed === null) return { batch: null, result: 'lost' }
        const { first, last } = embedder.claimed
        const kept = await vectorsFor(embedder, vectors)
        const value = { ...embedder, version: embedder.version + 1, claimed: null, first, last }
        return {
          batch: {
            when: [unchanged(EMBEDDER, embedder), ...kept.map(({ turn }) => unchanged(TURN, turn))],
            put: [{ kind: EMBEDDER, value }, ...kept.map(({ value }) => ({ kind: TURN_VECTORS, value }))],
          },
          result: 'kept',
        }
      }),
    release: (embedderId, claim) =>
      decided(async () => {
        const embedder = await one(EMBEDDER, embedderId)
        if (embedder?.claim !== claim || embedder.claimed === null) return { batch: null, result: undefined }
        const value = { ...embedder, version: embedder.version + 1, claimed: null }
        return {
          batch: { when: [unchanged(EMBEDDER, embedder)], put: [{ kind: EMBEDDER, value }] },
          result: undefined,
        }
      }),
    async next(embedderId, filter, after, limit) {
      const { prefix, ...bounds } = rangeOf(filter)
      const place =
        after === null ? undefined : [after.startedAt, after.id, Number.MAX_SAFE_INTEGER, NO_VECTORS]
      const range = { prefix: [embedderId, ...prefix], ...bounds, after: place, limit: READ_AT_ONCE }
      const groups: { readonly id: string; readonly startedAt: number; readonly turns: KeptVectors[] }[] = []
      let told = 0
      let isCut = false
      for await (const kept of each(TURN_VECTORS, 'scope', range)) {
        const { conversationId: id, startedAt } = kept
        if (groups.at(-1)?.id !== id) {
          isCut = groups.length === limit
          if (isCut) break
          groups.push({ id, startedAt, turns: [] })
        }
        groups.at(-1)?.turns.push(kept)
        told++
        isCut = told > limit && groups.length > 1
        if (!isCut) continue
        groups.pop()
        break
      }
      const ids = groups.map(({ id }) => id)
      const listed = await get(LISTED_CONVERSATION, ids)
      const last = groups.at(-1)
      return {
        conversations: groups.flatMap(({ id, startedAt, turns }, at) => {
          const one = listed[at]
          const said = turns.filter(({ agent, user }) => user !== null || agent !== null)
          if (one == null || !isSelected(one, filter) || said.length === 0) return []
          const unpacked = (text: string | null) => (text === null ? null : fromBase64(text))
          const vectors = said.map(({ agent, user }) => ({ user: unpacked(user), agent: unpacked(agent) }))
          return [{ id, startedAt, turns: vectors }]
        }),
        next: isCut && last !== undefined ? { startedAt: last.startedAt, id: last.id } : null,
      }
    },
    async remove(except, unusedSince, limit) {
      let removed = 0
      const unused = { prefix: [], through: Math.ceil(unusedSince) - 1, limit: READ_AT_ONCE }
      for await (const embedder of each(EMBEDDER, 'time', unused)) {
        if (embedder.id === except) continue
        // None of its turns counts as embedded from now on, and nobody keeps vectors for a claim that was made before.
        const version = embedder.version + 1
        const emptied = { ...embedder, version, claimed: null, ...NOTHING }
        if (!(await save(EMBEDDER, emptied, embedder.version))) continue
        const prefix = [embedder.id]
        const kept = await scan(TURN_VECTORS, 'scope', { prefix, limit: limit - removed + 1 })
        const gone = kept
          .slice(0, limit - removed)
          .map(one => ({ kind: TURN_VECTORS, id: TURN_VECTORS.id(one) }))
        const isLast = kept.length === gone.length
        const written = await write({
          when: [unchanged(EMBEDDER, emptied)],
          remove: isLast ? [...gone, { kind: EMBEDDER, id: embedder.id }] : gone,
        })
        if (written === null) removed += gone.length
        if (!isLast) return { removed, more: true }
      }
      return { removed, more: false }
    },
  }
}
