import { ALL_KINDS, columnsOfIndex, type Kind, keyColumns, WEBHOOK_EVENT } from '@colloquy/core/store'
import { quotedName } from '../database/plain-sql.ts'
import { IS_OURS } from '../database/schema.ts'
import { columnsOf, type GivenColumn, listed, sameKey, typeOf } from './columns.ts'
import { keeping, TOLD } from './webhooks.ts'

/**
 * Uses that a part of a statement makes of its rows. Conditions come first. Documents that are `held` are at their
 * version and stay at it. `absent` ones do not exist and are about to be added. `taken` keeps others from adding a
 * document in that place. Then come the writes of the batches whose conditions hold. Documents that are `removed` are
 * held. Those that are `dropped` may have come since the statement began, so they are removed in the same way as
 * `taken` places.
 */
const ROLES = ['held', 'absent', 'taken', 'cleared', 'put', 'added', 'removed', 'dropped', 'told'] as const

/** The role of a part. */
export type Role = (typeof ROLES)[number]

/** Part of a statement that writes batches: what it does with rows of one kind. */
export interface Part {
  readonly name: string
  readonly role: Role
  /** Columns of its rows, in addition to their number. */
  readonly columns: readonly GivenColumn[]
  readonly sql: string
  /** The sort key of parts, so that all processes use them in one order. */
  readonly place: number
}

/** Number of a row: the number of its condition, or else of its batch. */
const NUMBER = '_number'

/** For how many conditions of a batch there are numbers. */
const MOST_CONDITIONS = 2 ** 20

/** Returns the number of a condition, from the number of its batch and its place there. */
export const numberOf = (batch: number, place: number): number => batch * MOST_CONDITIONS + place

/**
 * True of every row. The server takes so few rows to be left that it finds each document by its key, also where it
 * knows nothing of a table yet: a plan that reads a small table from its beginning would stay while the table grows.
 */
const IS_ONE_OF_FEW = `given.${NUMBER} between 1 and 2147483647`

/** Whether the conditions of a row's batch hold. */
const IS_DONE = `((select is_done from verdict)[given.${NUMBER}])`

function givenTo(name: string, columns: readonly GivenColumn[]): string {
  const lists = columns.map(column =>
    column.type === 'body'
      ? `string_to_array($${name}_${column.name}, chr(10))`
      : `$${name}_${column.name}::${column.type}[]`,
  )
  const all = [`$${name}_${NUMBER}::int[]`, ...lists].join(', ')
  return `unnest(${all}) as given (${listed([NUMBER, ...columns.map(column => column.name)])})`
}

/** Returns the columns that are given for a role. */
function givenFor(role: Role, kind: Kind<unknown>, more: readonly string[]): readonly GivenColumn[] {
  if (role === 'told') return TOLD
  if (role === 'cleared') return more.map(name => ({ name, type: typeOf(kind, name) }))
  const names =
    role === 'put' || role === 'added'
      ? columnsOf(kind)
      : role === 'held'
        ? [...keyColumns(kind), 'version']
        : keyColumns(kind)
  const columns = names.map(name => ({ name, type: typeOf(kind, name) }))
  if (role !== 'put' && role !== 'added') return columns
  const words = kind.words === undefined ? [] : [{ name: 'words', type: 'text' } as const]
  return [...columns, ...words, { name: 'body', type: 'body' }]
}

