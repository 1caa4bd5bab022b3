import { type ResourceChange, type Variant, variantSchema } from '../../domain/agent/content.ts'
import { removal } from '../../domain/agent/tree.ts'
import type { AgentId, BranchId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import { checked } from '../checked.ts'
import { type BranchView, nameTaken, resourceIn, resourcesIn, viewBranch } from './branch-view.ts'
import { editBranch } from './edit-branch.ts'
import type { AgentsScope } from './scope.ts'

/** A variant with its id. */
export type VariantRecord = Variant & { readonly id: string }

async function requireVariant(scope: AgentsScope, view: BranchView, id: string): Promise<VariantRecord> {
  const variant = await resourceIn(scope, view, 'variants', id)
  if (!variant) throw new PlatformError('VARIANT_NOT_FOUND', `There is no variant ${id} on this branch.`)
  return { ...variant.value, id }
}

const removesDefault = (message: string) => new PlatformError('VARIANTS_REMOVE_DEFAULT_ERROR', message)

async function refuseMisfit(
  scope: AgentsScope,
  view: BranchView,
  value: Variant,
  exceptId: string | null,
): Promise<void> {
  if (await nameTaken(scope, view, 'variants', value.name, exceptId)) {
    const message = `A variant named "${value.name}" exists already on this branch.`
    throw new PlatformError('VARIANT_ALREADY_EXISTS', message)
  }
  const wanted = Object.keys(value.attributeValues)
  if (wanted.length === 0) return
  const known = new Set((await resourcesIn(scope, view, 'attributes')).map(attribute => attribute.id))
  const unknown = wanted.find(id => !known.has(id))
  if (unknown !== undefined) {
    const message = `attributeValues: there is no attribute ${unknown} on this branch.`
    throw new PlatformError('SCHEMA_VALIDATION_FAILED', message)
  }
}

/** The variant's write and, when it becomes the default, the write that takes that from the one before. */
async function writeVariant(
  scope: AgentsScope,
  view: BranchView,
  id: string,
  value: Variant,
): Promise<readonly ResourceChange[]> {
  const write: ResourceChange = { kind: 'variants', id, value }
  if (!value.isDefault) return [write]
  const others = (await resourcesIn(scope, view, 'variants')).filter(
    other => other.id !== id && other.value.isDefault,
  )
  return [...others.map(other => ({ ...other, value: { ...other.value, isDefault: false } })), write]
}

/** All variants of the branch, by name; exactly one is the default. */
export async function listVariants(
  scope: AgentsScope,
  agentId: AgentId,
  branchId: BranchId,
): Promise<readonly VariantRecord[]> {
  const variants = await resourcesIn(scope, await viewBranch(scope, agentId, branchId), 'variants')
  return variants.map(({ id, value }) => ({ ...value, id }))
}

/** @throws VARIANT_NOT_FOUND */
export async function readVariant(
  scope: AgentsScope,
  agentId: AgentId,
  branchId: BranchId,
  id: string,
): Promise<VariantRecord> {
  return requireVariant(scope, await viewBranch(scope, agentId, branchId), id)
}

/** A new default takes the place of the one before. @throws SCHEMA_VALIDATION_FAILED, VARIANT_ALREADY_EXISTS */
export async function createVariant(
  scope: AgentsScope,
  agentId: AgentId,
  branchId: BranchId,
  input: Pick<Variant, 'name'> & Partial<Variant>,
): Promise<VariantRecord> {
  const value = checked(variantSchema, { isDefault: false, attributeValues: {}, ...input })
  const id = `VARIANT-${scope.context.ids.short()}`
  return editBranch(scope, agentId, branchId, async view => {
    await refuseMisfit(scope, view, value, null)
    return { changes: await writeVariant(scope, view, id, value), result: { ...value, id } }
  })
}

/**
 * Changes the given fields; given attribute values replace all earlier ones.
 * @throws VARIANT_NOT_FOUND, SCHEMA_VALIDATION_FAILED, VARIANT_ALREADY_EXISTS, VARIANTS_REMOVE_DEFAULT_ERROR
 */
export async function updateVariant(
  scope: AgentsScope,
  agentId: AgentId,
  branchId: BranchId,
  id: string,
  change: Partial<Variant>,
): Promise<VariantRecord> {
  return editBranch(scope, agentId, branchId, async view => {
    const before = await requireVariant(scope, view, id)
    const value = checked(variantSchema, { ...before, ...change })
    if (before.isDefault && !value.isDefault) {
      throw removesDefault('Make another variant the default instead: exactly one variant is the default.')
    }
    await refuseMisfit(scope, view, value, id)
    return { changes: await writeVariant(scope, view, id, value), result: { ...value, id } }
  })
}

/** @throws VARIANT_NOT_FOUND, VARIANTS_REMOVE_DEFAULT_ERROR */
export async function deleteVariant(
  scope: AgentsScope,
  agentId: AgentId,
  branchId: BranchId,
  id: string,
): Promise<void> {
  return editBranch(scope, agentId, branchId, async view => {
    if ((await requireVariant(scope, view, id)).isDefault) {
      throw removesDefault('The default variant cannot be deleted; make another variant the default first.')
    }
    return { changes: [removal({ kind: 'variants', id })], result: undefined }
  })
}
