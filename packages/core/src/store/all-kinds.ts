import { CONVERSATION_KINDS } from './conversations/kinds.ts'
import type { Kind } from './documents.ts'
import { KINDS } from './kinds.ts'

/** Every kind of document: a database makes a table of each. */
export const ALL_KINDS: readonly Kind<unknown>[] = [...KINDS, ...CONVERSATION_KINDS]

/** Returns the name of a kind for a sentence. */
export const namedIn = ({ name }: Kind<unknown>): string => name.replaceAll('_', ' ')
