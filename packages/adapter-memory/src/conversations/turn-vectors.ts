import type { ConversationId } from '@colloquy/core'
import type { StoredTurn } from '@colloquy/core/domain'
import {
  type ClaimedTurnVectors,
  claimReach,
  type TurnToEmbed,
  type TurnVectorStore,
  type TurnVectors,
  turnTexts,
} from '@colloquy/core/store'
import { type Indexed, selectRecords, startingFrom } from './selections.ts'

/** A conversation with its turns, and the number of each in the order in which all of them were written. */
interface Spoken extends Indexed {
  readonly turns: readonly StoredTurn[]
  readonly turnNumbers: number[]
}

/** A turn, by its number and its place in its conversation. */
interface Waiting {
  readonly turn: number
  readonly spoken: Spoken
  readonly at: number
}

/** What is known under one embedder id. */
interface Embedded {
  /** Turns without vectors, in order, but for those that are claimed. */
  waiting: Waiting[]
  readonly vectors: Map<Spoken, Map<number, TurnVectors>>
  claim: { readonly number: number; readonly turns: readonly Waiting[]; readonly until: number } | null
  usedAt: number
}

/** The port's methods, and what they are told of writes and removals. */
export interface TurnVectorKeeper {
  /** Numbers the turns that were added last. */
  wrote(spoken: Spoken, turns: number): void
  dropped(spoken: Spoken): void
  readonly methods: TurnVectorStore
}

/** Vectors of the turns of conversations that are in the map. */
export function createTurnVectors(conversations: ReadonlyMap<ConversationId, Spoken>): TurnVectorKeeper {
  const embedders = new Map<string, Embedded>()
  let turns = 0
  let claims = 0

  const isThere = ({ spoken }: Waiting): boolean => conversations.get(spoken.id) === spoken
  const isWanted = (one: Waiting): boolean => isThere(one) && one.spoken.index.listed
  const inOrder = (waiting: readonly Waiting[]): Waiting[] =>
    waiting.toSorted((one, other) => one.turn - other.turn)
  const everything = (): Waiting[] =>
    inOrder(
      [...conversations.values()].flatMap(spoken =>
        spoken.turnNumbers.map((turn, at) => ({ turn, spoken, at })),
      ),
    )

  function embeddedUnder(id: string): Embedded {
    const known = embedders.get(id) ?? { waiting: everything(), vectors: new Map(), claim: null, usedAt: 0 }
    embedders.set(id, known)
    return known
  }

  /** What the claim holds waits again. */
  function giveBack(embedded: Embedded): void {
    embedded.waiting = inOrder([...embedded.waiting, ...(embedded.claim?.turns ?? [])])
    embedded.claim = null
  }

  function keep(embedded: Embedded, { spoken }: Waiting, { turn, user, agent }: ClaimedTurnVectors): void {
    const own = embedded.vectors.get(spoken) ?? new Map<number, TurnVectors>()
    own.set(turn, { user, agent })
    embedded.vectors.set(spoken, own)
  }

  const toEmbed = ({ turn, spoken, at }: Waiting): TurnToEmbed[] => {
    const said = spoken.turns[at]
    return said === undefined ? [] : [{ turn, conversationId: spoken.id, ...turnTexts(said) }]
  }

  return {
    wrote(spoken, count) {
      for (let at = spoken.turns.length - count; at < spoken.turns.length; at++) {
        turns++
        spoken.turnNumbers.push(turns)
        for (const { waiting } of embedders.values()) waiting.push({ turn: turns, spoken, at })
      }
    },
    dropped(spoken) {
      for (const { vectors } of embedders.values()) vectors.delete(spoken)
    },
    methods: {
      async claim(embedderId, limit, now, until) {
        const embedded = embeddedUnder(embedderId)
        const held = embedded.claim?.until ?? now
        if (held > now && held <= claimReach(now, until)) return null
        giveBack(embedded)
        embedded.waiting = embedded.waiting.filter(isWanted)
        const claimed = embedded.waiting.splice(-limit).toReversed()
        if (claimed.length === 0) return null
        embedded.claim = { number: ++claims, turns: claimed, until }
        embedded.usedAt = now
        return { claim: claims, turns: claimed.flatMap(toEmbed), more: embedded.waiting.length > 0 }
      },
      async keep(embedderId, claim, vectors) {
        const embedded = embedders.get(embedderId)
        if (embedded?.claim?.number !== claim) return 'lost'
        const claimed = new Map(embedded.claim.turns.map(one => [one.turn, one]))
        for (const one of vectors) {
          const waiting = claimed.get(one.turn)
          if (waiting !== undefined && isThere(waiting)) keep(embedded, waiting, one)
        }
        embedded.claim = null
        return 'kept'
      },
      async release(embedderId, claim) {
        const embedded = embedders.get(embedderId)
        if (embedded?.claim?.number === claim) giveBack(embedded)
      },
      async next(embedderId, filter, after, limit) {
        const known = embedders.get(embedderId)?.vectors
        const selected = selectRecords(conversations.values(), filter)
        const following = after === null ? selected : startingFrom(selected, { after })
        const looked: Spoken[] = []
        let told = 0
        for (const one of following) {
          const more = known?.get(one)?.size ?? 0
          if (looked.length === limit || (looked.length > 0 && told + more > limit)) break
          looked.push(one)
          told += more
        }
        const positionOf = ({ id, index }: Spoken) => ({ startedAt: index.startedAt, id })
        const last = looked.at(-1)
        return {
          conversations: looked.flatMap(one => {
            const own = known?.get(one) ?? new Map<number, TurnVectors>()
            const turns = one.turnNumbers.flatMap(number => own.get(number) ?? [])
            return turns.length === 0 ? [] : [{ ...positionOf(one), turns }]
          }),
          next: last === undefined || looked.length === following.length ? null : positionOf(last),
        }
      },
      async remove(except, unusedSince, limit) {
        let removed = 0
        for (const [id, embedded] of embedders) {
          if (id === except || embedded.usedAt >= unusedSince) continue
          embedded.claim = null
          embedded.waiting = everything()
          for (const [spoken, own] of embedded.vectors) {
            for (const turn of own.keys()) {
              if (removed === limit) return { removed, more: true }
              own.delete(turn)
              removed++
            }
            embedded.vectors.delete(spoken)
          }
          embedders.delete(id)
        }
        return { removed, more: false }
      },
    },
  }
}
