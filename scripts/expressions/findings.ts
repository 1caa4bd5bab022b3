import { faultOf } from './check.ts'
import type { Expression } from './find.ts'

/** Expressions that may take longer, as they are written, each with its reason: why no caller can make them. */
const EXCEPTIONS: Readonly<Record<string, string>> = {}

/** Files that compile patterns of others, each with its reason. */
const COMPILING: Readonly<Record<string, string>> = {
  'packages/core/src/domain/tool-schema.ts':
    'It asks whether a pattern is valid, and searches nothing with it.',
}

/** Results of a check. */
export interface Findings {
  /** A line for each place that has to change. */
  readonly faults: readonly string[]
  /** Expressions that take linear time, sorted, each once. */
  readonly linear: readonly string[]
  /** Number of them that were not known as linear. */
  readonly fresh: number
}

/**
 * Checks expressions, each once.
 *
 * @param known those that have been checked before
 */
export function findingsOf(expressions: readonly Expression[], known: ReadonlySet<string>): Findings {
  const checked = new Map<string, string | null>()
  const faults: string[] = []
  let fresh = 0
  for (const { path, line, source, flags } of expressions) {
    const place = `${path}:${line}`
    if (source === null) {
      if (Object.hasOwn(COMPILING, path)) continue
      faults.push(
        `${place} puts a regular expression together when it runs. Write it out, or search without.`,
      )
      continue
    }
    const written = `/${source}/${flags}`
    if (Object.hasOwn(EXCEPTIONS, written)) continue
    if (!checked.has(written)) {
      if (!known.has(written)) fresh += 1
      checked.set(written, known.has(written) ? null : faultOf(source, flags))
    }
    const fault = checked.get(written) ?? null
    if (fault !== null) faults.push(`${place} ${written} ${fault}`)
  }
  const linear = [...checked].flatMap(([written, fault]) => (fault === null ? [written] : [])).sort()
  return { faults, linear, fresh }
}
