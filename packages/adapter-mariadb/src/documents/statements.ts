import {
  type AtMost,
  columnsOfIndex,
  type DocumentRow,
  type Kind,
  orderOf,
  placeValues,
  type Range,
  rowOf,
  type Saying,
} from '@colloquy/core/store'
import type { Statement } from '../database/session.ts'
import { keptText, keptValue, type SqlValue } from '../database/values.ts'

/** A name of a table or a column. */
export const quoted = (name: string): string => `\`${name}\``

/** A kind in a sentence. */
export const namedIn = ({ name }: Kind<unknown>): string => name.replaceAll('_', ' ')

const questions = (count: number): string => Array.from({ length: count }, () => '?').join(', ')

/** Values of a statement that the protocol can count. */
const MOST_VALUES = 65_535

/** Ids for a list in a statement; the last one fills it up, so that few statements differ. */
const filledUp = (ids: readonly string[]): readonly string[] => {
  const length = Math.max(ids.length, Math.min(MOST_VALUES, 2 ** Math.ceil(Math.log2(ids.length))))
  return Array.from({ length }, (_, at) => keptText(ids[Math.min(at, ids.length - 1)] ?? ''))
}

/** The condition for what is behind a place; written so that the first column bounds what is read of an index. */
function behind(columns: readonly string[], place: readonly SqlValue[], sign: '<' | '>'): Statement {
  const [column = 'id', ...others] = columns
  const [value = null, ...further] = place
  if (others.length === 0) return { sql: `${quoted(column)} ${sign} ?`, values: [value] }
  const rest = behind(others, further, sign)
  return {
    sql: `${quoted(column)} ${sign}= ? and (${quoted(column)} ${sign} ? or ${rest.sql})`,
    values: [value, value, ...rest.values],
  }
}

/** Words, each between two spaces. */
const wordsText = (words: readonly string[]): string => ` ${words.join(' ')} `

/** The condition for documents whose id some document with these words has in a column. */
function said({ column, kind, words }: Saying): Statement {
  const has = words.map(some => `(${['false', ...some.map(() => 'instr(words, ?)')].join(' or ')})`)
  return {
    sql: `id in (select ${quoted(column)} from ${quoted(kind.name)} where ${['true', ...has].join(' and ')})`,
    values: words.flat().map(word => wordsText([word])),
  }
}

/** The statements about a kind. */
export function documentStatements(kind: Kind<unknown>) {
  const { columns, name, words } = kind
  const table = quoted(name)
  const given = ['id', 'version', ...Object.keys(columns), ...(words ? ['words'] : []), 'body']
  const names = given.map(quoted)
  const insert = `insert into ${table} (${names.join(', ')}) values (${questions(names.length)})`

  /** What a range holds: documents of which a column is null are in no index. */
  function heldBy(index: string, range: Range): Statement {
    const { after, descending = false, from, prefix, through, where = {}, saying } = range
    const order = orderOf(kind, index)
    const next = quoted(order[prefix.length] ?? 'id')
    const terms: readonly Statement[] = [
      { sql: 'true', values: [] },
      ...columnsOfIndex(kind, index).map((column, at) =>
        at < prefix.length
          ? { sql: `${quoted(column)} = ?`, values: [keptValue(prefix[at] ?? null)] }
          : { sql: `${quoted(column)} is not null`, values: [] },
      ),
      ...(from === undefined ? [] : [{ sql: `${next} >= ?`, values: [keptValue(from)] }]),
      ...(through === undefined ? [] : [{ sql: `${next} <= ?`, values: [keptValue(through)] }]),
      ...(after === undefined
        ? []
        : [
            behind(
              order.slice(prefix.length),
              placeValues(kind, index, after).map(keptValue),
              descending ? '<' : '>',
            ),
          ]),
      ...(saying === undefined ? [] : [said(saying)]),
      ...Object.entries(where).map(([column, wanted]) =>
        wanted.length === 0
          ? { sql: 'false', values: [] }
          : { sql: `${quoted(column)} in (${questions(wanted.length)})`, values: wanted.map(keptValue) },
      ),
    ]
    return {
      sql: terms.map(({ sql }) => `(${sql})`).join(' and '),
      values: terms.flatMap(({ values }) => values),
    }
  }
  // Without being told, the server reads the whole of a small table, and waits for whatever rows others hold there.
  const by = (index: string): string =>
    `force index (${index === 'id' ? 'primary' : quoted(`${name}_by_${index}`)})`
  const withIds = (sql: string, ids: readonly string[], end = ''): Statement => {
    const values = filledUp(ids)
    return { sql: `${sql} where id in (${questions(values.length)})${end}`, values }
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
    insert,
    put: `${insert} on duplicate key update ${names.map(column => `${column} = values(${column})`).join(', ')}`,
    update: `update ${table} set ${names.map(column => `${column} = ?`).join(', ')} where id = ? and version = ?`,
    get: (ids: readonly string[]) => withIds(`select id, body from ${table} force index (primary)`, ids),
    /** Versions, which stay until the end of the transaction; in one order, so that nobody waits in a circle. */
    hold: (ids: readonly string[]) =>
      withIds(`select id, version from ${table} force index (primary)`, ids, ' order by id for update'),
    /** Adds a row that holds nothing, to be removed in the same transaction. */
    occupy: (id: string): Statement => ({
      sql: `insert into ${table} (id, version, body) values (?, 0, '')`,
      values: [keptText(id)],
    }),
    remove: (id: string): Statement => ({ sql: `delete from ${table} where id = ?`, values: [keptText(id)] }),
    removeAt: `delete from ${table} where id = ? and version = ?`,
    clear(index: string, prefix: Range['prefix']): Statement {
      const { sql, values } = heldBy(index, { prefix })
      return { sql: `delete from ${table} where ${sql}`, values }
    },
    /** Finds a row where there are more than that. */
    exceeds({ atMost, index, prefix }: AtMost): Statement {
      const { sql, values } = heldBy(index, { prefix })
      return {
        sql: `select id from ${table} ${by(index)} where ${sql} limit 1 offset ?`,
        values: [...values, keptValue(atMost)],
      }
    },
    /** `end` follows: a lock on what is found. */
    list(index: string, range: Range, end = ''): Statement {
      const { descending = false, limit = Number.MAX_SAFE_INTEGER, skip = 0 } = range
      const { sql, values } = heldBy(index, range)
      // Not by the prefix too: the server would sort what the index has in order.
      const order = [...new Set([...orderOf(kind, index).slice(range.prefix.length), 'id'])]
        .map(column => `${quoted(column)} ${descending ? 'desc' : 'asc'}`)
        .join(', ')
      return {
        sql: `select body from ${table} ${by(index)} where ${sql} order by ${order} limit ? offset ?${end}`,
        values: [...values, keptValue(limit), keptValue(skip)],
      }
    },
  }
}
