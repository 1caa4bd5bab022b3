import type { AnyConnector } from '../../domain/access/access.ts'
import { isKind } from '../../domain/agent/tree.ts'
import { PlatformError } from '../../errors.ts'
import type { Context } from '../context.ts'

/** The most variants that a refusal names. */
const NAMED = 20

type AgentEnvironment = Pick<AnyConnector, 'agentId' | 'environment'>

/** Returns the variants of the active deployment there. Null without one. */
async function activeVariants({ store }: Context, { agentId, environment }: AgentEnvironment) {
  const [deployment] = await store.agents.deployments.list(agentId, environment, 1)
  if (deployment === undefined) return null
  const found = await store.agents.revisions.resourcesAt(agentId, deployment.revision, {
    kinds: ['variants'],
  })
  return found.filter(isKind('variants'))
}

/** Reports whether the active deployment there has the variant. */
export async function hasVariant(
  context: Context,
  of: AgentEnvironment,
  variantId: string,
): Promise<boolean> {
  const variants = await activeVariants(context, of)
  return variants?.some(({ id }) => id === variantId) ?? false
}

/**
 * Refuses a variant that the content which is active in the connector's environment does not have: a typing error would
 * silently select the default one. While no deployment is active there is nothing to compare with (AC16).
 *
 * @throws SCHEMA_VALIDATION_FAILED with the variants that there are
 */
export async function checkVariant(
  context: Context,
  { agentId, environment, variantId }: AgentEnvironment & Pick<AnyConnector, 'variantId'>,
): Promise<void> {
  if (variantId === null) return
  const variants = await activeVariants(context, { agentId, environment })
  if (variants === null || variants.some(({ id }) => id === variantId)) return
  const names = variants.slice(0, NAMED).map(({ id, value }) => `${id} (${value.name})`)
  const more = variants.length > NAMED ? ` and ${variants.length - NAMED} more` : ''
  const allowed = `a variant of the content deployed in ${environment}, ${names.join(', ')}${more}`
  throw new PlatformError(
    'SCHEMA_VALIDATION_FAILED',
    `The field "variantId" is not valid: expected ${allowed}, or null for the default one.`,
  )
}
