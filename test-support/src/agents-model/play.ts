import { expect } from 'vitest'
import type { Topic } from '../../../packages/core/src/domain/agent/content.ts'
import type { Environment } from '../../../packages/core/src/domain/environment.ts'
import type { AgentId, BranchId } from '../../../packages/core/src/domain/ids.ts'
import { isPlatformError } from '../../../packages/core/src/errors.ts'
import type { Platform } from '../../../packages/core/src/platform.ts'
import { answer } from './answers.ts'
import { compare, compareRevisions } from './compare.ts'
import { type Conflict, conflictsBody, inOrder, type Resolution } from './conflict-resolver.ts'
import { attributeOfField, type Content, type Fields, type ShelfKind, valueField } from './content.ts'
import { mergeContents } from './merge.ts'
import type { Model, Outcome } from './model.ts'
import * as models from './model.ts'
import { OPENING, type Step } from './steps.ts'
import type { Tally } from './tally.ts'

/** Platforms over one store, as many as there are nodes; closed and opened again on demand. */
export interface World {
  platform(node: number): Platform
  reopen(): Promise<void>
  close(): Promise<void>
}

/** State of a run. */
interface Run {
  readonly world: World
  readonly agentId: AgentId
  readonly tally: Tally
  model: Model
  /** The last merge, to be read when a history fails. */
  lastMerge: { readonly sides: unknown; readonly resolutions: readonly Resolution[] } | null
}

/** Outcome of a call of the platform: its result, or the code and body of its refusal. */
type Answered<T> = { readonly result: T } | { readonly refused: string; readonly body: unknown }

async function answered<T>(call: Promise<T>): Promise<Answered<T>> {
  try {
    return { result: await call }
  } catch (error) {
    if (!isPlatformError(error)) throw error
    return { refused: error.code, body: error.details.body }
  }
}

/** Plays a history on the platforms and on the model, and compares them after every step. */
export async function play(world: World, steps: readonly Step[], tally: Tally): Promise<void> {
  const run = await begin(world, tally)
  for (const step of OPENING) await take(run, step)
  await compare(world.platform(0), run.agentId, run.model)
  for (const [number, step] of steps.entries()) {
    try {
      await take(run, step)
      await compare(world.platform(step.node), run.agentId, run.model)
    } catch (cause) {
      const told = JSON.stringify({ step, lastMerge: run.lastMerge }, null, 1)
      throw new Error(`The platform and the model part at step ${number}: ${cause}\n${told}`, { cause })
    }
  }
  await world.reopen()
  await compareRevisions(world.platform(0), run.agentId, run.model)
  tally.revisions = Math.max(tally.revisions, run.model.revisions.length)
}

async function begin(world: World, tally: Tally): Promise<Run> {
  const { access, agents } = world.platform(0)
  const settings = { greeting: 'Hello', languageCode: 'en-GB' }
  const accountId =
    (await access.account('ws-one'))?.id ??
    (await access.createAccount({ accountId: 'ws-one', slug: 'one', name: 'One' })).id
  const { id: agentId } = await agents.create({ accountId, name: 'Front desk', ...settings })
  const [first] = await agents.variants(agentId, 'main')
  const content: Content = {
    behavior: '',
    settings: { ...settings, voiceId: null, modelId: null },
    topics: {},
    attributes: {},
    variants: { [first?.id ?? '']: { name: 'default' } },
    test_cases: {},
    defaultId: first?.id ?? '',
  }
  const model = { revisions: [content], branches: {}, deployments: [] }
  return { world, agentId, tally, model, lastMerge: null }
}

/** Checks that the platform did what the model says, or refused it for the same reason. */
function settle<T>(run: Run, actual: Answered<T>, expected: (result: T | null) => Outcome): void {
  if ('refused' in actual) {
    run.tally.refusals += 1
    expect({ refused: actual.refused }).toEqual(expected(null))
    return
  }
  const outcome = expected(actual.result)
  if ('refused' in outcome) expect('done').toBe(outcome.refused)
  else run.model = outcome.model
}

const at = <T>(list: readonly T[], number: number): T | undefined => list[number % Math.max(1, list.length)]

