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
import { type Expecting, refuseChanged } from './refuse-changed.ts'

async function settingsIn(deps: AgentsDeps, view: BranchView): Promise<ResponseSettings> {
  const settings = await resourceIn(deps, view, 'response_settings', '')
  if (settings === null) throw new Error(`Agent ${view.branch.agentId} has no response settings.`)
  return settings.value
}

/** Returns the response settings of the branch. @throws PROJECT_NOT_FOUND, BRANCH_NOT_FOUND */
export async function readResponseSettings(
  deps: AgentsDeps,
  agentId: AgentId,
  branchId: BranchId,
): Promise<ResponseSettings> {
  return { ...(await settingsIn(deps, await viewBranch(deps, agentId, branchId))) }
}

/**
 * Changes the given fields, where those that are expected are as expected (AG121).
 * @throws SCHEMA_VALIDATION_FAILED, CONTENT_CHANGED, MAIN_BRANCH_READ_ONLY
 */
export async function updateResponseSettings(
  deps: AgentsDeps,
  agentId: AgentId,
  branchId: BranchId,
  { expected, ...change }: Expecting<ResponseSettingsChange>,
): Promise<ResponseSettings> {
  return editBranch(deps, agentId, branchId, async view => {
    const before = await settingsIn(deps, view)
    refuseChanged(before, expected)
    const { avatarUrl, phrases, ...rest } = { ...before, ...withoutUndefined(change) }
    const picture = avatarUrl === undefined || avatarUrl === null || avatarUrl === '' ? {} : { avatarUrl }
    const said = Object.keys(phrases ?? {}).length === 0 ? {} : { phrases }
    const value = checked(responseSettingsSchema, { ...rest, ...picture, ...said })
    return { changes: [{ kind: 'response_settings', id: '', value }], result: { ...value } }
  })
}
