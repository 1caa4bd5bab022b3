import {
  type ResponseSettings,
  type ResponseSettingsChange,
  responseSettingsSchema,
} from '../../../domain/agent/content.ts'
import type { AgentId, BranchId } from '../../../domain/ids.ts'
import { withoutUndefined } from '../../../domain/without-undefined.ts'
import { checked } from '../../shared/checked.ts'
import { type BranchView, resourceIn, viewBranch } from '../branches/branch-view.ts'
import type { AgentsDeps } from '../deps.ts'
import { editBranch } from './edit-branch.ts'

async function settingsIn(deps: AgentsDeps, view: BranchView): Promise<ResponseSettings> {
  const settings = await resourceIn(deps, view, 'response_settings', '')
  if (settings === null) throw new Error(`Agent ${view.branch.agentId} has no response settings.`)
  return settings.value
}

/** How the branch's agent greets and speaks. @throws PROJECT_NOT_FOUND, BRANCH_NOT_FOUND */
export async function readResponseSettings(
  deps: AgentsDeps,
  agentId: AgentId,
  branchId: BranchId,
): Promise<ResponseSettings> {
  return { ...(await settingsIn(deps, await viewBranch(deps, agentId, branchId))) }
}

/** Changes the given fields. @throws SCHEMA_VALIDATION_FAILED, MAIN_BRANCH_READ_ONLY */
export async function updateResponseSettings(
  deps: AgentsDeps,
  agentId: AgentId,
  branchId: BranchId,
  change: ResponseSettingsChange,
): Promise<ResponseSettings> {
  return editBranch(deps, agentId, branchId, async view => {
    const { avatarUrl, ...rest } = { ...(await settingsIn(deps, view)), ...withoutUndefined(change) }
    const picture = avatarUrl === undefined || avatarUrl === null || avatarUrl === '' ? {} : { avatarUrl }
    const value = checked(responseSettingsSchema, { ...rest, ...picture })
    return { changes: [{ kind: 'response_settings', id: '', value }], result: { ...value } }
  })
}
