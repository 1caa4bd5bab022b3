import { createRequire } from 'node:module'

/** The build that is JavaScript alone: it needs no JVM and no program of the machine, and counts alike on each. */
const { checkSync }: typeof import('recheck') = createRequire(import.meta.url)('recheck/lib/browser.js')

/** Steps are counted and not timed, and the tries are always the same ones: so the findings are too. */
const EXACT = { timeout: null, attackTimeout: null, incubationTimeout: null, randomSeed: 1 } as const

/** Most characters of an attacking text that are shown. */
const SHOWN = 120

/** Null for an expression that takes linear time on every text; else how long it takes, and on which text. */
export function faultOf(source: string, flags: string): string | null {
  const found = checkSync(source, flags, { ...EXACT })
  if (found.status === 'safe') return null
  if (found.status === 'unknown') return `cannot be checked (${found.error.kind})`
  return `takes ${found.complexity.summary} time, for example on ${found.attack.pattern.slice(0, SHOWN)}`
}
