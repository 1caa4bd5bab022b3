import type { Log } from '../ports/log.ts'

/** At most one warning of a kind in so long, milliseconds. */
const QUIET = 60_000

/** Writes events to the host's log, without repeating itself. */
export interface Reports {
  /** The broker cannot be reached, for this reason. Said once for each reason, until it is back. */
  away(error: Error): void
  /** The broker is back; so many notices were lost meanwhile. Said where `away` was. */
  back(lost: number): void
  /** Logs an event that may be frequent: once a minute, with its count. */
  often(message: string, fields?: Readonly<Record<string, unknown>>): void
}

/** @param broker what to call the broker */
export function createReports(log: Log, broker: string): Reports {
  const reasons = new Set<string>()
  const kinds = new Map<string, { last: number; unsaid: number }>()
  return {
    away(error) {
      if (reasons.has(error.message)) return
      reasons.add(error.message)
      log.error(`The bus has no connection to ${broker}, and tries again. Until then notices are lost.`, {
        reason: error.message,
      })
    },
    back(lost) {
      if (reasons.size === 0) return
      reasons.clear()
      log.warn(`The bus is connected to ${broker} again.`, { lost })
    },
    often(message, fields = {}) {
      const now = performance.now()
      const known = kinds.get(message)
      if (known !== undefined && now - known.last < QUIET) {
        known.unsaid++
        return
      }
      kinds.set(message, { last: now, unsaid: 0 })
      log.warn(message, { ...fields, times: 1 + (known?.unsaid ?? 0) })
    },
  }
}
