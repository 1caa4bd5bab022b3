import { z } from 'zod'
import { type Resolution, resolutionSchema } from '../../domain/agent/conflict.ts'
import { isPlatformError, PlatformError } from '../../errors.ts'

const queriesSchema = z.object({ queries: z.unknown() })
const conflictsSchema = z.object({
  conflicts: z.array(z.looseObject({ path: z.array(z.string()) })),
})

const EXAMPLE_QUERIES = 'exampleQueries'
const VALUES = ['baseValue', 'oursValue', 'theirsValue'] as const

/** The resolutions of a merge request. */
export const resolutionsSchema = z.array(resolutionSchema)

const isExampleQueries = (path: readonly string[]): boolean =>
  path[0] === 'topics' && path[2] === EXAMPLE_QUERIES

/** A resolution in the platform's words: example queries come as `{queries: […]}`, as everywhere on the wire. */
export function fromWire({ path, strategy, value }: z.output<typeof resolutionSchema>): Resolution {
  const wrapped = isExampleQueries(path) ? queriesSchema.safeParse(value) : null
  return { path, strategy, value: wrapped?.success ? wrapped.data.queries : value }
}

function conflictOnWire(conflict: Readonly<Record<string, unknown>> & { readonly path: readonly string[] }) {
  if (!isExampleQueries(conflict.path)) return conflict
  const wrap = (value: unknown) => (value === null ? null : { queries: value })
  return { ...conflict, ...Object.fromEntries(VALUES.map(name => [name, wrap(conflict[name])])) }
}

/** Lets a merge's outcome through; its conflicts show values in the shapes that topics have on the wire. */
export async function withWireConflicts<T>(merging: Promise<T>): Promise<T> {
  try {
    return await merging
  } catch (error) {
    if (!isPlatformError(error) || error.code !== 'MERGE_CONFLICTS') throw error
    const body = conflictsSchema.safeParse(error.details.body)
    if (!body.success) throw error
    const conflicts = body.data.conflicts.map(conflictOnWire)
    throw new PlatformError(error.code, error.message, { body: { ...error.details.body, conflicts } })
  }
}
