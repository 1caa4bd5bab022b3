import { conflictsBody, type Resolution } from '@colloquy/test-support/conflicts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isWrite, treeOf } from '../../src/domain/agent/tree.ts'
import type { AgentId, BranchId } from '../../src/domain/ids.ts'
import { isPlatformError } from '../../src/errors.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform, type Platform } from '../../src/platform.ts'
import { silentLog } from '../../src/ports/log.ts'
import type { Store } from '../../src/ports/store/store.ts'
import { createFakeClock, createScriptedRuntime, createSequentialIds } from '../../src/testing/index.ts'

const RUNS = 16

/** Small enough that most histories reach it. */
const LIMIT = 500

const EDITS = [
  ...(['behavior', 'greeting', 'add topic', 'edit topic', 'rename topic', 'remove topic'] as const),
  ...(['add attribute', 'remove attribute', 'add variant', 'value', 'default'] as const),
  ...(['add test case', 'edit test case'] as const),
]
const OTHERS = ['branch', 'merge', 'merge', 'duplicate', 'publish', 'roll back', 'restart'] as const

interface Step {
  readonly verb: (typeof EDITS)[number] | (typeof OTHERS)[number]
  /** Which node, agent and branch. */
  readonly where: number
  /** Which resource, or name. */
  readonly which: number
  readonly text: string
}

/** A branch outgrows the limit and is merged, the agent is duplicated, and the copy made smaller, but not enough. */
const EACH_CASE: readonly Step[] = [
  ...(['behavior', 'greeting', 'add topic', 'add test case', 'merge', 'duplicate'] as const).map(verb => ({
    ...{ verb, where: 0, which: 0, text: 'x'.repeat(150) },
  })),
  { verb: 'behavior', where: 1, which: 0, text: 'a' },
]

const aStep: fc.Arbitrary<Step> = fc.record({
  verb: fc.constantFrom(...EDITS, ...EDITS, ...OTHERS),
  where: fc.nat(11),
  which: fc.nat(7),
  // Characters of one to four bytes, those that JSON escapes, and half of one.
  text: fc.constantFrom('a', 'north', 'é'.repeat(40), '"\\\n', '\u{1F600}', '\uD800', 'x'.repeat(150)),
})

/** A branch that steps are taken on. */
interface Place {
  readonly agentId: AgentId
  readonly branchId: BranchId
}

const at = <T>(list: readonly T[], place: number): T | undefined => list[place % Math.max(1, list.length)]

const bytesOf = (resources: Iterable<{ readonly value: unknown }>): number =>
  [...resources].reduce((sum, { value }) => sum + Buffer.byteLength(JSON.stringify(value)), 0)

/** Two nodes with the limit, which may be restarted, and one without, over one store. */
function openNodes() {
  const store = createMemoryStore()
  const shared: Store = { ...store, close: async () => {} }
  const clock = createFakeClock()
  const [ids, runtime] = [createSequentialIds(), createScriptedRuntime({}, clock)]
  const node = (limits: object): Platform =>
    createPlatform({ log: silentLog, store: shared, runtime, clock, ids, rateLimits: null, limits })
  const limited = () => [node({ contentBytes: LIMIT }), node({ contentBytes: LIMIT })]
  return { store, limited, unlimited: node({}) }
}

/** Changes the branch as the step says, if there is something to change. */
async function edit({ agents }: Platform, { agentId, branchId }: Place, step: Step): Promise<unknown> {
  const { verb, which, text } = step
  const name = `${which}`
  const [topic, attribute, variant, testCase] = [
    at(await agents.topics(agentId, branchId), which),
    at(await agents.attributes(agentId, branchId), which),
    at(await agents.variants(agentId, branchId), which),
    at(await agents.testCases.list(agentId, branchId), which),
  ]
  const values = attribute === undefined ? {} : { [attribute.id]: text }
  const turns = [{ text, expectations: {} }]
  switch (verb) {
    case 'behavior':
      return agents.updateBehavior(agentId, branchId, text)
    case 'greeting':
      return agents.updateResponseSettings(agentId, branchId, { greeting: text })
    case 'add topic':
      return agents.createTopic(agentId, branchId, { name, content: text })
    case 'edit topic':
      return (
        topic && agents.updateTopic(agentId, branchId, topic.id, { content: text, exampleQueries: [text] })
      )
    case 'rename topic':
      return topic && agents.updateTopic(agentId, branchId, topic.id, { name: text.replaceAll(/\s/g, '') })
    case 'remove topic':
      return topic && agents.deleteTopic(agentId, branchId, topic.id)
    case 'add attribute':
      return agents.createAttribute(agentId, branchId, { name })
    case 'remove attribute':
      return attribute && agents.deleteAttribute(agentId, branchId, attribute.id)
    case 'add variant':
      return agents.createVariant(agentId, branchId, { name, isDefault: text > 'n' })
    case 'value':
      return variant && agents.updateVariant(agentId, branchId, variant.id, { attributeValues: values })
    case 'default':
      return variant && agents.updateVariant(agentId, branchId, variant.id, { isDefault: true })
    case 'add test case':
      return agents.testCases.create(agentId, branchId, { name, turns })
    case 'edit test case':
      return testCase && agents.testCases.update(agentId, branchId, testCase.id, { turns })
    default:
      return mergeAll(agents, { agentId, branchId }, which % 2 === 0 ? 'ours' : 'theirs')
  }
}

