import type { DeploymentType } from '../../../packages/core/src/domain/agent/agent.ts'
import { ENVIRONMENTS, type Environment } from '../../../packages/core/src/domain/environment.ts'
import type { Three } from './conflict-resolver.ts'
import {
  attributeOfField,
  type Content,
  canonical,
  type Fields,
  idOfName,
  type Shelf,
  type ShelfKind,
  type Value,
  valueField,
  withEntry,
  without,
  withoutValues,
} from './content.ts'

/** A deployment as the model keeps it: with the whole content that it runs. */
export interface ModelDeployment {
  readonly id: string
  readonly environment: Environment
  readonly revision: number
  readonly content: Content
  readonly type: DeploymentType
}

/** A branch: whole copies of what it began with and of what it holds. */
export interface ModelBranch {
  readonly name: string
  readonly base: Content
  readonly content: Content
}

/** An agent without anything clever: whole copies everywhere, a new state for each step. */
export interface Model {
  /** Revision n stands at n - 1. */
  readonly revisions: readonly Content[]
  readonly branches: Readonly<Record<string, ModelBranch>>
  /** Oldest first. */
  readonly deployments: readonly ModelDeployment[]
}

/** Result of a step: the new model, or the code of its refusal. */
export type Outcome = { readonly model: Model } | { readonly refused: string }

/** Returns the content of main. */
export function mainOf(model: Model): Content {
  const newest = model.revisions.at(-1)
  if (!newest) throw new Error('A model has at least one revision')
  return newest
}

const refused = (code: string): Outcome => ({ refused: code })

/** Changes a branch's content, unless `edit` names a refusal. */
function editing(model: Model, branchId: string, edit: (content: Content) => Content | string): Outcome {
  if (branchId === 'main') return refused('MAIN_BRANCH_READ_ONLY')
  const branch = model.branches[branchId]
  if (!branch) return refused('BRANCH_NOT_FOUND')
  const content = edit(branch.content)
  if (typeof content === 'string') return refused(content)
  return { model: { ...model, branches: withEntry(model.branches, branchId, { ...branch, content }) } }
}

const MISSING = {
  topics: 'TOPIC_NOT_FOUND',
  attributes: 'ATTRIBUTE_NOT_FOUND',
  variants: 'VARIANT_NOT_FOUND',
  test_cases: 'TEST_CASE_NOT_FOUND',
} as const
const TAKEN = {
  topics: 'KNOWLEDGE_BASE_TOPIC_ALREADY_EXISTS',
  attributes: 'ATTRIBUTE_ALREADY_EXISTS',
  variants: 'VARIANT_ALREADY_EXISTS',
  test_cases: 'TEST_CASE_ALREADY_EXISTS',
} as const

/** Why the resource may not be as it would be; null when it may (AG30, AG32). */
function misfit(content: Content, kind: ShelfKind, id: string, fields: Fields): string | null {
  const namesake = idOfName(without(content[kind], id), fields.name)
  if (namesake !== undefined) return TAKEN[kind]
  const attributes = Object.keys(fields).flatMap(field => attributeOfField(field) ?? [])
  return attributes.every(one => one in content.attributes) ? null : 'SCHEMA_VALIDATION_FAILED'
}

const put = (content: Content, kind: ShelfKind, id: string, fields: Fields): Content => ({
  ...content,
  [kind]: withEntry(content[kind], id, fields),
})

export const setBehavior = (model: Model, branchId: string, behavior: string): Outcome =>
  editing(model, branchId, content => ({ ...content, behavior }))

export const setSetting = (model: Model, branchId: string, field: string, value: Value): Outcome =>
  editing(model, branchId, content => ({ ...content, settings: withEntry(content.settings, field, value) }))

/** A resource on a branch. */
export interface Entry {
  readonly branchId: string
  readonly kind: ShelfKind
  readonly id: string
}

/** Adds a resource; `id` is the one that the platform gave it. */
export const add = (
  model: Model,
  { branchId, kind, id }: Entry,
  fields: Fields,
  isDefault = false,
): Outcome =>
  editing(model, branchId, content => {
    const wrong = misfit(content, kind, id, fields)
    if (wrong !== null) return wrong
    return { ...put(content, kind, id, fields), ...(isDefault ? { defaultId: id } : {}) }
  })

