import {
  type Containing,
  type Kind,
  type ListDialect,
  namedIn,
  type Range,
  sqlCondition,
  sqlOrder,
} from '@colloquy/core/store'
import { quotedName } from '../database/plain-sql.ts'
import type { Define, Statement } from '../database/statements.ts'
import type { Parameters, SqlValue } from '../database/values.ts'
import { typeOf } from './columns.ts'

/** A statement about a part of an index, and what it is given. */
export interface Asked<Row> {
  readonly statement: Statement<Row>
  readonly parameters: Parameters
}

/** Queries of lists. */
export interface Lists {
  bodies(kind: Kind<unknown>, index: string, range: Range): Asked<{ readonly body: string }>
  /** Finds a row where there are more than that. */
  exceeds(kind: Kind<unknown>, index: string, range: Range, atMost: number): Asked<unknown>
}

/** Creates the dialect of statements about a kind. Values become parameters `v0`, `v1` … */
function createDialect(kind: Kind<unknown>) {
  const parameters: Record<string, SqlValue> = {}
  const parameter = (value: SqlValue, type: string): string => {
    const name = `v${Object.keys(parameters).length}`
    parameters[name] = value
    return `$${name}::${type}`
  }
  const idsWith = ({ column, kind, words }: Containing): string => {
    const has = words.map(some => `words && ${parameter(some, 'text[]')}`)
    return `select ${quotedName(column)} from @${kind.name} where ${['true', ...has].join(' and ')}`
  }
  const dialect: ListDialect = {
    quoted: quotedName,
    given: (value, column) => parameter(value, typeOf(kind, column)),
    among: (column, values) =>
      `${quotedName(column)} = any (${parameter(values, `${typeOf(kind, column)}[]`)})`,
    idsWith,
  }
  return { dialect, parameter, parameters }
}

/** Returns the statements about parts of indexes, each of which is written once. */
export function createLists(define: Define): Lists {
  const known = new Map<string, Statement<never>>()
  function defined<Row>(operation: string, sql: string, planned: 'once' | 'each time'): Statement<Row> {
    const statement = known.get(sql) ?? define<never>(operation, sql, { planned })
    known.set(sql, statement)
    return statement
  }
  return {
    bodies(kind, index, range) {
      const { dialect, parameter, parameters } = createDialect(kind)
      const condition = sqlCondition(kind, index, range, dialect)
      const limit = parameter(range.limit ?? null, 'bigint')
      const skip = parameter(range.skip ?? 0, 'bigint')
      const sql = `select body from @${kind.name} where ${condition} ${sqlOrder(kind, index, range, dialect)} limit ${limit} offset ${skip}`
      // A word that few hold wants another plan than one that all do.
      const planned = range.containing === undefined ? 'once' : 'each time'
      return { statement: defined(`list the ${namedIn(kind)}s`, sql, planned), parameters }
    },
    exceeds(kind, index, range, atMost) {
      const { dialect, parameter, parameters } = createDialect(kind)
      const condition = sqlCondition(kind, index, range, dialect)
      const sql = `select 1 from @${kind.name} where ${condition} limit 1 offset ${parameter(atMost, 'bigint')}`
      return { statement: defined(`count each ${namedIn(kind)}`, sql, 'once'), parameters }
    },
  }
}
