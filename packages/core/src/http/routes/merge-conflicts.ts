import * as z from 'zod'
import type { Difference, Resolution, resolutionSchema } from '../../domain/agent/conflict.ts'
import { isPlatformError, PlatformError } from '../../errors.ts'
import type { MergeResultPreview } from '../../usecases/agents/branches/preview-merge.ts'

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

/**
 * Returns a resolution in the platform's words: example queries come as `{queries: […]}`, as everywhere on the wire.
 */
export function fromWire({ path, strategy, value }: z.output<typeof resolutionSchema>): Resolution {
  const wrapped = isExampleQueries(path) ? queriesSchema.safeParse(value) : null
  return { path, strategy, value: wrapped?.success ? wrapped.data.queries : value }
}

/** Returns a conflict or another difference, its values in the shapes that topics have on the wire. */
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

/** Returns the main content that a merge would produce. */
export const previewOnWire = ({ branchVersion, mainRevision, changes, conflicts }: MergeResultPreview) => ({
  branchVersion: String(branchVersion),
  mainRevision: String(mainRevision),
  changes: changes.map(differenceOnWire),
  conflicts: conflicts.map(differenceOnWire),
})

/** Returns the body of a merge's refusal in the shapes that topics have on the wire. */
function refusalOnWire({ code, details }: PlatformError): Readonly<Record<string, unknown>> | null {
  if (code === 'CONTENT_CHANGED' && details.body?.preview !== undefined)
    return { ...details.body, preview: previewOnWire(details.body.preview as MergeResultPreview) }
  const body = code === 'MERGE_CONFLICTS' ? conflictsSchema.safeParse(details.body) : null
  if (body?.success !== true) return null
  return { ...details.body, conflicts: body.data.conflicts.map(differenceOnWire) }
}

/** Resolves like the merge. If it is refused, converts the conflicts to the shapes of the wire. */
export async function withWireConflicts<T>(merging: Promise<T>): Promise<T> {
  try {
    return await merging
  } catch (error) {
    const body = isPlatformError(error) ? refusalOnWire(error) : null
    if (!isPlatformError(error) || body === null) throw error
    throw new PlatformError(error.code, error.message, { body })
  }
}
