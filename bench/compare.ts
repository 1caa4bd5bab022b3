/** The middle one of the values; the mean of the two in the middle of an even number. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const [left = Number.NaN, right = left] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return (left + right) / 2
}

/** Milliseconds that the operation takes. */
export async function timed(operation: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await operation()
  return performance.now() - started
}

/** One operation on a small and on a large subject. */
export interface Comparison {
  readonly name: string
  /** Median of the small subject, milliseconds. */
  readonly small: number
  /** Median of the large subject, milliseconds. */
  readonly large: number
}

/**
 * Times one operation on two subjects, turn by turn, so that whatever else the machine does meets both. `measure`
 * prepares what it needs, and returns the milliseconds that count. The first tenth of the rounds, at least one, does
 * not count.
 */
export async function compare<Subject>(
  name: string,
  subjects: { readonly small: Subject; readonly large: Subject },
  rounds: number,
  measure: (subject: Subject, round: number) => Promise<number>,
): Promise<Comparison> {
  const times: { readonly small: number[]; readonly large: number[] } = { small: [], large: [] }
  const warmUp = Math.ceil(rounds / 10)
  for (let round = 0; round < warmUp + rounds; round++) {
    const order = round % 2 === 0 ? (['small', 'large'] as const) : (['large', 'small'] as const)
    for (const size of order) {
      const time = await measure(subjects[size], round)
      if (round >= warmUp) times[size].push(time)
    }
  }
  return { name, small: median(times.small), large: median(times.large) }
}

const shown = (milliseconds: number): string =>
  milliseconds < 0.1 ? `${(milliseconds * 1_000).toFixed(1)} µs` : `${milliseconds.toFixed(2)} ms`

/** Prints comparisons with the ratio of large to small, and whether that meets the goal. */
export function printComparisons(title: string, goal: number, rows: readonly Comparison[]): void {
  console.log(`\n${title}; goal: a ratio of at most ${goal}`)
  for (const { name, small, large } of rows) {
    const ratio = large / small
    const columns = [
      name.padEnd(40),
      shown(small).padStart(12),
      shown(large).padStart(12),
      ratio.toFixed(2).padStart(8),
      ratio <= goal ? '   met' : '   NOT MET',
    ]
    console.log(columns.join(' '))
  }
}

/** Prints a median with its goal, milliseconds. */
export function printGoal(name: string, milliseconds: number, goal: number | null): void {
  const verdict = goal === null ? '' : `goal ${goal} ms   ${milliseconds <= goal ? 'met' : 'NOT MET'}`
  console.log([name.padEnd(53), shown(milliseconds).padStart(12), '  ', verdict].join(''))
}
