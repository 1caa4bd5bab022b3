import { type ColumnValue, type Documents, keyColumns, keyValues, namedIn } from '@colloquy/core/store'
import { quotedName } from '../database/plain-sql.ts'
import type { Session } from '../database/session.ts'
import { columnsOf, listed, sameKey, typeOf, valuesOf } from './columns.ts'

/** Writes columns of documents again: see `refill` of `Documents`. */
export const createRefill =
  ({ define, transaction }: Session): Documents['refill'] =>
  (kind, columns, { after, limit }) => {
    const key = keyColumns(kind)
    const names = [...new Set([...key, ...columns])]
    const operation = `fill the ${namedIn(kind)}s`
    const typed = (start: string, end: string) =>
      names.map((name, at) => `${start}${at}::${typeOf(kind, name)}${end}`)
    const behind =
      after === null ? 'true' : `(${listed(key)}) > (${typed('$k', '').slice(0, key.length).join(', ')})`
    const held = define<{ readonly body: string }>(
      operation,
      `select body from @${kind.name} where ${behind} order by ${listed(key)} limit $limit::bigint for update`,
      { planned: 'each time' },
    )
    const fill = define<unknown>(
      operation,
      `with permitted as (select set_config('colloquy.removal', '${kind.name}', true))
      update @${kind.name} as held set ${columns.map(name => `${quotedName(name)} = given.${quotedName(name)}`).join(', ')}
      from permitted, unnest(${typed('$c', '[]').join(', ')}) as given (${listed(names)}) where ${sameKey(kind, 'held', 'given')}`,
      { planned: 'each time' },
    )
    const of: Readonly<Record<string, (value: unknown) => ColumnValue>> = Object.fromEntries(
      valuesOf(kind).map((read, at) => [columnsOf(kind)[at] ?? '', read]),
    )
    const place = after === null ? [] : keyValues(kind, after)
    return transaction(operation, async on => {
      const rows = await held.all(
        { ...Object.fromEntries(place.map((value, at) => [`k${at}`, value])), limit },
        on,
      )
      const values = rows.map(({ body }): unknown => JSON.parse(body))
      const cells = names.map((name, at) => [`c${at}`, values.map(value => of[name]?.(value) ?? null)])
      if (values.length > 0 && columns.length > 0) await fill.all(Object.fromEntries(cells), on)
      const last = values.at(-1)
      return last === undefined ? null : kind.id(last)
    })
  }
