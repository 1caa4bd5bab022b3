import { hash } from 'node:crypto'
import { KINDS_NUMBER, SAMPLE_KINDS } from '@colloquy/core/store'
import { KEEPING, tablesOf } from '../documents/tables.ts'

/**
 * What every store has beside the tables of its kinds. One row says how its tables are made, and of which kinds there
 * are some.
 */
export const SCHEMA = `create table schema_version (version text not null, number int not null, kinds text not null);\n\n${KEEPING}`

/** How tables are made: the beginning of a hash of those of kinds that never change. */
export const SCHEMA_VERSION = hash('sha256', SCHEMA + tablesOf(SAMPLE_KINDS), 'hex').slice(0, 12)

/** Whether the kinds of a store are still those of this process. */
export const IS_OURS = `(select number from @schema_version) = ${KINDS_NUMBER}`
