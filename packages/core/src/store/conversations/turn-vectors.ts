import { fromBase64, toBase64 } from '../../domain/base64.ts'
import { claimReach } from '../../domain/claim-reach.ts'
import { citedTopicOf, wordOfTopic } from '../../domain/conversation/cited-topics.ts'
import { turnTexts } from '../../domain/conversation/turn-words.ts'
import type { ClaimedTurnVectors, TurnClaim, TurnVectorStore } from '../../ports/store/turn-vectors.ts'
import type { Range } from '../documents.ts'
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

/** Reads what lists know of the conversations of these turns; null for those in no list. */
const listedOf = ({ get }: Guarded, turns: readonly Pick<HeldTurn, 'conversationId'>[]) =>
  get(
    LISTED_CONVERSATION,
    turns.map(({ conversationId }) => conversationId),
  )

/** Yields turns at these places that are in lists and have no vectors, newest first. */
async function* waitingIn(over: Guarded, embedderId: string, places: Pick<Range, 'from' | 'through'>) {
  const range = { prefix: [], ...places, descending: true, limit: READ_AT_ONCE }
  for (let after: readonly (string | number)[] | undefined; ; ) {
    const page = await over.scan(TURN, 'place', { ...range, after })
    const keys = page.map(({ log, number }) => idOf(log, number, embedderId))
    const embedded = await over.get(TURN_VECTORS, keys)
    const listed = await listedOf(over, page)
    for (const [at, turn] of page.entries()) if (embedded[at] === null && listed[at] !== null) yield turn
    const last = page.at(-1)
    if (last === undefined || page.length < READ_AT_ONCE) return
    after = [last.place, TURN.id(last)]
  }
}

/** Returns the newest turns without vectors, and between which places all are embedded once these are. */
async function waiting(over: Guarded, { first, id, last }: Embedder, newest: number, limit: number) {
  const turns: HeldTurn[] = []
  /** A place stands for one turn of a claim: of those that two processes gave at once, one waits. */
  const isFull = ({ place }: HeldTurn): boolean => turns.length === limit || turns.at(-1)?.place === place
  for await (const turn of waitingIn(over, id, { from: last + 1, through: Number.MAX_SAFE_INTEGER })) {
    if (isFull(turn)) return { turns, first, last, more: true }
    turns.push(turn)
  }
  const settled = Math.max(last, newest - UNSETTLED)
  for await (const turn of waitingIn(over, id, { from: 0, through: Math.min(first, settled + 1) - 1 })) {
    if (isFull(turn)) return { turns, first: Math.min(first, turn.place + 1), last: settled, more: true }
    turns.push(turn)
  }
  return { turns, first: 1, last: settled, more: false }
}

/** Returns an embedder that is used for the first time: old turns wait below its place, and new ones above. */
function newEmbedder(id: string, newest: number): Embedder {
  const first = Math.max(newest - UNSETTLED, 1)
  return { id, version: 0, claim: 0, claimed: null, heldUntil: 0, usedAt: 0, first, last: first - 1 }
}

/** Claims turns for an embedder, unless somebody else holds its claim, or none wait. */
async function claimed(
  over: Guarded,
  embedderId: string,
  limit: number,
  { now, until }: { readonly now: number; readonly until: number },
): Promise<Decision<TurnClaim | null>> {
  const { one, scan } = over
  const newest = (await scan(TURN, 'place', { prefix: [], descending: true, limit: 1 }))[0]?.place ?? 0
  const known = await one(EMBEDDER, embedderId)
  const embedder = known ?? newEmbedder(embedderId, newest)
  const isHeld = embedder.claimed !== null && embedder.heldUntil > now
  if (isHeld && embedder.heldUntil <= claimReach(now, until)) return { result: null }
  const { first, last, more, turns } = await waiting(over, embedder, newest, limit)
  if (turns.length === 0) return { result: null }
  const claim = embedder.claim + 1
  const held = turns.map(({ conversationId, log, number, place }) => ({ conversationId, log, number, place }))
  const value = {
    ...embedder,
    ...{ version: embedder.version + 1, claim, heldUntil: until, usedAt: now },
    claimed: { turns: held, first, last },
  }
  const given = turns.map(turn => ({
    ...{ turn: turn.place, conversationId: turn.conversationId },
    ...turnTexts(turn),
  }))
  return {
    when: [known === null ? absent(EMBEDDER, embedderId) : unchanged(EMBEDDER, known)],
    put: [{ kind: EMBEDDER, value }],
    result: { claim, turns: given, more },
  }
}

const packed = (bytes: Uint8Array | null | undefined) => (bytes == null ? null : toBase64(bytes))
const unpacked = (text: string | null) => (text === null ? null : fromBase64(text))

/** Returns the vectors of claimed turns that are still there and in lists. */
async function vectorsFor(
  over: Guarded,
  { claimed, id: embedderId }: Embedder,
  vectors: readonly ClaimedTurnVectors[],
): Promise<readonly { readonly turn: HeldTurn; readonly value: KeptVectors }[]> {
  const turns = claimed?.turns ?? []
  const keys = turns.map(({ log, number }) => idOf(log, number))
  const there = await over.get(TURN, keys)
  const listed = await listedOf(over, turns)
  return turns.flatMap(({ conversationId, log, number, place }, at) => {
    const [turn, one] = [there[at], listed[at]]
    if (turn == null || one == null || turn.place !== place) return []
    const { accountId, agentId, environment, startedAt } = one
    const given = vectors.find(({ turn }) => turn === place)
    const of = { embedderId, conversationId, log, accountId, agentId, environment, startedAt, turn: number }
    return [{ turn, value: { ...of, user: packed(given?.user), agent: packed(given?.agent) } }]
  })
}

