import { ALL_KINDS, type Batch, type Kind } from '@colloquy/core/store'

/** A batch as a line of JSON. Kinds are referred to by name. */
interface Line {
  readonly clear: readonly {
    readonly kind: string
    readonly index: string
    readonly prefix: readonly (string | number)[]
  }[]
  readonly put: readonly { readonly kind: string; readonly value: unknown }[]
  readonly remove: readonly { readonly kind: string; readonly id: string }[]
}

const BY_NAME: ReadonlyMap<string, Kind<unknown>> = new Map(ALL_KINDS.map(kind => [kind.name, kind]))

/** A batch as one line of JSON. Its conditions held, and what it keeps besides is among what it puts. */
export function lineOf({ clear = [], put = [], remove = [] }: Batch): string {
  const named = <Part extends { readonly kind: Kind<unknown> }>(parts: readonly Part[]) =>
    parts.map(part => ({ ...part, kind: part.kind.name }))
  return `${JSON.stringify({ clear: named(clear), put: named(put), remove: named(remove) })}\n`
}

/**
 * The batches of a file's whole lines, and how many bytes those have. A line that was cut off at the end is left out.
 */
export function batchesOf(file: Buffer): { readonly batches: readonly Batch[]; readonly bytes: number } {
  const bytes = file.lastIndexOf('\n') + 1
  const lines = file.toString('utf8', 0, bytes).split('\n').slice(0, -1)
  return { batches: lines.map(toBatch), bytes }
}

const isLine = (line: unknown): line is Line =>
  typeof line === 'object' && line !== null && 'clear' in line && 'put' in line && 'remove' in line

function toBatch(text: string): Batch {
  const line: unknown = JSON.parse(text)
  if (!isLine(line)) throw new Error('The file is not one of this store.')
  return {
    when: [],
    clear: line.clear.map(ofKind),
    put: line.put.map(ofKind),
    remove: line.remove.map(ofKind),
  }
}

function ofKind<Part extends { readonly kind: string }>(
  part: Part,
): Omit<Part, 'kind'> & { kind: Kind<unknown> } {
  const kind = BY_NAME.get(part.kind)
  if (kind === undefined) throw new Error(`The file has documents of a kind that is not known: ${part.kind}.`)
  return { ...part, kind }
}
