import { isRefusedStatement } from './failure.ts'

/** As many writes share a statement at most, unless the host says otherwise. */
export const WRITES_PER_STATEMENT = 200

/** Most statements of a sort in progress at once. Writes that arrive meanwhile share the next one. */
const STATEMENTS_AT_ONCE = 2

/** A write that waits, or is in progress. */
interface Waiting<Write, Result> {
  readonly write: Write
  /** Keys that it affects. Writes with a key in common run one after the other. */
  readonly keys: readonly string[]
  /** Writes of one sort alone share statements. */
  readonly sort: string
  resolve(result: Result): void
  reject(error: unknown): void
}

/** Writes that share statements. */
export interface WriteQueue<Write, Result> {
  /** Resolves once the write is committed, or was found to change nothing. */
  add(write: Write, keys: readonly string[], sort: string): Promise<Result>
}

/**
 * Groups the writes of one tick of the event loop into one statement: a round trip and a durable commit cost more than
 * the rows written. While statements are in progress the next group grows: the busier the server, the larger the
 * groups.
 *
 * Writes with a key in common never share a statement, and run in the order in which they came. If a statement is
 * refused because of its content, its writes are made one by one, so that only the bad one is rejected. If the
 * connection is lost, all of them are rejected: they may have been made.
 *
 * @param run executes one statement; its results are in the order of the writes
 * @param most most writes that share a statement; with 1 nothing waits for others, and only the pool is a limit
 */
export function createWriteQueue<Write, Result>(
  run: (writes: readonly Write[]) => Promise<readonly Result[]>,
  most: number,
): WriteQueue<Write, Result> {
  const atOnce = most === 1 ? Number.POSITIVE_INFINITY : STATEMENTS_AT_ONCE
  let waiting: Waiting<Write, Result>[] = []
  const busy = new Set<string>()
  const underWay = new Map<string, number>()
  let scheduled = false

  const schedule = (): void => {
    if (scheduled) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      while (flush());
    })
  }

  async function make(group: readonly Waiting<Write, Result>[]): Promise<void> {
    try {
      const results = await run(group.map(({ write }) => write))
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

  async function makeAndGoOn(sort: string, group: readonly Waiting<Write, Result>[]): Promise<void> {
    underWay.set(sort, (underWay.get(sort) ?? 0) + 1)
    for (const { keys } of group) for (const key of keys) busy.add(key)
    await make(group)
    for (const { keys } of group) for (const key of keys) busy.delete(key)
    underWay.set(sort, (underWay.get(sort) ?? 1) - 1)
    if (waiting.length > 0) schedule()
  }

  /** Begins the next writes whose keys are free, in order. Returns false if there are none. */
  function flush(): boolean {
    const groups = new Map<string, Waiting<Write, Result>[]>()
    const left: Waiting<Write, Result>[] = []
    const taken = new Set<string>()
    for (const one of waiting) {
      const group = groups.get(one.sort) ?? []
      const hasRoom = group.length < most && (underWay.get(one.sort) ?? 0) < atOnce
      const isFree = hasRoom && !one.keys.some(key => busy.has(key) || taken.has(key))
      // A later write of a key must not overtake one that stays.
      for (const key of one.keys) taken.add(key)
      if (!isFree) left.push(one)
      else if (group.push(one) === 1) groups.set(one.sort, group)
    }
    waiting = left
    for (const [sort, group] of groups) void makeAndGoOn(sort, group)
    return groups.size > 0
  }

  return {
    add: (write, keys, sort) =>
      new Promise((resolve, reject) => {
        waiting.push({ write, keys, sort, resolve, reject })
        schedule()
      }),
  }
}