/** Merges the branch, with every conflict settled for the side. */
async function mergeAll(
  agents: Platform['agents'],
  { agentId, branchId }: Place,
  strategy: 'ours' | 'theirs',
): Promise<unknown> {
  const resolutions: Resolution[] = []
  for (;;) {
    try {
      return await agents.merge(agentId, branchId, { conflictResolutions: resolutions })
    } catch (error) {
      if (!isPlatformError(error) || error.code !== 'MERGE_CONFLICTS') throw error
      const { conflicts } = conflictsBody.parse(error.details.body)
      resolutions.push(...conflicts.map(({ path }) => ({ path, strategy })))
    }
  }
}

/** The number of bytes for which a call was refused; null when it was done, or refused for something else. */
async function excessOf(call: Promise<unknown>): Promise<number | null> {
  try {
    await call
    return null
  } catch (error) {
    if (!isPlatformError(error)) throw error
    const [, bytes] = error.message.match(/would be (\d+) bytes of JSON/) ?? []
    return bytes === undefined ? null : Number(bytes)
  }
}

test('AG72 every revision keeps the bytes of its content, and exactly what would exceed the limit is refused', async () => {
  const tally = { edits: 0, merges: 0, duplicates: 0, smaller: 0 }
  const history: fc.Arbitrary<readonly Step[]> = fc.array(aStep, {
    minLength: 40,
    maxLength: 90,
    size: 'max',
  })
  await fc.assert(
    fc.asyncProperty(history, async steps => {
      const { store, limited, unlimited } = openNodes()
      const count = async ({ agentId, branchId }: Place): Promise<number> => {
        const branch = await store.agents.branches.find(agentId, branchId)
        const number =
          branch?.id === 'main'
            ? (await store.agents.revisions.main(agentId))?.head.number
            : branch?.baseRevision
        const tree = new Map(treeOf(await store.agents.revisions.resourcesAt(agentId, number ?? 0)))
        for (const change of await store.agents.branches.changes(agentId, branchId)) {
          if (isWrite(change)) tree.set(`${change.kind}/${change.id}`, change)
          else tree.delete(`${change.kind}/${change.id}`)
        }
        return bytesOf(tree.values())
      }
      let nodes = limited()
      const accountId = 'ws-one'
      await unlimited.access.createAccount({ accountId, slug: 'one', name: 'One' })
      const { id } = await unlimited.agents.create({ accountId, name: 'First', greeting: 'Hello' })
      const agentIds = [id]
      const places: Place[] = []
      const branch = async (agentId: AgentId) =>
        places.push({
          agentId,
          branchId: (await unlimited.agents.createBranch(agentId, { branchName: 'work' })).id,
        })
      await branch(id)
      for (const step of steps) {
        const { verb, where } = step
        const node = at(nodes, where) ?? unlimited
        const place = at(places, where) ?? { agentId: id, branchId: 'main' }
        const { agentId } = place
        if (verb === 'branch') await branch(agentId)
        else if (verb === 'publish') await excessOf(node.agents.publish(agentId))
        else if (verb === 'roll back') {
          const [deployment] = (await node.agents.deployments(agentId, 'sandbox')).slice(step.which)
          if (deployment) await node.agents.rollback(agentId, deployment.id)
        } else if (verb === 'restart') nodes = limited()
        else if (verb === 'duplicate') {
          const whole = await count({ agentId, branchId: 'main' })
          const excess = await excessOf(node.agents.duplicate(agentId, { newAgentName: 'Limited' }))
          expect(excess).toBe(whole > LIMIT ? whole : null)
          if (excess !== null) tally.duplicates += 1
          const { id: copy } = await unlimited.agents.duplicate(agentId, { newAgentName: 'Copy' })
          agentIds.push(copy)
          await branch(copy)
        } else {
          const isMerge = verb === 'merge'
          const target = isMerge ? { agentId, branchId: 'main' } : place
          const before = await count(target)
          const excess = await excessOf(edit(node, place, step))
          const after = await count(target)
          if (excess === null) {
            expect(after <= LIMIT || after <= before).toBe(true)
            if (after > LIMIT && after < before) tally.smaller += 1
          } else {
            expect(after).toBe(before)
            await edit(unlimited, place, step)
            expect(await count(target)).toBe(excess)
            expect(excess).toBeGreaterThan(Math.max(before, LIMIT))
            tally[isMerge ? 'merges' : 'edits'] += 1
          }
        }
      }
      for (const agentId of agentIds) {
        const { number = 0 } = (await store.agents.revisions.main(agentId))?.head ?? {}
        for (let at = 1; at <= number; at++) {
          const revision = await store.agents.revisions.find(agentId, at)
          expect(revision?.contentBytes).toBe(bytesOf(await store.agents.revisions.resourcesAt(agentId, at)))
        }
      }
    }),
    { numRuns: RUNS, endOnFailure: true, examples: [[EACH_CASE]] },
  )
  expect(Object.entries(tally).filter(([, times]) => times === 0)).toEqual([])
})
