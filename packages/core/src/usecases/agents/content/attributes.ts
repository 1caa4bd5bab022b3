import { attributeSchema, CONTENT_LIMITS } from '../../../domain/agent/content.ts'
import { isKind, type ResourceOf } from '../../../domain/agent/tree.ts'
import { checked } from '../../shared/checked.ts'
import { resourcesIn } from '../branches/branch-view.ts'
import { namedResources } from './named-resources.ts'

/** The attributes that differ between variants. Removing one also removes its values in all variants (AG32). */
export const attributes = namedResources<ResourceOf<'attributes'>>({
  kind: 'attributes',
  noun: 'attribute',
  idPrefix: 'ATTRIBUTE',
  defaults: {},
  most: CONTENT_LIMITS.attributes,
  notFound: 'ATTRIBUTE_NOT_FOUND',
  nameTaken: 'ATTRIBUTE_ALREADY_EXISTS',
  is: isKind('attributes'),
  make: (id, value) => ({ kind: 'attributes', id, value: checked(attributeSchema, value) }),
  async onDelete(deps, view, { id }) {
    const variants = await resourcesIn(deps, view, 'variants')
    return variants
      .filter(({ value }) => Object.hasOwn(value.attributeValues, id))
      .map(variant => {
        const { [id]: _, ...attributeValues } = variant.value.attributeValues
        return { ...variant, value: { ...variant.value, attributeValues } }
      })
  },
})
