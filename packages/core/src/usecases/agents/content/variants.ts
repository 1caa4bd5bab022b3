import { CONTENT_LIMITS, type Variant, variantSchema } from '../../../domain/agent/content.ts'
import { isKind, type ResourceOf } from '../../../domain/agent/tree.ts'
import { PlatformError } from '../../../errors.ts'
import { checked } from '../../shared/checked.ts'
import { type BranchView, resourcesIn } from '../branches/branch-view.ts'
import type { AgentsDeps } from '../deps.ts'
import { namedResources } from './named-resources.ts'

const removesDefault = (message: string) => new PlatformError('VARIANTS_REMOVE_DEFAULT_ERROR', message)

async function refuseUnknownAttributes(deps: AgentsDeps, view: BranchView, value: Variant): Promise<void> {
  const wanted = Object.keys(value.attributeValues)
  if (wanted.length === 0) return
  const known = new Set((await resourcesIn(deps, view, 'attributes')).map(attribute => attribute.id))
  const unknown = wanted.find(id => !known.has(id))
  if (unknown === undefined) return
  const message = `attributeValues: there is no attribute ${unknown} on this branch.`
  throw new PlatformError('SCHEMA_VALIDATION_FAILED', message)
}

/** Returns the other default variants, changed so that they are no default. */
async function otherDefaults(
  deps: AgentsDeps,
  view: BranchView,
  id: string,
): Promise<readonly ResourceOf<'variants'>[]> {
  const variants = await resourcesIn(deps, view, 'variants')
  return variants
    .filter(other => other.id !== id && other.value.isDefault)
    .map(other => ({ ...other, value: { ...other.value, isDefault: false } }))
}

/**
 * The flavours of an agent. Exactly one is the default: a new default replaces the old one, which can neither be
 * removed nor stop being it (AG32). Given attribute values replace all earlier ones (AG32).
 */
export const variants = namedResources<ResourceOf<'variants'>>({
  kind: 'variants',
  noun: 'variant',
  idPrefix: 'VARIANT',
  defaults: { isDefault: false, attributeValues: {} },
  most: CONTENT_LIMITS.variants,
  notFound: 'VARIANT_NOT_FOUND',
  nameTaken: 'VARIANT_ALREADY_EXISTS',
  is: isKind('variants'),
  make: (id, value) => ({ kind: 'variants', id, value: checked(variantSchema, value) }),
  async onWrite(deps, view, { id, value }, before) {
    if (before?.value.isDefault && !value.isDefault) {
      throw removesDefault('Make another variant the default instead: exactly one variant is the default.')
    }
    await refuseUnknownAttributes(deps, view, value)
    return value.isDefault ? otherDefaults(deps, view, id) : []
  },
  async onDelete(_deps, _view, { value }) {
    if (!value.isDefault) return []
    throw removesDefault('The default variant cannot be deleted; make another variant the default first.')
  },
})
