import { z } from 'zod'
import { attributeSchema, type Variant, variantSchema } from '../../domain/agent/content.ts'
import { defineRoute, type Route } from '../route.ts'
import { BRANCH_PATH, ofBranch } from './agents-api.ts'

const ATTRIBUTES = `${BRANCH_PATH}/attributes`
const VARIANTS = `${BRANCH_PATH}/variants`

const ofAttribute = {
  ...ofBranch,
  path: `${ATTRIBUTES}/:attributeId`,
  params: ofBranch.params.extend({ attributeId: z.string() }),
}
const ofVariant = {
  ...ofBranch,
  path: `${VARIANTS}/:variantId`,
  params: ofBranch.params.extend({ variantId: z.string() }),
}

const variantChange = z.object({
  name: variantSchema.shape.name.exactOptional(),
  isDefault: variantSchema.shape.isDefault.exactOptional(),
  attributeValues: z.object({ values: variantSchema.shape.attributeValues.default({}) }).exactOptional(),
})
const newVariant = variantChange.extend({ name: variantSchema.shape.name })

const variantOnWire = ({ id, name, isDefault, attributeValues }: Variant & { readonly id: string }) => ({
  id,
  name,
  isDefault,
  attributeValues: { values: attributeValues },
})

function variantFromWire<Body extends z.output<typeof variantChange>>({ attributeValues, ...rest }: Body) {
  return { ...rest, ...(attributeValues === undefined ? {} : { attributeValues: attributeValues.values }) }
}

const attributeRoutes: readonly Route[] = [
  defineRoute({
    ...ofBranch,
    method: 'GET',
    path: ATTRIBUTES,
    summary: "List a branch's variant attributes, by name",
    body: null,
    async handle({ platform, params }) {
      return { status: 200, json: await platform.agents.attributes(params.agentId, params.branchId) }
    },
  }),
  defineRoute({
    ...ofBranch,
    method: 'POST',
    path: ATTRIBUTES,
    summary: 'Add a variant attribute to a branch',
    body: attributeSchema,
    async handle({ platform, params, body }) {
      return {
        status: 201,
        json: await platform.agents.createAttribute(params.agentId, params.branchId, body),
      }
    },
  }),
  defineRoute({
    ...ofAttribute,
    method: 'GET',
    summary: 'Read a variant attribute',
    body: null,
    async handle({ platform, params: { agentId, branchId, attributeId } }) {
      return { status: 200, json: await platform.agents.attribute(agentId, branchId, attributeId) }
    },
  }),
  defineRoute({
    ...ofAttribute,
    method: 'PATCH',
    summary: 'Rename a variant attribute',
    body: z.object({ name: attributeSchema.shape.name.exactOptional() }),
    async handle({ platform, params: { agentId, branchId, attributeId }, body }) {
      const attribute = await platform.agents.updateAttribute(agentId, branchId, attributeId, body)
      return { status: 200, json: attribute }
    },
  }),
  defineRoute({
    ...ofAttribute,
    method: 'DELETE',
    summary: 'Remove a variant attribute with its values',
    body: null,
    async handle({ platform, params: { agentId, branchId, attributeId } }) {
      await platform.agents.deleteAttribute(agentId, branchId, attributeId)
      return { status: 204 }
    },
  }),
]

const onlyVariantRoutes: readonly Route[] = [
  defineRoute({
    ...ofBranch,
    method: 'GET',
    path: VARIANTS,
    summary: "List a branch's variants, by name",
    body: null,
    async handle({ platform, params }) {
      const variants = await platform.agents.variants(params.agentId, params.branchId)
      return { status: 200, json: variants.map(variantOnWire) }
    },
  }),
  defineRoute({
    ...ofBranch,
    method: 'POST',
    path: VARIANTS,
    summary: 'Add a variant to a branch',
    body: newVariant,
    async handle({ platform, params, body }) {
      const variant = await platform.agents.createVariant(
        params.agentId,
        params.branchId,
        variantFromWire(body),
      )
      return { status: 201, json: variantOnWire(variant) }
    },
  }),
  defineRoute({
    ...ofVariant,
    method: 'GET',
    summary: 'Read a variant',
    body: null,
    async handle({ platform, params: { agentId, branchId, variantId } }) {
      return { status: 200, json: variantOnWire(await platform.agents.variant(agentId, branchId, variantId)) }
    },
  }),
  defineRoute({
    ...ofVariant,
    method: 'PATCH',
    summary: 'Change the given fields of a variant',
    body: variantChange,
    async handle({ platform, params: { agentId, branchId, variantId }, body }) {
      const variant = await platform.agents.updateVariant(agentId, branchId, variantId, variantFromWire(body))
      return { status: 200, json: variantOnWire(variant) }
    },
  }),
  defineRoute({
    ...ofVariant,
    method: 'DELETE',
    summary: 'Remove a variant that is not the default',
    body: null,
    async handle({ platform, params: { agentId, branchId, variantId } }) {
      await platform.agents.deleteVariant(agentId, branchId, variantId)
      return { status: 204 }
    },
  }),
]

/** Variant attributes and variants of a branch (decisions.md section 3). */
export const variantRoutes: readonly Route[] = [...attributeRoutes, ...onlyVariantRoutes]