/** Returns the statement of a role over the given rows. */
function statementOf(
  role: Exclude<Role, 'told'>,
  kind: Kind<unknown>,
  given: string,
  { columns, there }: { readonly columns: readonly string[]; readonly there: readonly string[] },
) {
  const table = `@${kind.name}`
  const key = listed(keyColumns(kind))
  const is = sameKey(kind, 'held', 'given')
  const values = columns.map(name => (name === 'words' ? 'given.words::text[]' : `given.${quotedName(name)}`))
  const insert = `insert into ${table} (${listed(columns)}) select ${values.join(', ')} from ${given} where ${IS_DONE}`
  const others = columns.filter(name => !keyColumns(kind).includes(name))
  const statements: Record<typeof role, () => string> = {
    // Locks in one order, so that there is no deadlock. Locked rows are read again, because they may have changed.
    held: () => `select given.${NUMBER} from ${given} join ${table} as held on ${is}
      where held.version = given.version and ${IS_ONE_OF_FEW}
      order by ${listed(keyColumns(kind), 'held.')} for update of held`,
    absent: () =>
      `select given.${NUMBER} from ${given}
      where not exists (select from ${table} as held where ${is}) and ${IS_ONE_OF_FEW}`,
    taken: () => `insert into ${table} (${key}, version, body)
      select ${listed(keyColumns(kind), 'given.')}, -given.${NUMBER}, '' from ${given}
      on conflict (${key}) do nothing returning -version as ${NUMBER}`,
    cleared: () => `delete from ${table} as held using ${given}
      where ${[
        ...columns.map(name => `held.${quotedName(name)} = given.${quotedName(name)}`),
        ...there.map(name => `held.${quotedName(name)} is not null`),
      ].join(' and ')} and ${IS_ONE_OF_FEW} and ${IS_DONE}`,
    put: () => `${insert} on conflict (${key}) do update
      set ${others.map(name => `${quotedName(name)} = excluded.${quotedName(name)}`).join(', ')}`,
    added: () => insert,
    dropped: () => `insert into ${table} (${key}, version, body)
      select ${listed(keyColumns(kind), 'given.')}, -1, '' from ${given} where ${IS_DONE}
      on conflict (${key}) do update set version = -1`,
    removed: () =>
      `delete from ${table} as held using ${given} where ${is} and ${IS_ONE_OF_FEW} and ${IS_DONE}`,
  }
  return statements[role]()
}

/** Columns of a part beside those of its role. */
interface PartColumns {
  /** The columns that are given. */
  readonly more: readonly string[]
  /** The columns that are not null in each row that is meant. */
  readonly there: readonly string[]
}
const NO_MORE: PartColumns = { more: [], there: [] }

function makePart(name: string, role: Role, kind: Kind<unknown>, { more, there } = NO_MORE): Part {
  const columns = givenFor(role, kind, more)
  const given = givenTo(name, columns)
  const names = columns.map(column => column.name)
  const sql =
    role === 'told'
      ? keeping(given, IS_DONE)
      : `${name} as (${statementOf(role, kind, given, { columns: names, there })})`
  const place = ROLES.indexOf(role) * ALL_KINDS.length + ALL_KINDS.indexOf(kind)
  return { name, role, columns, sql, place }
}

/** Parts made so far, by role. */
const known = new Map(ROLES.map(role => [role, new Map<string, Part>()]))

function knownPart(role: Role, kind: Kind<unknown>, name: string, columns = NO_MORE): Part {
  const found = known.get(role)?.get(name)
  if (found !== undefined) return found
  const part = makePart(`${role}_${name}`, role, kind, columns)
  known.get(role)?.set(name, part)
  return part
}

/** Returns the part of a role for a kind. */
export const partOf = (role: Exclude<Role, 'cleared' | 'told'>, kind: Kind<unknown>): Part =>
  knownPart(role, kind, kind.name)

/** Returns the part that removes all documents in parts of an index, which begin with so many values. */
export function clearing(kind: Kind<unknown>, index: string, values: number): Part {
  const columns = columnsOfIndex(kind, index)
  const [more, there] = [columns.slice(0, values), columns.slice(values)]
  return knownPart('cleared', kind, `${kind.name}_${index}_${values}`, { more, there })
}

/** The part that keeps webhook events. */
export const TELLING: Part = makePart('told', 'told', WEBHOOK_EVENT)

/**
 * Returns the statement of these parts; it answers with the batches that are refused, and which of their conditions
 * hold. Batch 0 is one of them where the kinds of the store are no longer those of this process: nothing is written
 * then.
 */
export function writeStatement(all: readonly Part[]): string {
  const conditions = all.filter(({ role }) => ['held', 'absent', 'taken'].includes(role))
  const met = [
    'select null::int where false',
    ...conditions.map(({ name }) => `select ${NUMBER} from ${name}`),
  ]
  const acts = all.filter(part => !conditions.includes(part))
  return `
    with ${[
      ...conditions.map(({ sql }) => sql),
      `met (${NUMBER}) as (${met.join(' union all ')})`,
      `counted as (
        select batch, sum(missing) as missing, array_agg(place) filter (where place is not null) as met from (
          select batch, missing, null::int as place from unnest($conditions::int[]) with ordinality as given (missing, batch)
          union all select ${NUMBER} / ${MOST_CONDITIONS}, -1, ${NUMBER} % ${MOST_CONDITIONS} from met
        ) as every_one group by batch)`,
      `verdict as (select array_agg(missing = 0 and ${IS_OURS} order by batch) as is_done from counted)`,
      ...acts.map(({ sql }) => sql),
    ].join(',\n')}
    select batch::int, met from counted where missing <> 0 union all select 0, null where not ${IS_OURS}`
}
