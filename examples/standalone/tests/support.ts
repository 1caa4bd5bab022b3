import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform, type Platform } from '@colloquy/core'
import type { Store } from '@colloquy/core/store'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { onTestFinished } from 'vitest'

/** A platform over a SQLite store in memory, closed when the test is over. */
export function openPlatform(store: Store = createSqliteStore({ filename: ':memory:' })): Platform {
  const platform = createPlatform({ store, runtime: createRetrievalRuntime() })
  onTestFinished(() => platform.close())
  return platform
}

/** What stands in for a process that is killed: the call after the given number of calls does not happen. */
export class Killed extends Error {
  override readonly name = 'Killed'
}

/** Counts the calls of a group of functions, and kills the one after `allowed`. */
export function killAfter(allowed: number) {
  let calls = 0
  const wrap = <Group extends object>(group: Group): Group =>
    new Proxy(group, {
      get(target, name, receiver) {
        const member: unknown = Reflect.get(target, name, receiver)
        if (typeof member === 'object' && member !== null) return wrap(member)
        if (typeof member !== 'function') return member
        return async (...input: unknown[]) => {
          calls += 1
          if (calls > allowed) throw new Killed()
          return Reflect.apply(member, target, input)
        }
      },
    })
  return {
    calls: () => calls,
    wrap,
  }
}