/** Vectors of turns of one conversation. */
interface Group {
  readonly conversationId: string
  readonly startedAt: number
  readonly turns: KeptVectors[]
}

/** Reads whole conversations, until there are so many of them or so many turns. */
async function groupsIn({ each }: Guarded, range: Range, limit: number) {
  const groups: Group[] = []
  let told = 0
  for await (const kept of each(TURN_VECTORS, 'scope', { ...range, limit: READ_AT_ONCE })) {
    const { conversationId, startedAt } = kept
    if (groups.at(-1)?.conversationId !== conversationId) {
      if (groups.length === limit) return { groups, isCut: true }
      groups.push({ conversationId, startedAt, turns: [] })
    }
    groups.at(-1)?.turns.push(kept)
    told++
    if (told > limit && groups.length > 1) return { groups: groups.slice(0, -1), isCut: true }
  }
  return { groups, isCut: false }
}

/** Returns whether a turn of these groups rests on a topic; undefined: all do. */
async function aboutOf({ get }: Guarded, groups: readonly Group[], topic: string | undefined) {
  if (topic === undefined) return () => true
  const wanted = wordOfTopic(topic)
  const keys = groups.flatMap(({ turns }) => turns.map(turnKey))
  const about = new Set<string>()
  for (const turn of await get(TURN, keys))
    if (turn !== null && wordOfTopic(citedTopicOf(turn)) === wanted) about.add(TURN.id(turn))
  return (turn: KeptVectors): boolean => about.has(turnKey(turn))
}

const turnKey = ({ log, turn }: KeptVectors): string => idOf(log, turn)

/** Removes vectors of an embedder that is not used any more, and the embedder with the last ones. */
async function emptied({ save, scan, write }: Guarded, embedder: Embedder, limit: number) {
  // From now on none of its turns counts as embedded, and vectors of an earlier claim are rejected.
  const empty = { ...embedder, version: embedder.version + 1, claimed: null, ...NOTHING }
  if (!(await save(EMBEDDER, empty, embedder.version))) return { removed: 0, more: false }
  const kept = await scan(TURN_VECTORS, 'scope', { prefix: [embedder.id], limit: limit + 1 })
  const gone = kept.slice(0, limit).map(one => ({ kind: TURN_VECTORS, id: TURN_VECTORS.id(one) }))
  const more = kept.length > gone.length
  const remove = more ? gone : [...gone, { kind: EMBEDDER, id: embedder.id }]
  const refused = await write({ when: [unchanged(EMBEDDER, empty)], remove })
  return { removed: refused === null ? gone.length : 0, more }
}

/** Returns the vectors of turns by embedder, as documents. */
export function turnVectorsOver(over: Guarded): TurnVectorStore {
  const { decided, each, one } = over
  return {
    claim: (embedderId, limit, now, until) => decided(() => claimed(over, embedderId, limit, { now, until })),
    keep: (embedderId, claim, vectors) =>
      decided<'kept' | 'lost'>(async () => {
        const embedder = await one(EMBEDDER, embedderId)
        if (embedder?.claim !== claim || embedder.claimed === null) return { result: 'lost' }
        const { first, last } = embedder.claimed
        const kept = await vectorsFor(over, embedder, vectors)
        const value = { ...embedder, version: embedder.version + 1, claimed: null, first, last }
        return {
          when: [unchanged(EMBEDDER, embedder), ...kept.map(({ turn }) => unchanged(TURN, turn))],
          put: [{ kind: EMBEDDER, value }, ...kept.map(({ value }) => ({ kind: TURN_VECTORS, value }))],
          result: 'kept',
        }
      }),
    release: (embedderId, claim) =>
      decided(async () => {
        const embedder = await one(EMBEDDER, embedderId)
        if (embedder?.claim !== claim || embedder.claimed === null) return { result: undefined }
        const value = { ...embedder, version: embedder.version + 1, claimed: null }
        return { when: [unchanged(EMBEDDER, embedder)], put: [{ kind: EMBEDDER, value }], result: undefined }
      }),
    async next(embedderId, filter, from, limit) {
      const { prefix, ...bounds } = rangeOf(filter)
      const after = from === null ? undefined : [from.startedAt, from.id, Number.MAX_SAFE_INTEGER, NO_VECTORS]
      const range = { prefix: [embedderId, ...prefix], ...bounds, after }
      const { groups, isCut } = await groupsIn(over, range, limit)
      const listed = await listedOf(over, groups)
      const isAbout = await aboutOf(over, groups, filter.topic)
      const last = groups.at(-1)
      return {
        conversations: groups.flatMap(({ conversationId: id, startedAt, turns }, at) => {
          const one = listed[at]
          const said = turns.filter(turn => (turn.user !== null || turn.agent !== null) && isAbout(turn))
          if (one == null || !isSelected(one, filter) || said.length === 0) return []
          const vectors = said.map(({ agent, user }) => ({ user: unpacked(user), agent: unpacked(agent) }))
          return [{ id, startedAt, turns: vectors }]
        }),
        next: isCut && last !== undefined ? { startedAt: last.startedAt, id: last.conversationId } : null,
      }
    },
    async remove(except, unusedSince, limit) {
      let removed = 0
      const unused = { prefix: [], through: Math.ceil(unusedSince) - 1, limit: READ_AT_ONCE }
      for await (const embedder of each(EMBEDDER, 'time', unused)) {
        if (embedder.id === except) continue
        const done = await emptied(over, embedder, limit - removed)
        removed += done.removed
        if (done.more) return { removed, more: true }
      }
      return { removed, more: false }
    },
  }
}
