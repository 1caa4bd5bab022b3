import type { Batch, Kind } from '../documents.ts'
import { KINDS } from '../kinds.ts'
import { CONVERSATION_KINDS } from './kinds.ts'

/** A kind whose documents go with conversations, and by which index they are found. */
interface Owned {
  readonly kind: Kind<unknown>
  /** Null: by their own id. */
  readonly index: string | null
}

/** What of these kinds goes with conversations, or with their logs. What others belong to goes last. */
function ownedBy(kinds: readonly Kind<unknown>[], what: 'conversation' | 'log'): readonly Owned[] {
  return kinds.toReversed().flatMap((kind): Owned[] => {
    const column = kind.goesWith[what]
    if (column === undefined) return []
    if (column === 'id') return [{ kind, index: null }]
    const index = Object.entries(kind.indexes).find(([, [first]]) => first === column)?.[0]
    if (index === undefined) throw new Error(`Documents of the kind ${kind.name} have no index by ${column}.`)
    return [{ kind, index }]
  })
}

const ALL = [...KINDS, ...CONVERSATION_KINDS]

/** What goes with a conversation at once. */
export const WITH_CONVERSATION = ownedBy(ALL, 'conversation')

/** What goes with its log, in steps where that is long. */
export const WITH_LOG = ownedBy(ALL, 'log')

/** What a conversation itself is kept as. */
export const OF_CONVERSATION = [
  ...ownedBy(CONVERSATION_KINDS, 'conversation'),
  ...ownedBy(CONVERSATION_KINDS, 'log'),
]

/** What is removed for a conversation, at one instant. */
export const goneWith = (owned: readonly Owned[], id: string): Required<Pick<Batch, 'clear' | 'remove'>> => ({
  clear: owned.flatMap(({ index, kind }) => (index === null ? [] : [{ kind, index, prefix: [id] }])),
  remove: owned.flatMap(({ index, kind }) => (index === null ? [{ kind, id }] : [])),
})
