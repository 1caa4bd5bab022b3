import { hash } from 'node:crypto'
import { DOCUMENTS } from '../documents/tables.ts'
import { CONVERSATIONS } from './schema/conversations.ts'
import { HANDOFFS } from './schema/handoffs.ts'
import { INTERVALS } from './schema/intervals.ts'
import { VECTORS } from './schema/vectors.ts'

/** One row says which schema the tables are of. */
const VERSION = 'create table schema_version (version text not null);'

/**
 * All tables of a store, with their indexes, functions and triggers. They are named without a schema: the statements
 * run with the store's as the only one that is searched.
 */
export const SCHEMA = [...[VERSION, CONVERSATIONS, INTERVALS, HANDOFFS, VECTORS], DOCUMENTS].join('\n')

/** Which schema this is: the beginning of a hash of what makes it, without its comments. */
export const SCHEMA_VERSION = hash('sha256', SCHEMA.replace(/^ *--.*/gm, ''), 'hex').slice(0, 12)