/** Mostly a branch that is there; now and then main, or one that is not. */
function branchFor(run: Run, { where }: Step): BranchId {
  const own = Object.keys(run.model.branches)
  const id = where === 39 ? 'main' : where === 40 ? 'BRANCH-none' : at(own, where)
  return id ?? 'main'
}

/** Mostly a resource that is there, of those that the branch has. */
function resourceFor(content: Content, kind: ShelfKind, { which }: Step): string {
  return which === 40 ? 'none' : (at(Object.keys(content[kind]), which) ?? 'none')
}

function take(run: Run, step: Step): Promise<void> {
  if (Object.keys(run.model.branches).length === 0) return createBranch(run, step)
  switch (step.verb) {
    case 'branch':
      return createBranch(run, step)
    case 'drop branch':
      return dropBranch(run, step)
    case 'merge':
      return merge(run, step)
    case 'publish':
      return step.flag ? publishTwice(run, step) : deploy(run, step)
    case 'promote':
    case 'roll back':
      return deploy(run, step)
    case 'reopen':
      return run.world.reopen()
    default:
      return editTwice(run, step)
  }
}

/** The edit and, when it has one, its twin on the next branch. */
async function editTwice(run: Run, step: Step): Promise<void> {
  await edit(run, step)
  if (step.twin !== null) await edit(run, { ...step, where: step.where + 1, text: step.twin })
}

/** Few enough that they meet. */
const BRANCHES = 2

async function createBranch(run: Run, { node, text }: Step): Promise<void> {
  if (Object.keys(run.model.branches).length >= BRANCHES) return
  const created = await answered(
    run.world.platform(node).agents.createBranch(run.agentId, { branchName: text }),
  )
  settle(run, created, branch => models.createBranch(run.model, branch?.id ?? '', text))
}

async function dropBranch(run: Run, step: Step): Promise<void> {
  const id = branchFor(run, step)
  const dropped = await answered(run.world.platform(step.node).agents.deleteBranch(run.agentId, id))
  settle(run, dropped, () => models.deleteBranch(run.model, id))
}

async function edit(run: Run, step: Step): Promise<void> {
  const branchId = branchFor(run, step)
  const content = run.model.branches[branchId]?.content ?? models.mainOf(run.model)
  const { agents } = run.world.platform(step.node)
  const { text } = step
  switch (step.verb) {
    case 'behavior': {
      const done = await answered(agents.updateBehavior(run.agentId, branchId, text))
      return settle(run, done, () => models.setBehavior(run.model, branchId, text))
    }
    case 'setting':
      return setSetting(run, step, branchId)
    case 'add':
      return add(run, step, branchId, content)
    case 'remove':
      return remove(run, step, branchId, content)
    case 'rename':
    case 'edit':
      return change(run, step, branchId, content)
    default:
      return changeVariant(run, step, branchId, content)
  }
}

async function setSetting(run: Run, { node, text, flag }: Step, branchId: BranchId): Promise<void> {
  const { agents } = run.world.platform(node)
  const field = flag ? 'greeting' : 'voiceId'
  const done = await answered(agents.updateResponseSettings(run.agentId, branchId, { [field]: text }))
  settle(run, done, () => models.setSetting(run.model, branchId, field, text))
}

const TOPIC = { actions: '', exampleQueries: [], isActive: true } as const

