import { ALL_KINDS } from '../all-kinds.ts'
import type { Batch, Kind } from '../documents.ts'
import { CONVERSATION_KINDS, type IndexedConversation } from './kinds.ts'

/** A kind whose documents go with conversations, and by which index they are found. */
interface Owned {
  readonly kind: Kind<unknown>
  /** Null: by their own id. */
  readonly index: string | null
  /** True: by the log, and not by the id of the conversation. */
  readonly isOfLog: boolean
}

/** The fields of a conversation by which its owned documents refer to it. */
export type Owner = Pick<IndexedConversation, 'id' | 'log'>

/**
 * Returns the documents of these kinds that belong to conversations, or to their logs. Owners of other documents go
 * last.
 */
function ownedBy(kinds: readonly Kind<unknown>[], what: 'conversation' | 'log'): readonly Owned[] {
  return kinds.toReversed().flatMap((kind): Owned[] => {
    const column = kind.goesWith[what]
    if (column === undefined) return []
    if (column === 'id') return [{ kind, index: null, isOfLog: false }]
    const index = Object.entries(kind.indexes).find(([, [first]]) => first === column)?.[0]
    if (index === undefined) throw new Error(`Documents of the kind ${kind.name} have no index by ${column}.`)
    return [{ kind, index, isOfLog: column === 'log' }]
  })
}

/** Documents that are removed together with a conversation. */
export const WITH_CONVERSATION = ownedBy(ALL_KINDS, 'conversation')

/** Documents that are removed with its log, in steps if it is long. */
export const WITH_LOG = ownedBy(ALL_KINDS, 'log')

/** The documents of a conversation itself. */
export const OF_CONVERSATION = [
  ...ownedBy(CONVERSATION_KINDS, 'conversation'),
  ...ownedBy(CONVERSATION_KINDS, 'log'),
]

/** Returns the value by which such documents name their conversation. */
export const ownerValue = ({ isOfLog }: Pick<Owned, 'isOfLog'>, { id, log }: Owner): string =>
  isOfLog ? log : id

/** Returns the documents to remove for a conversation, at one instant. */
export const goneWith = (
  owned: readonly Owned[],
  owner: Owner,
): Required<Pick<Batch, 'clear' | 'remove'>> => ({
  clear: owned.flatMap(one => {
    const { index, kind } = one
    return index === null ? [] : [{ kind, index, prefix: [ownerValue(one, owner)] }]
  }),
  remove: owned.flatMap(({ index, kind }) => (index === null ? [{ kind, id: owner.id }] : [])),
})
