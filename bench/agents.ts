import { join } from 'node:path'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { type AgentId, type BranchId, createPlatform, type DeploymentId, type Platform } from '@colloquy/core'
import type { ResourceChange } from '@colloquy/core/domain'
import type { AgentRuntime } from '@colloquy/core/runtime'
import type { Store } from '@colloquy/core/store'
import { compare, median, printComparisons, printGoal, timed } from './compare.ts'
import { withFolder } from './with-folder.ts'

const ROUNDS = 60
const READS = 15
const RATIO_GOAL = 1.5
const FIRST_READ_GOAL = 30

/** No visitor talks to these agents. */
const silent: AgentRuntime = { async *respond() {} }

/** An agent with a number of topics, two of its sandbox deployments, and a branch that is edited now and then. */
interface Subject {
  readonly filename: string
  readonly platform: Platform
  readonly agentId: AgentId
  readonly topicIds: readonly string[]
  readonly variantId: string
  readonly attributeId: string
  readonly deploymentIds: readonly [DeploymentId, DeploymentId]
  readonly branchId: BranchId
}

const openPlatform = (store: Store): Platform => createPlatform({ store, runtime: silent, rateLimits: null })

/** Ids and names are in different orders, as they are in earnest. */
const aTopic = (number: number): ResourceChange => ({
  kind: 'topics',
  id: `TOPIC-${(number * 7_919) % 10_007}`,
  value: {
    name: `Topic ${number}`,
    content: `What there is to say about number ${number}, in words that a visitor understands. `.repeat(4),
    actions: '',
    exampleQueries: [`Tell me about number ${number}`, `What is ${number}?`, `Do you have ${number}?`],
    isActive: true,
  },
})

async function createSubject(filename: string, topics: number): Promise<Subject> {
  const store = createSqliteStore({ filename })
  const platform = openPlatform(store)
  const { agents } = platform
  const account = await platform.access.createAccount({ slug: 'bench', name: 'Bench' })
  const { id: agentId } = await agents.create({ accountId: account.id, name: 'Bench', greeting: 'Hello' })
  const filling = await agents.createBranch(agentId, { branchName: 'filling' })
  const changes = Array.from({ length: topics }, (_, number) => aTopic(number))
  // One write of the port for all topics: one edit each would take minutes and is not what is measured here.
  await store.agents.branches.edit(filling.version, { ...filling, version: filling.version + 1 }, changes)
  const attribute = await agents.createAttribute(agentId, filling.id, { name: 'hotel' })
  const variant = await agents.createVariant(agentId, filling.id, { name: 'other' })
  const first = await agents.merge(agentId, filling.id)
  const second = await agents.merge(agentId, filling.id)
  return {
    filename,
    platform,
    agentId,
    topicIds: changes.map(({ id }) => id),
    variantId: variant.id,
    attributeId: attribute.id,
    deploymentIds: [first.deployment.id, second.deployment.id],
    branchId: (await agents.createBranch(agentId, { branchName: 'edits' })).id,
  }
}

/** A topic that is another one in each round, spread over all of them. */
const topicOf = ({ topicIds }: Subject, round: number): string =>
  topicIds[(round * 7_919) % topicIds.length] ?? ''

/** A branch with ten changes: the contents of seven topics, the name of one, a variant's value, and the behavior. */
async function tenChanges(subject: Subject, round: number): Promise<BranchId> {
  const { platform, agentId, variantId, attributeId } = subject
  const { id } = await platform.agents.createBranch(agentId, { branchName: `round ${round}` })
  for (let at = 0; at < 7; at++) {
    await platform.agents.updateTopic(agentId, id, topicOf(subject, round * 7 + at), {
      content: `${round} ${at}`,
    })
  }
  const attributeValues = { [attributeId]: `${round}` }
  await platform.agents.updateVariant(agentId, id, variantId, { attributeValues })
  await platform.agents.updateBehavior(agentId, id, `In round ${round}`)
  await platform.agents.updateTopic(agentId, id, topicOf(subject, round * 7 + 7), {
    name: `Of round ${round}`,
  })
  return id
}

