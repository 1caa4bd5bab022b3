import { isRefusedStatement } from './failure.ts'

/** As many writes share a statement at most, unless the host says otherwise. */
export const WRITES_PER_STATEMENT = 200

/** As many statements with several writes are under way at most. What comes meanwhile shares the next one. */
const STATEMENTS_AT_ONCE = 2

/** A write that waits, or is under way. */
interface Waiting<Write, Result> {
  readonly write: Write
  /** What it changes: writes of one key are made one after the other. */
  readonly key: string
  resolve(result: Result): void
  reject(error: unknown): void
}

/** Writes that share statements. */
export interface WriteQueue<Write, Result> {
  /** Resolves once the write is committed, or was found to change nothing. */
  add(key: string, write: Write): Promise<Result>
}

/**
 * Groups the writes of one tick of the event loop into one statement, because a round trip and a durable commit cost
 * more than what is written. While statements are under way the next group grows: the busier the server, the larger the
 * groups.
 *
 * Writes of one key never share a statement, and are made in the order in which they came. When a statement is refused
 * for what is in it, its writes are made one by one, so that a bad one is rejected alone. When the connection is lost
 * all of them are rejected: they may have been made.
 *
 * @param run one statement; its results are in the order of the writes
 * @param committed told how many writes a statement carried
 * @param most writes that share one at most; with 1 nothing waits for others, and the pool is the bound
 */
export function createWriteQueue<Write, Result>(
  run: (writes: readonly Write[]) => Promise<readonly Result[]>,
  most: number,
  committed: (writes: number) => void = () => undefined,
): WriteQueue<Write, Result> {
  const atOnce = most === 1 ? Number.POSITIVE_INFINITY : STATEMENTS_AT_ONCE
  let waiting: Waiting<Write, Result>[] = []
  const busy = new Set<string>()
  let underWay = 0
  let scheduled = false

  const schedule = (): void => {
    if (scheduled) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      flush()
    })
  }

  /** The next writes whose keys are free, in order. */
  function nextGroup(): readonly Waiting<Write, Result>[] {
    const group: Waiting<Write, Result>[] = []
    const left: Waiting<Write, Result>[] = []
    const taken = new Set<string>()
    for (const one of waiting) {
      const isFree = group.length < most && !busy.has(one.key) && !taken.has(one.key)
      // A later write of the key must not overtake one that stays.
      taken.add(one.key)
      if (isFree) group.push(one)
      else left.push(one)
    }
    waiting = left
    return group
  }

  async function make(group: readonly Waiting<Write, Result>[]): Promise<void> {
    try {
      const results = await run(group.map(({ write }) => write))
      committed(group.length)
      for (const [place, { resolve, reject }] of group.entries()) {
        const result = results[place]
        if (result === undefined) reject(new Error('PostgreSQL did not answer for a write.'))
        else resolve(result)
      }
    } catch (error) {
      if (group.length > 1 && isRefusedStatement(error)) for (const one of group) await make([one])
      else for (const { reject } of group) reject(error)
    }
  }

  async function makeAndGoOn(group: readonly Waiting<Write, Result>[]): Promise<void> {
    underWay++
    for (const { key } of group) busy.add(key)
    await make(group)
    for (const { key } of group) busy.delete(key)
    underWay--
    if (waiting.length > 0) schedule()
  }

  function flush(): void {
    while (underWay < atOnce) {
      const group = nextGroup()
      if (group.length === 0) return
      void makeAndGoOn(group)
    }
  }

  return {
    add: (key, write) =>
      new Promise((resolve, reject) => {
        waiting.push({ key, write, resolve, reject })
        schedule()
      }),
  }
}
