import { useEffect, useRef, useState } from 'preact/hooks'
import { api, writesOf } from '../api.ts'

/** Interval at which a branch is checked while somebody works on it, milliseconds. */
const PACE = 4_000

/** Changes by others on a branch since this person opened it. */
export interface BranchWatch {
  /** Grows each time that somebody else has changed something. */
  readonly changes: number
  /** Time at which the last change was seen; null until then. */
  readonly at: string | null
}

/**
 * Notices what others write to a branch: it counts each write, and what of these this page made. Nobody is asked for
 * while the page is hidden.
 */
export function useBranchWatch(agentId: string, branchId: string, isOn: boolean): BranchWatch {
  const [seen, setSeen] = useState<BranchWatch>({ changes: 0, at: null })
  const known = useRef<{ readonly version: number; readonly own: number } | null>(null)
  useEffect(() => {
    if (!isOn) return
    const gone = new AbortController()
    known.current = null

    async function look(): Promise<void> {
      const { begun, ended, done } = writesOf(branchId)
      if (document.visibilityState === 'hidden' || begun > ended) return
      const { sequenceId, updatedAt } = await api.readBranch({ agentId, branchId }, { signal: gone.signal })
      // A write happened in the meantime, so the answer may or may not include it.
      if (writesOf(branchId).begun > begun) return
      const version = Number(sequenceId)
      const before = known.current
      known.current = { version, own: done }
      if (before !== null && version - before.version !== done - before.own)
        setSeen(({ changes }) => ({ changes: changes + 1, at: updatedAt }))
    }

    const again = (): void => void look().catch(() => undefined)
    const timer = setInterval(again, PACE)
    again()
    document.addEventListener('visibilitychange', again)
    return () => {
      gone.abort()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', again)
    }
  }, [agentId, branchId, isOn])
  return seen
}