const mergeTen = async (subject: Subject, round: number): Promise<number> => {
  const branchId = await tenChanges(subject, round)
  return timed(() => subject.platform.agents.merge(subject.agentId, branchId))
}

const edit = (subject: Subject, round: number): Promise<number> => {
  const { platform, agentId, branchId } = subject
  return timed(() =>
    platform.agents.updateTopic(agentId, branchId, topicOf(subject, round), { content: `edit ${round}` }),
  )
}

const promote = ({ platform, agentId, deploymentIds }: Subject): Promise<number> =>
  timed(() => platform.agents.promote(agentId, deploymentIds[0]))

const rollback = ({ platform, agentId, deploymentIds }: Subject, round: number): Promise<number> =>
  timed(() => platform.agents.rollback(agentId, deploymentIds[round % 2 === 0 ? 0 : 1]))

/**
 * Reads main's newest revision from a store that has just been opened: what a cache, an order and a tree are added to.
 */
async function readStore({ filename, agentId }: Subject): Promise<number> {
  const store = createSqliteStore({ filename })
  const head = await store.agents.revisions.head(agentId)
  const time = await timed(() => store.agents.revisions.resourcesAt(agentId, head?.number ?? 0))
  await store.close()
  return time
}

/**
 * Reads main's newest revision in a platform that has just been opened, then again, then every topic of it.
 * Milliseconds.
 */
async function readTwice({
  filename,
  agentId,
}: Subject): Promise<{ first: number; again: number; topics: number }> {
  const store = createSqliteStore({ filename })
  const platform = openPlatform(store)
  const head = await store.agents.revisions.head(agentId)
  const read = () => platform.agents.content(agentId, head?.number ?? 0)
  const first = await timed(read)
  const again = median(await inTurn(100, () => timed(read)))
  const content = await read()
  const topics = await timed(async () => content.topics)
  await platform.close()
  return { first, again, topics }
}

async function inTurn<T>(times: number, task: () => Promise<T>): Promise<readonly T[]> {
  const results: T[] = []
  for (let time = 0; time < times; time++) results.push(await task())
  return results
}

/** Measures edits, merges and deployments at 10,000 topics against 100, and reads of a revision. */
export async function benchAgents(): Promise<void> {
  await withFolder(async folder => {
    const small = await createSubject(join(folder, 'small.db'), 100)
    const large = await createSubject(join(folder, 'large.db'), 10_000)
    const subjects = { small, large }
    printComparisons('Agents in SQLite, synchronous=FULL: 100 topics, 10,000 topics', RATIO_GOAL, [
      await compare('edit of a topic on a branch', subjects, ROUNDS, edit),
      await compare('merge of ten changes', subjects, ROUNDS, mergeTen),
      await compare('promote', subjects, ROUNDS, promote),
      await compare('roll back', subjects, ROUNDS, rollback),
    ])
    console.log('\nReading a revision of 10,000 topics')
    const reads = await inTurn(READS, async () => ({
      store: await readStore(large),
      ...(await readTwice(large)),
    }))
    const firsts = reads.map(({ first }) => first)
    printGoal('the first time, from SQLite', median(firsts), FIRST_READ_GOAL)
    printGoal('  fastest of all rounds', Math.min(...firsts), FIRST_READ_GOAL)
    const ofStore = reads.map(({ store }) => store)
    printGoal('  of that: rows read', median(ofStore), null)
    printGoal('  fastest of all rounds', Math.min(...ofStore), null)
    const again = reads.map(read => read.again)
    printGoal('again, from the cache', median(again), null)
    const topics = reads.map(read => read.topics)
    printGoal('then all topics: parsed, in order of their names', median(topics), null)
    await small.platform.close()
    await large.platform.close()
  })
}
