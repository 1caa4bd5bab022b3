import type { AgentId, BranchId } from '@colloquy/core'
import type { AgentStatements } from './agent-statements.ts'

/** The branch's row if the branch is there at that version. */
export function guardedBranch(
  run: AgentStatements,
  agentId: AgentId,
  id: BranchId,
  version: number,
): number | null {
  const branch = run.branch.get({ agentId, id })
  return branch?.version === version ? branch.row : null
}