/** Changes the given fields of a resource; given values of a variant replace all earlier ones (AG32). */
export const change = (
  model: Model,
  { branchId, kind, id }: Entry,
  fields: Fields,
  options: { readonly isDefault?: boolean; readonly values?: Readonly<Record<string, string>> } = {},
): Outcome =>
  editing(model, branchId, content => {
    const before = content[kind][id]
    if (!before) return MISSING[kind]
    if (options.isDefault === false && content.defaultId === id) return 'VARIANTS_REMOVE_DEFAULT_ERROR'
    const kept = options.values
      ? Object.fromEntries(Object.entries(before).filter(([field]) => attributeOfField(field) === null))
      : before
    const values = Object.entries(options.values ?? {}).map(([one, value]) => [valueField(one), value])
    const after: Fields = { ...kept, ...Object.fromEntries(values), ...fields }
    const wrong = misfit(content, kind, id, after)
    if (wrong !== null) return wrong
    return { ...put(content, kind, id, after), ...(options.isDefault ? { defaultId: id } : {}) }
  })

/** Removes a resource; an attribute takes its values along. */
export const remove = (model: Model, branchId: string, kind: ShelfKind, id: string): Outcome =>
  editing(model, branchId, content => {
    if (!content[kind][id]) return MISSING[kind]
    if (kind === 'variants' && content.defaultId === id) return 'VARIANTS_REMOVE_DEFAULT_ERROR'
    const left: Shelf = without(content[kind], id)
    const emptied = kind === 'attributes' ? { variants: withoutValues(content.variants, id) } : {}
    return { ...content, [kind]: left, ...emptied }
  })

export function createBranch(model: Model, id: string, name: string): Outcome {
  if (name === 'main') return refused('BRANCH_ALREADY_EXISTS')
  const content = mainOf(model)
  return { model: { ...model, branches: withEntry(model.branches, id, { name, base: content, content }) } }
}

export function deleteBranch(model: Model, id: string): Outcome {
  if (id === 'main') return refused('MAIN_BRANCH_READ_ONLY')
  if (!model.branches[id]) return refused('BRANCH_NOT_FOUND')
  return { model: { ...model, branches: without(model.branches, id) } }
}

/** Returns the three contents that a merge of the branch compares. */
export function sidesOf(model: Model, id: string): Three<Content> {
  const branch = model.branches[id]
  if (!branch) throw new Error(`The model has no branch ${id}`)
  return { base: branch.base, ours: mainOf(model), theirs: branch.content }
}

/** The model after a merge that came to `content` (AG16). */
export function merged(model: Model, id: string, content: Content, deploymentId: string): Model {
  const branch = model.branches[id]
  const revision = model.revisions.length + 1
  return {
    revisions: [...model.revisions, content],
    branches: withEntry(model.branches, id, { name: branch?.name ?? '', base: content, content }),
    deployments: [
      ...model.deployments,
      { id: deploymentId, environment: 'sandbox', revision, content, type: 'merge' },
    ],
  }
}

/** The newest deployment of an environment; undefined when it has none (AG40). */
export const activeIn = (model: Model, environment: Environment): ModelDeployment | undefined =>
  model.deployments.filter(deployment => deployment.environment === environment).at(-1)

const deploy = (model: Model, deployment: ModelDeployment): Outcome => ({
  model: { ...model, deployments: [...model.deployments, deployment] },
})

export function publish(model: Model, id: string, environment: Environment): Outcome {
  const content = mainOf(model)
  const active = activeIn(model, environment)
  if (active && canonical(active.content) === canonical(content))
    return refused('DEPLOYMENTS_ALREADY_PUBLISHED')
  return deploy(model, { id, environment, revision: model.revisions.length, content, type: 'publish' })
}

export function promote(model: Model, id: string, fromId: string, target: Environment | null): Outcome {
  const from = model.deployments.find(deployment => deployment.id === fromId)
  if (!from) return refused('DEPLOYMENT_NOT_FOUND')
  const stage = ENVIRONMENTS.indexOf(from.environment)
  const environment = target ?? ENVIRONMENTS[stage + 1]
  if (!environment || ENVIRONMENTS.indexOf(environment) <= stage) return refused('DEPLOYMENTS_INVALID_TARGET')
  return deploy(model, { ...from, id, environment, type: 'promotion' })
}

export function rollback(model: Model, id: string, toId: string): Outcome {
  const to = model.deployments.find(deployment => deployment.id === toId)
  if (!to) return refused('DEPLOYMENT_NOT_FOUND')
  return deploy(model, { ...to, id, type: 'rollback' })
}
