import { PlatformError } from '@colloquy/core'
import { LATER_VERSION } from '@colloquy/core/store'
import type { Define, Execute, Statement } from '../database/statements.ts'
import { arrayText } from '../database/values.ts'
import type { PartRow } from './batches.ts'
import { numberOf, type Part, writeStatement } from './parts.ts'

/** A batch that is refused, and which of its conditions hold. */
interface Refusal {
  readonly batch: number
  readonly met: readonly number[] | null
}

/** A statement, for the parts that it has. */
interface Shape {
  readonly parts: readonly Part[]
  readonly statement: Statement<Refusal>
}

/** Most parts of a statement that may get no rows. Few statements are prepared, and none has many parts to skip. */
const MOST_SPARE = 6

/** As many statements are kept parsed by each connection at most. */
const MOST_PREPARED = 100

/**
 * Writes batches, none of which touches what another one does, with one statement. Its answers are the places of the
 * first condition that does not hold; null: written.
 */
export type WriteRows = (
  batches: readonly (readonly PartRow[])[],
  on: Execute,
) => Promise<readonly (number | null)[]>

/** A row, with the number by which its part knows it. */
interface Numbered {
  readonly number: number
  readonly row: PartRow
}

const inOrder = ({ row: one }: Numbered, { row: other }: Numbered): number =>
  one.order < other.order ? -1 : one.order > other.order ? 1 : 0

/** Adds the parameters of a part to those of its statement. */
function addParameters(
  parameters: Record<string, string>,
  { columns, name }: Part,
  rows: readonly Numbered[],
) {
  parameters[`${name}__number`] = arrayText(rows.map(({ number }) => String(number)))
  for (const [at, column] of columns.entries()) {
    const cells = rows.map(({ row }) => row.cells[at] ?? '')
    parameters[`${name}_${column.name}`] = column.type === 'body' ? cells.join('\n') : arrayText(cells)
  }
}

const placesOf = (rows: readonly PartRow[]): readonly number[] =>
  rows.flatMap(({ place }) => (place === undefined ? [] : [place]))

/** Writes batches over a database. */
export function createWriting(define: Define): WriteRows {
  const shapes: Shape[] = []

  function shapeFor(parts: readonly Part[]): Shape {
    const [known] = shapes
      .filter(shape => shape.parts.length <= parts.length + MOST_SPARE)
      .filter(shape => parts.every(part => shape.parts.includes(part)))
      .sort((one, other) => one.parts.length - other.parts.length)
    if (known !== undefined) return known
    const all = parts.toSorted((one, other) => one.place - other.place || (one.name < other.name ? -1 : 1))
    const planned = shapes.length < MOST_PREPARED ? 'once' : 'each time'
    const statement = define<Refusal>('write documents', writeStatement(all), { planned })
    if (planned === 'once') shapes.push({ parts: all, statement })
    return { parts: all, statement }
  }

  return async (batches, on) => {
    const given = new Map<Part, Numbered[]>()
    for (const [at, rows] of batches.entries())
      for (const row of rows) {
        const own = given.get(row.part) ?? []
        const number = row.place === undefined ? at + 1 : numberOf(at + 1, row.place)
        if (own.push({ number, row }) === 1) given.set(row.part, own)
      }
    const { parts, statement } = shapeFor([...given.keys()])
    const parameters = { conditions: arrayText(batches.map(rows => String(placesOf(rows).length))) }
    for (const part of parts) addParameters(parameters, part, (given.get(part) ?? []).sort(inOrder))
    const refused = new Map(
      (await statement.sent(parameters, on)).map(({ batch, met }) => [batch, met ?? []]),
    )
    if (refused.has(0))
      throw new PlatformError('STORE_BUSY', `PostgreSQL could not write documents: ${LATER_VERSION}`)
    return batches.map((rows, at) => {
      const met = refused.get(at + 1)
      return met === undefined ? null : (placesOf(rows).find(place => !met.includes(place)) ?? 0)
    })
  }
}
