import {
  type AtMost,
  type AtVersion,
  AUDIT_ENTRY,
  type Batch,
  type Kind,
  keyValues,
} from '@colloquy/core/store'
import { elementText, type SqlValue } from '../database/values.ts'
import { valuesOf } from './columns.ts'
import { clearing, type Part, partOf, TELLING } from './parts.ts'
import { toldOf } from './webhooks.ts'

/** A row that is given to a part of a statement, as it is sent. */
export interface PartRow {
  readonly part: Part
  /** The sort key of a part's rows, so that all processes lock them in one order. */
  readonly order: string
  /** Index of a condition in the batch. */
  readonly place?: number
  readonly cells: readonly string[]
  /** The fallback part for rows that exist already. */
  readonly otherwise?: Part
}

/** A batch as rows, independent of what the caller does with its argument from now on. */
export interface BatchRows {
  /** The conditions about documents. */
  readonly conditions: readonly PartRow[]
  readonly counts: readonly { readonly place: number; readonly condition: AtMost }[]
  readonly cleared: readonly PartRow[]
  readonly changes: readonly PartRow[]
  /** Tables whose permanent documents it removes. */
  readonly permits: readonly string[]
  /** Whether it takes several statements, each of which sees the earlier writes. */
  readonly takesSteps: boolean
  /** The documents that it names. */
  readonly keys: readonly string[]
  /** Name of its first kind. Batches of one sort are made of few different parts. */
  readonly sort: string
}

/** Returns a document among those of all kinds. */
const documentKey = (kind: Kind<unknown>, id: string): string => `${kind.name} ${id}`

const row = (part: Part, order: string, values: readonly SqlValue[], place?: number): PartRow => ({
  part,
  order,
  ...(place === undefined ? {} : { place }),
  cells: part.columns.map(({ type }, at) =>
    type === 'body' ? String(values[at]) : elementText(values[at] ?? null),
  ),
})

/** Functions that turn documents of a kind into cells, made once for each kind. */
const readers = new Map<string, (value: unknown) => readonly string[]>()

function readerOf(kind: Kind<unknown>): (value: unknown) => readonly string[] {
  const known = readers.get(kind.name)
  if (known !== undefined) return known
  const values = valuesOf(kind)
  const { words } = kind
  const read = (value: unknown): readonly string[] => {
    const cells = values.map(of => elementText(of(value)))
    if (words !== undefined) cells.push(elementText(words(value)))
    cells.push(JSON.stringify(value))
    return cells
  }
  readers.set(kind.name, read)
  return read
}

/** Returns a document as it is put. */
const putRow = (part: Part, kind: Kind<unknown>, order: string, value: unknown): PartRow => ({
  part,
  order,
  cells: readerOf(kind)(value),
})

/** Reads all of a batch now. @param nextSequence numbers entries of the audit log */
export function rowsOf(
  { clear = [], outbox, put = [], remove = [], when }: Batch,
  nextSequence: () => number,
): BatchRows {
  const counts: { readonly place: number; readonly condition: AtMost }[] = []
  const asked = new Map<string, { readonly place: number; readonly condition: AtVersion }>()
  const [absent, held] = [new Set<string>(), new Set<string>()]
  for (const [place, condition] of when.entries()) {
    if ('index' in condition) counts.push({ place, condition: { ...condition } })
    else {
      const key = documentKey(condition.kind, condition.id)
      // A place that is taken twice would be free once.
      const name = `${condition.version} ${key}`
      if (!asked.has(name)) asked.set(name, { place, condition })
      if (condition.version === 0) absent.add(key)
      else held.add(key)
    }
  }

  const permits = [...clear, ...remove].filter(({ kind }) => kind.isPermanent).map(({ kind }) => kind.name)
  const takesSteps = counts.length + clear.length + permits.length > 0

  // If a document is changed several times, the last change counts.
  const changes = new Map<string, PartRow>()
  const added = new Set<string>()
  for (const { kind, value } of put) {
    const id = kind.id(value)
    const key = documentKey(kind, id)
    if (absent.has(key)) added.add(key)
    const put = partOf('put', kind)
    if (absent.has(key)) changes.set(key, putRow(partOf('added', kind), kind, id, value))
    // Parts of logs are new, except when they are held, copied or moved.
    else if (kind.key !== undefined && kind.goesWith.log !== undefined && !takesSteps && !held.has(key))
      changes.set(key, { ...putRow(partOf('added', kind), kind, id, value), otherwise: put })
    else changes.set(key, putRow(put, kind, id, value))
  }
  for (const { id, kind } of remove) {
    const key = documentKey(kind, id)
    added.delete(key)
    changes.delete(key)
    // It is not there.
    if (absent.has(key)) continue
    const role = takesSteps || held.has(key) ? 'removed' : 'dropped'
    changes.set(key, row(partOf(role, kind), id, keyValues(kind, id)))
  }

  // If others first add a document that the batch adds, its statement is rolled back. But what is counted later must
  // not change meanwhile.
  const conditions = [...asked.values()].map(({ condition: { id, kind, version }, place }) => {
    if (version !== 0) return row(partOf('held', kind), id, [...keyValues(kind, id), version], place)
    const isSeen = counts.length === 0 && added.has(documentKey(kind, id))
    return row(partOf(isSeen || kind.isPermanent ? 'absent' : 'taken', kind), id, keyValues(kind, id), place)
  })

  const entry = outbox?.audit && { sequence: nextSequence(), entry: outbox.audit }
  const [first] = [...put, ...remove, ...when]
  return {
    conditions,
    counts,
    cleared: clear.map(({ index, kind, prefix }) =>
      row(clearing(kind, index, prefix.length), elementText(prefix), prefix),
    ),
    changes: [
      ...changes.values(),
      ...(entry === undefined
        ? []
        : [putRow(partOf('added', AUDIT_ENTRY), AUDIT_ENTRY, entry.entry.id, entry)]),
      ...(outbox?.webhooks ?? []).map(event => row(TELLING, event.id, toldOf(event))),
    ],
    permits,
    takesSteps,
    keys: [...new Set([...absent, ...held, ...changes.keys()])],
    sort: first?.kind.name ?? '',
  }
}
