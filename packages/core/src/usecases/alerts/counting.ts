import { type Count, countsOfStart, countsOfTurns, minuteOf } from '../../domain/alert/counters.ts'
import type { StoredTurn } from '../../domain/conversation/record.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import type { AccountId, AgentId } from '../../domain/ids.ts'
import type { Clock } from '../../ports/clock.ts'
import type { CounterStore } from '../../ports/store/counters.ts'
import type { Settings } from '../../settings/settings.ts'
import { createSerial } from '../shared/serial.ts'

/** Counters that a process keeps while the store takes none; further ones are dropped. */
const KEPT = 100_000
/** Counters that are written at a time. */
const WRITTEN_AT_ONCE = 1_000

/** Counts what alert rules watch, and writes it to the store now and then. Nothing that it does throws. */
export interface Counting {
  /** Counts a conversation that was written and begins. */
  started(state: ConversationState): void
  /** Turns were written. */
  turns(state: ConversationState, turns: readonly StoredTurn[]): void
  /** Counts a request for the account that was answered with 500 or above. */
  apiError(accountId: AccountId, agentId: AgentId | null): void
  /** Writes everything that is counted so far. Rejects when the store takes none; it is kept then. */
  flush(): Promise<void>
  /** Writes the rest, and nothing more later. */
  stop(): Promise<void>
}

interface CountingPorts {
  readonly clock: Clock
  readonly counters: Pick<CounterStore, 'add'>
  readonly settings: Pick<Settings, 'alerts' | 'onError'>
}

/** A count that is kept, and how often it was counted since. */
interface Kept {
  readonly first: Count
  times: number
}

const keyOf = ({ accountId, agentId, deploymentId = '', name, minute, value }: Count): string =>
  `${name}\n${minute}\n${value}\n${agentId ?? ''}\n${accountId}\n${deploymentId}`

/**
 * Counts in memory, so that a turn costs no further write. What a process has counted since its last flush is lost when
 * it is killed; what the store may have taken, although it rejected, is written again.
 */
export function createCounting({ clock, counters, settings }: CountingPorts): Counting {
  const { flushInterval } = settings.alerts
  const serial = createSerial<'flush'>()
  const kept = new Map<string, Kept>()
  let cancel: (() => void) | null = null
  let stopped = false
  let failing = false

  function keep(counts: readonly Count[]): void {
    for (const count of counts) {
      const key = keyOf(count)
      const before = kept.get(key)
      if (before !== undefined) before.times += count.count
      else if (kept.size < KEPT) kept.set(key, { first: count, times: count.count })
    }
    arm()
  }

  function arm(): void {
    if (kept.size === 0 || cancel !== null || stopped) return
    cancel = clock.schedule(flushInterval, () => {
      cancel = null
      flush()
        .then(() => {
          failing = false
        })
        .catch(error => {
          if (!failing) settings.onError(error, 'counters')
          failing = true
          arm()
        })
    })
  }

  async function write(): Promise<void> {
    while (kept.size > 0) {
      const some = [...kept.entries()].slice(0, WRITTEN_AT_ONCE)
      for (const [key] of some) kept.delete(key)
      const counts = some.map(([, { first, times }]): Count => ({ ...first, count: times }))
      try {
        await counters.add(counts)
      } catch (error) {
        keep(counts)
        throw error
      }
    }
  }

  const flush = (): Promise<void> => serial('flush', write)

  return {
    started: state => keep(countsOfStart(state)),
    turns: (state, turns) => {
      if (turns.length > 0) keep(countsOfTurns(state, turns, clock.now()))
    },
    apiError: (accountId, agentId) =>
      keep([{ accountId, agentId, name: 'api_errors', minute: minuteOf(clock.now()), value: 0, count: 1 }]),
    flush,
    async stop() {
      stopped = true
      cancel?.()
      cancel = null
      await flush().catch(error => settings.onError(error, 'counters'))
    },
  }
}
