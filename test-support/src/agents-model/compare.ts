import { expect } from 'vitest'
import type { ContentTree } from '../../../packages/core/src/domain/agent/content.ts'
import type { TestCase } from '../../../packages/core/src/domain/agent/test-case.ts'
import { ENVIRONMENTS } from '../../../packages/core/src/domain/environment.ts'
import type { AgentId, BranchId } from '../../../packages/core/src/domain/ids.ts'
import type { Platform } from '../../../packages/core/src/platform.ts'
import { type Content, canonical, type Fields, type Shelf, valueField } from './content.ts'
import { activeIn, type Model, mainOf } from './model.ts'

const shelf = <T extends { readonly id: string }>(list: readonly T[], fields: (one: T) => Fields): Shelf =>
  Object.fromEntries(list.map(one => [one.id, fields(one)]))

const variantFields = (name: string, values: Readonly<Record<string, string>>): Fields => ({
  name,
  ...Object.fromEntries(Object.entries(values).map(([id, value]) => [valueField(id), value])),
})

const testCaseFields = ({ variantId, ...value }: TestCase): Fields =>
  variantId === null ? value : { ...value, variantId }

/**
 * Returns the platform's content of a branch. No call returns a branch's response settings: `settings` is used as
 * given.
 */
async function contentOf(
  { agents }: Platform,
  agentId: AgentId,
  branchId: BranchId,
  settings: Fields,
): Promise<Content> {
  const [behavior, topics, attributes, variants, testCases] = [
    await agents.behavior(agentId, branchId),
    await agents.topics(agentId, branchId),
    await agents.attributes(agentId, branchId),
    await agents.variants(agentId, branchId),
    await agents.testCases.list(agentId, branchId),
  ]
  const defaults = variants.filter(({ isDefault }) => isDefault)
  expect(defaults).toHaveLength(1)
  return {
    behavior,
    settings,
    topics: shelf(topics, ({ id: _, ...fields }) => fields),
    attributes: shelf(attributes, ({ id: _, ...fields }) => fields),
    variants: shelf(variants, ({ name, attributeValues }) => variantFields(name, attributeValues)),
    test_cases: shelf(testCases, ({ id: _, ...fields }) => testCaseFields(fields)),
    defaultId: defaults[0]?.id ?? '',
  }
}

/** The content of a revision's tree. */
export function contentOfTree(tree: ContentTree): Content {
  const all = [...tree.values()]
  const variants = all.flatMap(one => (one.kind === 'variants' ? [one] : []))
  const behaviors = all.flatMap(one => (one.kind === 'behavior' ? [one.value.behavior] : []))
  const settings = all.flatMap(one => (one.kind === 'response_settings' ? [{ ...one.value }] : []))
  return {
    behavior: behaviors[0] ?? '',
    settings: settings[0] ?? {},
    topics: shelf(
      all.flatMap(one => (one.kind === 'topics' ? [one] : [])),
      ({ value }) => ({ ...value }),
    ),
    attributes: shelf(
      all.flatMap(one => (one.kind === 'attributes' ? [one] : [])),
      ({ value }) => ({ ...value }),
    ),
    variants: shelf(variants, ({ value }) => variantFields(value.name, value.attributeValues)),
    test_cases: shelf(
      all.flatMap(one => (one.kind === 'test_cases' ? [one] : [])),
      ({ value }) => testCaseFields(value),
    ),
    defaultId: variants.find(({ value }) => value.isDefault)?.id ?? '',
  }
}

/** Equal, and where not, shown as data rather than as text. */
function expectContent(actual: Content, expected: Content): void {
  if (canonical(actual) !== canonical(expected)) expect(actual).toEqual(expected)
}

/**
 * Compares everything that can be read: branches with their contents, main, and the deployments of each environment.
 */
export async function compare(platform: Platform, agentId: AgentId, model: Model): Promise<void> {
  const branches = (await platform.agents.branches(agentId)).map(({ id, name }) => ({ id, name }))
  const expected = Object.entries(model.branches).map(([id, { name }]) => ({ id, name }))
  expect(branches).toEqual([{ id: 'main', name: 'main' }, ...expected])
  const main = mainOf(model)
  for (const [id, { content }] of Object.entries(model.branches)) {
    expectContent(await contentOf(platform, agentId, id, content.settings), content)
  }
  expectContent(await contentOf(platform, agentId, 'main', main.settings), main)
  const newest = await platform.agents.content(agentId, model.revisions.length)
  expectContent(contentOfTree(newest.tree), main)
  await compareDeployments(platform, agentId, model)
}

async function compareDeployments({ agents }: Platform, agentId: AgentId, model: Model): Promise<void> {
  const active = await agents.activeDeployments(agentId)
  const pairs: (readonly [version: string, content: string])[] = []
  for (const environment of ENVIRONMENTS) {
    const listed = await agents.deployments(agentId, environment, 1_000)
    const wanted = model.deployments.filter(one => one.environment === environment).reverse()
    expect(listed.map(({ id, revision, type }) => ({ id, revision, type }))).toEqual(
      wanted.map(({ id, revision, type }) => ({ id, revision, type })),
    )
    expect(active[environment]?.id).toBe(activeIn(model, environment)?.id)
    for (const [at, { content }] of wanted.entries()) {
      pairs.push([listed[at]?.version ?? '', canonical(content)])
    }
  }
  // One version for one content, and one content for one version, wherever it is deployed (AG8).
  const [versions, contents] = [
    new Map(pairs),
    new Map(pairs.map(([version, content]) => [content, version])),
  ]
  expect(
    pairs.filter(
      ([version, content]) => versions.get(version) !== content || contents.get(content) !== version,
    ),
  ).toEqual([])
}

/** Compares the content of every revision that main ever had. */
export async function compareRevisions(platform: Platform, agentId: AgentId, model: Model): Promise<void> {
  for (const [at, content] of model.revisions.entries()) {
    expectContent(contentOfTree((await platform.agents.content(agentId, at + 1)).tree), content)
  }
}
