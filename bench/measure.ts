/** One line of the table: what was measured, and how often it went in a second. */
export interface Row {
  readonly name: string
  readonly perSecond: number
  /** CPU of this process, microseconds for each operation. */
  readonly cpuMicroseconds: number
}

/** Runs `operation` a number of times, `concurrency` of them side by side, after a warm-up of a tenth. */
export async function measure(
  name: string,
  count: number,
  concurrency: number,
  operation: (index: number) => Promise<void> | void,
): Promise<Row> {
  const run = async (from: number, to: number): Promise<void> => {
    let next = from
    const work = async (): Promise<void> => {
      while (next < to) await operation(next++)
    }
    await Promise.all(Array.from({ length: concurrency }, work))
  }
  const warm = Math.floor(count / 10)
  await run(0, warm)
  const cpu = process.cpuUsage()
  const started = performance.now()
  await run(warm, warm + count)
  const seconds = (performance.now() - started) / 1000
  const { user, system } = process.cpuUsage(cpu)
  return { name, perSecond: count / seconds, cpuMicroseconds: (user + system) / count }
}

/** Prints rows with their ratio to the first, which is the limit. */
export function print(title: string, rows: readonly Row[]): void {
  const [limit] = rows
  console.log(`\n${title}`)
  for (const { name, perSecond, cpuMicroseconds } of rows) {
    const ratio = limit === undefined ? 1 : perSecond / limit.perSecond
    const columns = [
      name.padEnd(40),
      Math.round(perSecond).toLocaleString('en-GB').padStart(12),
      `${cpuMicroseconds.toFixed(1)} µs CPU`.padStart(16),
      `${ratio.toFixed(2)} of the limit`.padStart(20),
    ]
    console.log(columns.join(' '))
  }
}
