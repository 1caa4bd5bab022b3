import { hash } from 'node:crypto'
import { KINDS_NUMBER, SAMPLE_KINDS } from '@colloquy/core/store'
import { KEEPING, tablesOf } from '../documents/tables.ts'

/**
 * Tables of every store beside those of its kinds. One row of `schema_version` holds the version of its tables, and the
 * kinds that it has.
 */
export const SCHEMA = `create table schema_version (version text not null, number int not null, kinds text not null);\n\n${KEEPING}`

/** Version of the tables: the beginning of a hash of those of sample kinds, which never change. */
export const SCHEMA_VERSION = hash('sha256', SCHEMA + tablesOf(SAMPLE_KINDS), 'hex').slice(0, 12)

/** Whether the kinds of a store are still those of this process. */
export const IS_OURS = `(select number from @schema_version) = ${KINDS_NUMBER}`
