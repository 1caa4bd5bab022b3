import { hash } from 'node:crypto'
import { DOCUMENTS } from '../documents/tables.ts'

/** One row says which schema the tables are of. */
const VERSION = 'create table schema_version (version text not null);'

/**
 * All tables of a store, with their indexes, functions and triggers. They are named without a schema: they are made
 * with the store's as the only one that is searched.
 */
export const SCHEMA = `${VERSION}\n\n${DOCUMENTS}`

/** Which schema this is: the beginning of a hash of what makes it. */
export const SCHEMA_VERSION = hash('sha256', SCHEMA, 'hex').slice(0, 12)
