import * as z from 'zod'
import type { Difference, Resolution, resolutionSchema } from '../../domain/agent/conflict.ts'
import { isPlatformError, PlatformError } from '../../errors.ts'

const queriesSchema = z.object({ queries: z.unknown() })
const differenceSchema = z.looseObject({
  path: z.array(z.string()).readonly(),
  baseValue: z.unknown(),
  oursValue: z.unknown(),
  theirsValue: z.unknown(),
})
const conflictsSchema = z.object({ conflicts: z.array(differenceSchema) })

type Values = 'baseValue' | 'oursValue' | 'theirsValue'

const EXAMPLE_QUERIES = 'exampleQueries'

const isExampleQueries = (path: readonly string[]): boolean =>
  path[0] === 'topics' && path[2] === EXAMPLE_QUERIES

/** A resolution in the platform's words: example queries come as `{queries: […]}`, as everywhere on the wire. */
export function fromWire({ path, strategy, value }: z.output<typeof resolutionSchema>): Resolution {
  const wrapped = isExampleQueries(path) ? queriesSchema.safeParse(value) : null
  return { path, strategy, value: wrapped?.success ? wrapped.data.queries : value }
}

/** A conflict or another difference, its values in the shapes that topics have on the wire. */
export function differenceOnWire<Shown extends Pick<Difference, 'path'> & Record<Values, unknown>>(
  shown: Shown,
) {
  if (!isExampleQueries(shown.path)) return shown
  const wrap = (value: unknown) => (value === null ? null : { queries: value })
  const { baseValue, oursValue, theirsValue } = shown
  return {
    ...shown,
    baseValue: wrap(baseValue),
    oursValue: wrap(oursValue),
    theirsValue: wrap(theirsValue),
  }
}

/** Lets a merge's outcome through; its conflicts show values in the shapes that topics have on the wire. */
export async function withWireConflicts<T>(merging: Promise<T>): Promise<T> {
  try {
    return await merging
  } catch (error) {
    if (!isPlatformError(error) || error.code !== 'MERGE_CONFLICTS') throw error
    const body = conflictsSchema.safeParse(error.details.body)
    if (!body.success) throw error
    const conflicts = body.data.conflicts.map(differenceOnWire)
    throw new PlatformError(error.code, error.message, { body: { ...error.details.body, conflicts } })
  }
}