async function add(run: Run, step: Step, branchId: BranchId, content: Content): Promise<void> {
  const { agents } = run.world.platform(step.node)
  const { agentId } = run
  const { text: name, kind, flag } = step
  const attributeId = resourceFor(content, 'attributes', step)
  switch (kind) {
    case 'topics': {
      const input = { name, content: `${step.which % 3}` }
      const topic = await answered(agents.createTopic(agentId, branchId, input))
      return settle(run, topic, made =>
        models.add(run.model, { branchId, kind, id: made?.id ?? '' }, { ...input, ...TOPIC }),
      )
    }
    case 'attributes': {
      const attribute = await answered(agents.createAttribute(agentId, branchId, { name }))
      return settle(run, attribute, made =>
        models.add(run.model, { branchId, kind, id: made?.id ?? '' }, { name }),
      )
    }
    case 'variants': {
      const isDefault = step.which % 4 === 0
      const attributeValues = flag ? { [attributeId]: name } : {}
      const fields: Fields = flag ? { name, [valueField(attributeId)]: name } : { name }
      const variant = await answered(
        agents.createVariant(agentId, branchId, { name, isDefault, attributeValues }),
      )
      return settle(run, variant, made =>
        models.add(run.model, { branchId, kind, id: made?.id ?? '' }, fields, isDefault),
      )
    }
    case 'test_cases': {
      // Switched off: whether runs are started is not what is compared.
      const input = { name, turns: [{ text: name, expectations: { contains: [name] } }], isActive: false }
      const variantId = flag ? content.defaultId : null
      const testCase = await answered(agents.testCases.create(agentId, branchId, { ...input, variantId }))
      const named: Fields = variantId === null ? {} : { variantId }
      return settle(run, testCase, made =>
        models.add(
          run.model,
          { branchId, kind, id: made?.id ?? '' },
          { ...input, functionResults: {}, ...named },
        ),
      )
    }
  }
}

async function remove(run: Run, step: Step, branchId: BranchId, content: Content): Promise<void> {
  const { agents } = run.world.platform(step.node)
  const id = resourceFor(content, step.kind, step)
  const calls = {
    topics: agents.deleteTopic,
    attributes: agents.deleteAttribute,
    variants: agents.deleteVariant,
    test_cases: agents.testCases.delete,
  }
  const done = await answered(calls[step.kind](run.agentId, branchId, id))
  settle(run, done, () => models.remove(run.model, branchId, step.kind, id))
}

async function change(run: Run, step: Step, branchId: BranchId, content: Content): Promise<void> {
  const { agents } = run.world.platform(step.node)
  const kind = step.verb === 'edit' ? 'topics' : step.kind
  const id = resourceFor(content, kind, step)
  if (step.verb === 'edit') {
    const fields = topicFields(step)
    const done = await answered(agents.updateTopic(run.agentId, branchId, id, fields))
    return settle(run, done, () => models.change(run.model, { branchId, kind, id }, { ...fields }))
  }
  const name = step.text
  const calls = {
    topics: agents.updateTopic,
    attributes: agents.updateAttribute,
    variants: agents.updateVariant,
    test_cases: agents.testCases.update,
  }
  const done = await answered<unknown>(calls[kind](run.agentId, branchId, id, { name }))
  settle(run, done, () => models.change(run.model, { branchId, kind, id }, { name }))
}

const topicFields = ({ which, text, flag }: Step): Partial<Topic> =>
  [{ content: text }, { actions: text }, { isActive: flag }, { exampleQueries: [text] }][which % 4] ?? {}

/** Gives the variant values, or makes it the default, or tries to make it no default any more. */
async function changeVariant(run: Run, step: Step, branchId: BranchId, content: Content): Promise<void> {
  const { agents } = run.world.platform(step.node)
  const id = resourceFor(content, 'variants', step)
  if (step.verb === 'default') {
    const isDefault = step.where % 8 !== 0
    const done = await answered(agents.updateVariant(run.agentId, branchId, id, { isDefault }))
    return settle(run, done, () =>
      models.change(run.model, { branchId, kind: 'variants', id }, {}, { isDefault }),
    )
  }
  const values = newValues(content, id, step)
  const done = await answered(agents.updateVariant(run.agentId, branchId, id, { attributeValues: values }))
  settle(run, done, () => models.change(run.model, { branchId, kind: 'variants', id }, {}, { values }))
}

/** The variant's values with one of them set, or without it. */
function newValues(content: Content, id: string, step: Step): Readonly<Record<string, string>> {
  const before = Object.entries(content.variants[id] ?? {}).flatMap(([field, value]): [string, string][] => {
    const attributeId = attributeOfField(field)
    return attributeId === null ? [] : [[attributeId, String(value)]]
  })
  const chosen = at(Object.keys(content.attributes), step.where)
  if (chosen === undefined) return step.flag ? {} : { none: step.text }
  const others = before.filter(([attributeId]) => attributeId !== chosen)
  return Object.fromEntries(step.flag || step.which % 3 > 0 ? [...others, [chosen, step.text]] : others)
}

