import {
  type AtMost,
  type ColumnValue,
  type Containing,
  type DocumentRow,
  KINDS_NUMBER,
  type Kind,
  type ListDialect,
  type Range,
  rowOf,
  sqlCondition,
  sqlOrder,
} from '@colloquy/core/store'
import type { Statement } from '../database/session.ts'
import { keptText, keptValue, type SqlValue } from '../database/values.ts'

/** Returns a name of a table or a column. */
export const quoted = (name: string): string => `\`${name}\``

/** Returns the name of an index of a table. */
export const nameOfIndex = ({ name }: Kind<unknown>, index: string): string => `${name}_by_${index}`

const questions = (count: number): string => Array.from({ length: count }, () => '?').join(', ')

/** Values of a statement that the protocol can count. */
const MOST_VALUES = 65_535

/** Ids for a list in a statement; the last one fills it up, so that few statements differ. */
const filledUp = (ids: readonly string[]): readonly string[] => {
  const different = [...new Set(ids)]
  const most = different.length
  const length = Math.max(most, Math.min(MOST_VALUES, 2 ** Math.ceil(Math.log2(most))))
  return Array.from({ length }, (_, at) => keptText(different[Math.min(at, most - 1)] ?? ''))
}

/** Words, each between two spaces. */
const wordsText = (words: readonly string[]): string => ` ${words.join(' ')} `

/** Creates the dialect of statements. Values are collected in the order in which they are asked for. */
function createDialect() {
  const values: SqlValue[] = []
  const sent = (value: SqlValue): string => {
    values.push(value)
    return '?'
  }
  const given = (value: ColumnValue): string => sent(keptValue(value))
  /** Written so that the first column limits the scan of an index. */
  const behind = (
    [column = 'id', ...columns]: readonly string[],
    [value = null, ...further]: readonly ColumnValue[],
    descending: boolean,
  ): string => {
    const sign = descending ? '<' : '>'
    const name = quoted(column)
    if (columns.length === 0) return `${name} ${sign} ${given(value)}`
    const [least, beyond] = [given(value), given(value)]
    return `${name} ${sign}= ${least} and (${name} ${sign} ${beyond} or ${behind(columns, further, descending)})`
  }
  const idsWith = ({ column, kind, words }: Containing): string => {
    const has = words.map(some => {
      // Compared as bytes: by characters, the server reads each of them, which takes six times as long.
      const each = some.map(word => `instr(words, binary ${sent(wordsText([word]))})`)
      return `(${['false', ...each].join(' or ')})`
    })
    return `select ${quoted(column)} from ${quoted(kind.name)} where ${['true', ...has].join(' and ')}`
  }
  const dialect: ListDialect = {
    quoted,
    given,
    behind,
    idsWith,
    among(column, wanted) {
      // The server makes a list of equal values one value, no longer sorts by that column, and does not later either,
      // when the prepared statement has other values.
      const different = [...new Set(wanted)].map(value => given(value))
      return different.length === 0 ? 'false' : `${quoted(column)} in (${different.join(', ')})`
    },
  }
  return { dialect, values }
}

/** True while the kinds of the store are those of this process. */
const IS_OURS = `exists (select 1 from colloquy_schema where number = ${KINDS_NUMBER})`

const withIds = (sql: string, ids: readonly string[], end = ''): Statement => {
  const values = filledUp(ids)
  return { sql: `${sql} where id in (${questions(values.length)})${end}`, values }
}

/** Returns the statements about a kind. @param absent names of indexes that are not there yet */
export function documentStatements(kind: Kind<unknown>, absent: ReadonlySet<string> = new Set()) {
  const { columns, name, words } = kind
  const table = quoted(name)
  const given = ['id', 'version', ...Object.keys(columns), ...(words ? ['words'] : []), 'body']
  const names = given.map(quoted)
  const into = `insert into ${table} (${names.join(', ')})`

  /** Returns a statement about a part of an index. */
  function about(
    index: string,
    range: Range,
    write: (condition: string, order: string) => string,
  ): Statement {
    const { dialect, values } = createDialect()
    const condition = sqlCondition(kind, index, range, dialect)
    return { sql: write(condition, sqlOrder(kind, index, range, dialect)), values }
  }
  // Without a hint the server scans the whole of a small table, and waits for the locks that others hold there.
  const by = (index: string): string => {
    const named = nameOfIndex(kind, index)
    return absent.has(named) ? '' : `force index (${index === 'id' ? 'primary' : quoted(named)})`
  }
  return {
    /** A document as `insert` and `put` take it. JSON has no half of a surrogate pair, and is read back. */
    valuesOf(value: unknown): readonly SqlValue[] {
      const row: DocumentRow = { ...rowOf(kind, value), id: kind.id(value) }
      return given.map(column => {
        if (column === 'words') return wordsText(words?.(value) ?? [])
        return column === 'body' ? row.body : keptValue(row[column] ?? null)
      })
    },
    insert: `${into} select ${questions(names.length)} from dual where ${IS_OURS}`,
    put: `${into} values (${questions(names.length)}) on duplicate key update ${names.map(column => `${column} = values(${column})`).join(', ')}`,
    update: `update ${table} set ${names.map(column => `${column} = ?`).join(', ')} where id = ? and version = ? and ${IS_OURS}`,
    get: (ids: readonly string[]) => withIds(`select id, body from ${table} force index (primary)`, ids),
    /** Locks in one fixed order, kept until the end of the transaction, so that there is no deadlock. */
    hold: (ids: readonly string[]) =>
      withIds(`select id, version from ${table} force index (primary)`, ids, ' order by id for update'),
    /** Adds a row that holds nothing, to be removed in the same transaction. */
    occupy: (id: string): Statement => ({
      sql: `insert into ${table} (id, version, body) values (?, 0, '')`,
      values: [keptText(id)],
    }),
    remove: (id: string): Statement => ({ sql: `delete from ${table} where id = ?`, values: [keptText(id)] }),
    removeAt: `delete from ${table} where id = ? and version = ? and ${IS_OURS}`,
    /** Sets columns to their values in a document. */
    fill(columns: readonly string[], value: unknown): Statement {
      const row = rowOf(kind, value)
      return {
        sql: `update ${table} set ${columns.map(column => `${quoted(column)} = ?`).join(', ')} where id = ?`,
        values: [...columns.map(column => keptValue(row[column] ?? null)), keptText(kind.id(value))],
      }
    },
    clear: (index: string, prefix: Range['prefix']): Statement =>
      about(index, { prefix }, condition => `delete from ${table} where ${condition}`),
    /** Finds a row where there are more than that. */
    exceeds({ atMost, index, prefix }: AtMost): Statement {
      const { sql, values } = about(
        index,
        { prefix },
        condition => `select id from ${table} ${by(index)} where ${condition} limit 1 offset ?`,
      )
      return { sql, values: [...values, keptValue(atMost)] }
    },
    /** `end` follows: a lock on what is found. */
    list(index: string, range: Range, end = ''): Statement {
      const { limit = Number.MAX_SAFE_INTEGER, skip = 0 } = range
      const { sql, values } = about(
        index,
        range,
        (condition, order) =>
          `select body from ${table} ${by(index)} where ${condition} ${order} limit ? offset ?${end}`,
      )
      return { sql, values: [...values, keptValue(limit), keptValue(skip)] }
    },
  }
}
