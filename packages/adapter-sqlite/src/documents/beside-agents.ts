import { audioBesideStatements } from '../audio-cache.ts'
import type { Define } from '../database/statements.ts'

/** What is kept of agents beside their documents. */
export function besideAgents(define: Define) {
  const { dropAudioOf } = audioBesideStatements(define)
  return {
    /** Before the agent is removed. */
    dropOf(id: string): void {
      dropAudioOf.run({ id })
    },
  }
}