/** More rounds than conflicts that come up one after the other. */
const ROUNDS = 8

/** Often a branch that main has left behind: only there can be conflicts. */
function branchToMerge(run: Run, step: Step): BranchId {
  const behind = Object.entries(run.model.branches).filter(
    ([, { base }]) => base !== models.mainOf(run.model),
  )
  const [id] = at(behind, step.where) ?? []
  return id !== undefined && step.which % 5 > 0 ? id : branchFor(run, step)
}

async function merge(run: Run, step: Step, branchId = branchToMerge(run, step)): Promise<void> {
  const { agents } = run.world.platform(step.node)
  if (!run.model.branches[branchId]) {
    const actual = await answered(agents.merge(run.agentId, branchId))
    return settle(run, actual, () => models.deleteBranch(run.model, branchId))
  }
  let given: readonly Resolution[] = []
  let tried: readonly Resolution[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const sides = models.sidesOf(run.model, branchId)
    run.lastMerge = { sides, resolutions: tried }
    const expected = mergeContents(sides, tried)
    const actual = await answered(agents.merge(run.agentId, branchId, { conflictResolutions: tried }))
    const shown = { resolutions: tried, ...outcomeOf(actual) }
    if (expected.status === 'merged') {
      expect(shown).toMatchObject({ status: 'merged' })
      run.tally.merged(tried)
      const id = 'result' in actual ? actual.result.deployment.id : ''
      run.model = models.merged(run.model, branchId, expected.content, id)
      return
    }
    expect(shown).toEqual({
      resolutions: tried,
      ...expected,
      ...(expected.status === 'conflicts' ? { conflicts: inOrder(expected.conflicts) } : {}),
    })
    // The next round begins again from what was right, so that most merges come to an end.
    if (expected.status === 'invalid') {
      run.tally.invalid += 1
      if (round !== 1 || step.mischief === 'none') return
      tried = given
      continue
    }
    run.tally.conflicts(expected.conflicts)
    const honest = answer(expected.conflicts, tried, step, false)
    tried = answer(expected.conflicts, tried, step, round === 0)
    given = round === 0 ? honest : tried
  }
}

/** Returns the platform's answer to a merge in the model's words. */
function outcomeOf(actual: Answered<unknown>): {
  readonly status: string
  readonly conflicts?: readonly Conflict[]
} {
  if ('result' in actual) return { status: 'merged' }
  if (actual.refused === 'MERGE_INVALID_RESOLUTION') return { status: 'invalid' }
  if (actual.refused !== 'MERGE_CONFLICTS') return { status: actual.refused }
  return { status: 'conflicts', conflicts: inOrder(conflictsBody.parse(actual.body).conflicts) }
}

/** With a merge of nothing in between: a new revision of the same content, which is published already. */
async function publishTwice(run: Run, step: Step): Promise<void> {
  const branchId = branchFor(run, step)
  for (let time = 0; time < 2; time++) {
    await merge(run, step, branchId)
    await deploy(run, step)
  }
}

async function deploy(run: Run, step: Step): Promise<void> {
  const { agents } = run.world.platform(step.node)
  const { agentId } = run
  const known = at(run.model.deployments, step.where)?.id
  const id = step.which === 40 ? 'DEPLOYMENT-none' : (known ?? 'DEPLOYMENT-none')
  if (step.verb === 'publish') {
    const environment: Environment = step.environment ?? 'sandbox'
    const done = await answered(agents.publish(agentId, { environment }))
    return settle(run, done, made => models.publish(run.model, made?.id ?? '', environment))
  }
  if (step.verb === 'promote') {
    const { environment } = step
    const target = environment === null ? {} : { targetEnvironment: environment }
    const done = await answered(agents.promote(agentId, id, target))
    if ('result' in done) run.tally.promotions += 1
    return settle(run, done, made => models.promote(run.model, made?.id ?? '', id, environment))
  }
  const done = await answered(agents.rollback(agentId, id))
  if ('result' in done) run.tally.rollbacks += 1
  settle(run, done, made => models.rollback(run.model, made?.id ?? '', id))
}
