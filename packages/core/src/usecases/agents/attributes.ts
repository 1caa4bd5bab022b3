import { type Attribute, attributeSchema, type ResourceChange } from '../../domain/agent/content.ts'
import { removal } from '../../domain/agent/tree.ts'
import type { AgentId, BranchId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import { checked } from '../checked.ts'
import { type BranchView, nameTaken, resourceIn, resourcesIn, viewBranch } from './branch-view.ts'
import { editBranch } from './edit-branch.ts'
import type { AgentsScope } from './scope.ts'

/** An attribute with its id. */
export type AttributeRecord = Attribute & { readonly id: string }

async function requireAttribute(scope: AgentsScope, view: BranchView, id: string): Promise<AttributeRecord> {
  const attribute = await resourceIn(scope, view, 'attributes', id)
  if (!attribute)
    throw new PlatformError('ATTRIBUTE_NOT_FOUND', `There is no attribute ${id} on this branch.`)
  return { ...attribute.value, id }
}

async function refuseTakenName(
  scope: AgentsScope,
  view: BranchView,
  name: string,
  exceptId: string | null,
): Promise<void> {
  if (await nameTaken(scope, view, 'attributes', name, exceptId)) {
    const message = `An attribute named "${name}" exists already on this branch.`
    throw new PlatformError('ATTRIBUTE_ALREADY_EXISTS', message)
  }
}

/** All attributes of the branch, by name. */
export async function listAttributes(
  scope: AgentsScope,
  agentId: AgentId,
  branchId: BranchId,
): Promise<readonly AttributeRecord[]> {
  const attributes = await resourcesIn(scope, await viewBranch(scope, agentId, branchId), 'attributes')
  return attributes.map(({ id, value }) => ({ ...value, id }))
}

/** @throws ATTRIBUTE_NOT_FOUND */
export async function readAttribute(
  scope: AgentsScope,
  agentId: AgentId,
  branchId: BranchId,
  id: string,
): Promise<AttributeRecord> {
  return requireAttribute(scope, await viewBranch(scope, agentId, branchId), id)
}

/** @throws SCHEMA_VALIDATION_FAILED, ATTRIBUTE_ALREADY_EXISTS */
export async function createAttribute(
  scope: AgentsScope,
  agentId: AgentId,
  branchId: BranchId,
  input: Attribute,
): Promise<AttributeRecord> {
  const value = checked(attributeSchema, input)
  const id = `ATTRIBUTE-${scope.context.ids.short()}`
  return editBranch(scope, agentId, branchId, async view => {
    await refuseTakenName(scope, view, value.name, null)
    return { changes: [{ kind: 'attributes', id, value }], result: { ...value, id } }
  })
}

/** @throws ATTRIBUTE_NOT_FOUND, SCHEMA_VALIDATION_FAILED, ATTRIBUTE_ALREADY_EXISTS */
export async function updateAttribute(
  scope: AgentsScope,
  agentId: AgentId,
  branchId: BranchId,
  id: string,
  change: Partial<Attribute>,
): Promise<AttributeRecord> {
  return editBranch(scope, agentId, branchId, async view => {
    const value = checked(attributeSchema, { ...(await requireAttribute(scope, view, id)), ...change })
    await refuseTakenName(scope, view, value.name, id)
    return { changes: [{ kind: 'attributes', id, value }], result: { ...value, id } }
  })
}

/** Removes the attribute and its values in every variant. @throws ATTRIBUTE_NOT_FOUND */
export async function deleteAttribute(
  scope: AgentsScope,
  agentId: AgentId,
  branchId: BranchId,
  id: string,
): Promise<void> {
  return editBranch(scope, agentId, branchId, async view => {
    await requireAttribute(scope, view, id)
    const variants = await resourcesIn(scope, view, 'variants')
    const emptied = variants
      .filter(({ value }) => Object.hasOwn(value.attributeValues, id))
      .map((variant): ResourceChange => {
        const { [id]: _, ...attributeValues } = variant.value.attributeValues
        return { ...variant, value: { ...variant.value, attributeValues } }
      })
    return { changes: [removal({ kind: 'attributes', id }), ...emptied], result: undefined }
  })
}
