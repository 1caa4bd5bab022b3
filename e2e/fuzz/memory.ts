import { z } from 'zod'

/** Largest difference of memory from the warm baseline once everything is ended, bytes (FZ5). */
export const MARGIN = 2 * 1_048_576

/** Data that a server under attack held in memory, garbage aside, in bytes. */
export interface MemoryFigures {
  /** Memory after the start. */
  readonly before: number
  /** Memory once caches were full and code had run. */
  readonly warm: number
  /** Memory after the last request. */
  readonly after: number
}

/** Returns the memory over the warm baseline and its margin; 0 if there is none. */
export const excess = ({ warm }: Pick<MemoryFigures, 'warm'>, ended: number): number =>
  Math.max(0, ended - warm - MARGIN)

const snapshotSchema = z.object({
  snapshot: z.object({
    meta: z.object({
      node_fields: z.array(z.string()),
      node_types: z.tuple([z.array(z.string())], z.unknown()),
    }),
  }),
  nodes: z.array(z.number()),
})

/** Kinds of objects in a heap that the engine makes as it optimises code: not leaks. */
const OF_CODE: readonly string[] = ['code', 'object shape']

/** Bytes of data that a heap snapshot shows. */
export function dataIn(snapshot: string): number {
  const { nodes, snapshot: about } = snapshotSchema.parse(JSON.parse(snapshot))
  const { node_fields: fields, node_types: types } = about.meta
  const [type, size] = [fields.indexOf('type'), fields.indexOf('self_size')]
  const isCode = types[0].map(name => OF_CODE.includes(name))
  let bytes = 0
  for (let node = 0; node < nodes.length; node += fields.length)
    if (isCode[nodes[node + type] ?? 0] !== true) bytes += nodes[node + size] ?? 0
  return bytes
}
