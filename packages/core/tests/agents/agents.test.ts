import { eachMethod } from '@colloquy/test-support/each-method'
import { part } from '@colloquy/test-support/library-calls'
import { createTestPlatform } from '@colloquy/test-support/platform'
import { beforeEach, describe, expect, test } from 'vitest'
import { contentHash } from '../../src/domain/agent/content-hash.ts'
import { parseResource } from '../../src/domain/agent/tree.ts'
import { type Caller, LIBRARY } from '../../src/domain/audit/audit.ts'
import type { ConversationKind } from '../../src/domain/conversation/state.ts'
import { type AgentId, type BranchId, MAIN_BRANCH_ID } from '../../src/domain/ids.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { contextOf } from '../../src/platform-context.ts'
import type { AgentStore } from '../../src/ports/store/agents.ts'
import { anAccount, anAgent, aTopic, createFakeClock, createSequentialIds } from '../../src/testing/index.ts'
import type { Agents } from '../../src/usecases/agents/agents.ts'
import { createContentPreparer } from '../../src/usecases/agents/content/prepare-content.ts'
import { readTurnContent } from '../../src/usecases/agents/content/turn-content.ts'
import { type AgentHooks, type AgentsDeps, createAgentsMemory } from '../../src/usecases/agents/deps.ts'
import type { Context } from '../../src/usecases/context.ts'

const account = 'ws-one'
const refusal = (code: string, message?: RegExp) =>
  expect.objectContaining({ code, ...(message ? { message: expect.stringMatching(message) } : {}) })

/** The store's agents, with every call counted by name. */
function counted(store: AgentStore) {
  const calls: string[] = []
  const agents = eachMethod(store, (call, name) => (...args) => {
    calls.push(name)
    return call(...args)
  })
  return { agents, calls }
}

let agents: Agents
let second: Agents
let context: Context
let calls: string[]
/** Withdrawn agents, with whether each was there still. */
let withdrawn: [id: AgentId, there: boolean][]
let agentId: AgentId

const agentsWith = (deps: AgentsDeps) =>
  part('agents', { ...deps, prepare: createContentPreparer(deps) }, (own, caller) => ({
    ...own,
    context: { ...own.context, caller },
  }))

const agentsOver = (over: Context, hooks: AgentHooks, caller: Caller = LIBRARY): Agents =>
  agentsWith({ ...createAgentsMemory(), context: over, hooks })(caller)

/** Two nodes over one store, and an agent of the first. */
beforeEach(async () => {
  const store = createMemoryStore()
  for (const id of [account, 'ws-two'])
    await store.access.accounts.create(anAccount(id, { slug: `slug-of-${id}` }))
  const watched = counted(store.agents)
  calls = watched.calls
  withdrawn = []
  const { platform } = createTestPlatform()
  context = {
    ...contextOf(platform),
    store: { ...store, agents: watched.agents },
    ids: createSequentialIds(),
    clock: createFakeClock(),
  }
  const hooks = {
    withdraw: async (_: Caller, id: AgentId) =>
      void withdrawn.push([id, (await store.agents.find(id)) !== null]),
    testRunsDue: () => {},
  }
  agents = agentsOver(context, hooks)
  second = agentsOver(context, hooks)
  agentId = (await agents.create({ accountId: account, name: 'Front desk', greeting: 'Hello' })).id
})

const newBranch = async (): Promise<BranchId> =>
  (await agents.createBranch(agentId, { branchName: 'work' })).id
const addTopic = (branch: BranchId, name: string, content = `About ${name}`) =>
  agents.createTopic(agentId, branch, { name, content })

/** Merges a topic into main. */
async function mergeTopic(name: string, content?: string) {
  const branch = await newBranch()
  const topic = await addTopic(branch, name, content)
  const { deployment } = await agents.merge(agentId, branch)
  return { branch, topic, deployment }
}

describe('agents and branches', () => {
  test('AG20 a new agent has main, its settings, an empty behavior and one default variant', async () => {
    const [main, ...others] = await agents.branches(agentId)
    expect([main?.id, main?.name, others.length]).toEqual(['main', 'main', 0])
    expect(await agents.find(agentId)).toMatchObject({
      name: 'Front desk',
      branchCount: 1,
      accountId: account,
    })
    expect(await agents.behavior(agentId, MAIN_BRANCH_ID)).toBe('')
    expect(await agents.variants(agentId, MAIN_BRANCH_ID)).toMatchObject([
      { name: 'default', isDefault: true },
    ])
    expect((await agents.content(agentId, 1)).responseSettings).toEqual({
      greeting: 'Hello',
      languageCode: 'en-GB',
      voiceId: null,
      modelId: null,
    })
    expect(agentId).toMatch(/^PROJECT-/)
  })

  test('AG21 a given id is used as it is, and once', async () => {
    const input = { accountId: account, name: 'n', greeting: 'g', agentId: 'My-agent-1' }
    expect((await agents.create(input)).id).toBe('My-agent-1')
    const elsewhere = { ...input, accountId: 'ws-two' }
    await expect(agents.create(elsewhere)).rejects.toEqual(refusal('PROJECT_ID_ALREADY_EXISTS'))
  })

  test('AG21 the account is named by id or slug, and has to be there', async () => {
    const input = { accountId: `slug-of-${account}`, name: 'n', greeting: 'g' }
    const made = await agents.create(input)
    expect(made.accountId).toBe(account)
    expect((await agents.list(input.accountId)).map(({ id }) => id)).toEqual([agentId, made.id])
    const nowhere = { ...input, accountId: 'ws-nowhere' }
    await expect(agents.create(nowhere)).rejects.toEqual(refusal('ACCOUNT_NOT_FOUND', /ws-nowhere/))
    expect(await agents.list(nowhere.accountId)).toEqual([])
  })

  test.each([
    ['an empty greeting', { greeting: '' }, /greeting/],
    ['an empty name', { name: '' }, /name/],
    ['a long name', { name: 'x'.repeat(101) }, /name/],
    ['an id with a slash', { agentId: 'a/b' }, /agentId.*letters, digits and hyphens/],
  ])('AG20 %s is refused', async (_, wrong, message) => {
    const input = { accountId: account, name: 'n', greeting: 'g', ...wrong }
    await expect(agents.create(input)).rejects.toEqual(refusal('SCHEMA_VALIDATION_FAILED', message))
  })

  test('AG20 every write to main is refused', async () => {
    const main = MAIN_BRANCH_ID
    const topic = { name: 'n', content: 'c' }
    const writes = [
      agents.updateBehavior(agentId, main, 'x'),
      agents.createTopic(agentId, main, topic),
      agents.updateTopic(agentId, main, 'T', topic),
      agents.deleteTopic(agentId, main, 'T'),
      agents.createAttribute(agentId, main, { name: 'n' }),
      agents.updateAttribute(agentId, main, 'A', { name: 'n' }),
      agents.deleteAttribute(agentId, main, 'A'),
      agents.createVariant(agentId, main, { name: 'n' }),
      agents.updateVariant(agentId, main, 'V', { name: 'n' }),
      agents.deleteVariant(agentId, main, 'V'),
      agents.deleteBranch(agentId, main),
      agents.merge(agentId, main),
    ]
    const expected = refusal('MAIN_BRANCH_READ_ONLY', /^Cannot directly update main branch$/)
    for (const outcome of await Promise.allSettled(writes)) {
      expect(outcome).toEqual({ status: 'rejected', reason: expected })
    }
  })

  test('AG20 a branch does not see what main becomes after it began', async () => {
    const branch = await newBranch()
    await mergeTopic('later')
    expect(await agents.topics(agentId, branch)).toEqual([])
    expect(await agents.topics(agentId, await newBranch())).toMatchObject([{ name: 'later' }])
    expect((await agents.branches(agentId)).map(({ name }) => name)).toEqual(['main', 'work', 'work', 'work'])
  })

  test('AG20 the name main is taken', async () => {
    await expect(agents.createBranch(agentId, { branchName: 'main' })).rejects.toMatchObject({
      code: 'BRANCH_ALREADY_EXISTS',
    })
    expect(await agents.branches(agentId)).toHaveLength(1)
  })

  test('AG25 an agent is withdrawn, deleted, and withdrawn from whoever came meanwhile', async () => {
    await mergeTopic('a')
    await agents.delete(agentId)
    expect(withdrawn).toEqual([
      [agentId, true],
      [agentId, false],
    ])
    expect(await agents.find(agentId)).toBeNull()
    expect(await agents.list(account)).toEqual([])
    await expect(agents.delete(agentId)).rejects.toEqual(refusal('PROJECT_NOT_FOUND'))
    await expect(agents.activeDeployments(agentId)).rejects.toEqual(refusal('PROJECT_NOT_FOUND'))
    await expect(agents.content(agentId, 1)).rejects.toEqual(refusal('PROJECT_NOT_FOUND'))
    expect(withdrawn).toHaveLength(2)
  })

  test('HT14 what is not there is refused by name', async () => {
    const branch = await newBranch()
    const none = 'PROJECT-none'
    const noBranch = 'BRANCH-none'
    const noDeployment = 'DEPLOYMENT-none'
    const refused: [Promise<unknown>, string][] = [
      [agents.branches(none), 'PROJECT_NOT_FOUND'],
      [agents.createBranch(none, { branchName: 'n' }), 'PROJECT_NOT_FOUND'],
      [agents.topics(none, branch), 'PROJECT_NOT_FOUND'],
      [agents.publish(none), 'PROJECT_NOT_FOUND'],
      [agents.deployments(none, 'live'), 'PROJECT_NOT_FOUND'],
      [agents.merge(agentId, noBranch), 'BRANCH_NOT_FOUND'],
      [agents.deleteBranch(agentId, noBranch), 'BRANCH_NOT_FOUND'],
      [agents.behavior(agentId, noBranch), 'BRANCH_NOT_FOUND'],
      [agents.topic(agentId, branch, 'x'), 'TOPIC_NOT_FOUND'],
      [agents.updateTopic(agentId, branch, 'x', {}), 'TOPIC_NOT_FOUND'],
      [agents.deleteTopic(agentId, branch, 'x'), 'TOPIC_NOT_FOUND'],
      [agents.attribute(agentId, branch, 'x'), 'ATTRIBUTE_NOT_FOUND'],
      [agents.deleteAttribute(agentId, branch, 'x'), 'ATTRIBUTE_NOT_FOUND'],
      [agents.variant(agentId, branch, 'x'), 'VARIANT_NOT_FOUND'],
      [agents.deleteVariant(agentId, branch, 'x'), 'VARIANT_NOT_FOUND'],
      [agents.promote(agentId, noDeployment), 'DEPLOYMENT_NOT_FOUND'],
      [agents.rollback(agentId, noDeployment), 'DEPLOYMENT_NOT_FOUND'],
    ]
    for (const [call, code] of refused) await expect(call).rejects.toEqual(refusal(code))
  })

  test('HT14 a deleted branch is gone', async () => {
    const branch = await newBranch()
    await agents.deleteBranch(agentId, branch)
    await expect(addTopic(branch, 'a')).rejects.toEqual(refusal('BRANCH_NOT_FOUND'))
  })

  test('AG21 a duplicate holds what main held, and goes its own way', async () => {
    const branch = await newBranch()
    const hotel = await agents.createAttribute(agentId, branch, { name: 'hotel' })
    const attributeValues = { [hotel.id]: 'Grand' }
    const grand = await agents.createVariant(agentId, branch, {
      name: 'grand',
      isDefault: true,
      attributeValues,
    })
    const topic = await addTopic(branch, 'Parking')
    await agents.updateBehavior(agentId, branch, 'Be kind.')
    const { deployment } = await agents.merge(agentId, branch)
    await agents.updateBehavior(agentId, await newBranch(), 'unmerged')

    const copy = await agents.duplicate(agentId, { newAgentName: 'Copy', newAgentId: 'copy' })
    expect(copy).toMatchObject({ id: 'copy', name: 'Copy', accountId: account, branchCount: 1 })
    const content = await agents.content(copy.id, 1)
    expect(content.tree).toEqual((await agents.content(agentId, deployment.revision)).tree)
    expect(await agents.branches(copy.id)).toMatchObject([{ id: 'main', baseRevision: 1 }])
    expect(await agents.activeDeployments(copy.id)).toEqual({
      sandbox: null,
      'pre-release': null,
      live: null,
    })
    const published = await agents.publish(copy.id)
    expect(published.version).toBe(deployment.version)
    expect(await agents.variant(copy.id, MAIN_BRANCH_ID, grand.id)).toEqual(grand)

    const work = (await agents.createBranch(copy.id, { branchName: 'work' })).id
    await agents.deleteTopic(copy.id, work, topic.id)
    await agents.deleteAttribute(copy.id, work, hotel.id)
    await agents.merge(copy.id, work)
    expect(await agents.topics(copy.id, MAIN_BRANCH_ID)).toEqual([])
    expect(await agents.topics(agentId, MAIN_BRANCH_ID)).toEqual([topic])
    expect(await agents.variant(agentId, MAIN_BRANCH_ID, grand.id)).toEqual(grand)
  })

  test('AG30 a renamed agent keeps its id and all that it holds', async () => {
    const before = { branches: await agents.branches(agentId), content: await agents.content(agentId, 1) }
    const renamed = await agents.update(agentId, { name: 'Night desk' })
    expect(renamed).toMatchObject({ id: agentId, name: 'Night desk' })
    expect(await agents.find(agentId)).toEqual(renamed)
    expect(await agents.list(account)).toEqual([renamed])
    expect({ branches: await agents.branches(agentId), content: await agents.content(agentId, 1) }).toEqual(
      before,
    )
  })

  test('AG30 a name is refused as that of a new agent is', async () => {
    for (const name of ['', ' ', '\u202Eksed', 'x'.repeat(101)]) {
      const renaming = agents.update(agentId, { name })
      await expect(renaming, JSON.stringify(name)).rejects.toEqual(
        refusal('SCHEMA_VALIDATION_FAILED', /name/),
      )
    }
    const nobody = agents.update('PROJECT-none', { name: 'n' })
    await expect(nobody).rejects.toEqual(refusal('PROJECT_NOT_FOUND'))
  })

  test('AG21 a duplicate needs its agent, a name, and an id of its own', async () => {
    const none = 'PROJECT-none'
    await expect(agents.duplicate(none, { newAgentName: 'n' })).rejects.toEqual(refusal('PROJECT_NOT_FOUND'))
    const same = agents.duplicate(agentId, { newAgentName: 'n', newAgentId: agentId })
    await expect(same).rejects.toEqual(refusal('PROJECT_ID_ALREADY_EXISTS'))
    const unnamed = agents.duplicate(agentId, { newAgentName: '' })
    await expect(unnamed).rejects.toEqual(refusal('SCHEMA_VALIDATION_FAILED', /newAgentName/))
    expect(await agents.list(account)).toHaveLength(1)
  })

  test('AG21 a duplicate of many topics costs two reads of main and one write', async () => {
    const resources = Array.from({ length: 2_000 }, (_, at) => aTopic(`T${at}`))
    await context.store.agents.create(anAgent('big', { accountId: account, changes: resources }))
    calls.length = 0
    const copy = await agents.duplicate('big', { newAgentName: 'Copy' })
    const reads = ['find', 'find', 'revisions.main', 'revisions.resourcesAt', 'revisions.find']
    expect(calls).toEqual([...reads, 'create'])
    expect(await agents.topics(copy.id, MAIN_BRANCH_ID)).toHaveLength(2_000)
  })

  test('AG21 an agent that takes the id of a deleted one in between is not mixed with it', async () => {
    const inner = context.store.agents
    let replaced = false
    const replacing: AgentStore = {
      ...inner,
      revisions: {
        ...inner.revisions,
        async resourcesAt(...input) {
          if (!replaced) {
            replaced = true
            await agents.delete(agentId)
            await agents.create({ accountId: account, name: 'n', greeting: 'Another', agentId })
          }
          return inner.revisions.resourcesAt(...input)
        },
      },
    }
    const hooks = { withdraw: async () => {}, testRunsDue: () => {} }
    const node = agentsOver({ ...context, store: { ...context.store, agents: replacing } }, hooks)
    const copy = await node.duplicate(agentId, { newAgentName: 'Copy' })
    const [content, revision] = [await node.content(copy.id, 1), await inner.revisions.find(copy.id, 1)]
    expect(content.responseSettings.greeting).toBe('Another')
    expect(revision?.contentHash).toBe(contentHash(content.tree))
  })

  test('AG20 a branch names its base and what it holds otherwise', async () => {
    const { topic } = await mergeTopic('Parking')
    const { topic: pool } = await mergeTopic('Pool')
    const branch = await newBranch()
    expect(await agents.branch(agentId, branch)).toMatchObject({ name: 'work', baseRevision: 3, changes: [] })
    const added = await addTopic(branch, 'Spa')
    const passing = await addTopic(branch, 'Gym')
    await agents.deleteTopic(agentId, branch, passing.id)
    await agents.deleteTopic(agentId, branch, topic.id)
    await agents.updateTopic(agentId, branch, pool.id, { name: 'Baths' })
    await agents.updateBehavior(agentId, branch, 'Be kind.')
    const { changes } = await agents.branch(agentId, branch)
    const ofTopics = [
      { kind: 'topics', id: added.id, name: 'Spa', type: 'add' },
      { kind: 'topics', id: topic.id, name: 'Parking', type: 'delete' },
      { kind: 'topics', id: pool.id, name: 'Baths', type: 'modify' },
    ]
    expect(changes[0]).toEqual({ kind: 'behavior', id: '', name: null, type: 'modify' })
    expect(changes.slice(1)).toEqual(expect.arrayContaining(ofTopics))
    expect(changes).toHaveLength(4)
    await agents.updateBehavior(agentId, branch, '')
    expect((await agents.branch(agentId, branch)).changes).toHaveLength(3)
    expect(await agents.branch(agentId, MAIN_BRANCH_ID)).toMatchObject({ baseRevision: 3, changes: [] })
    await agents.merge(agentId, branch)
    expect(await agents.branch(agentId, branch)).toMatchObject({ baseRevision: 4, changes: [] })
  })

  test('AG30 edits at once all take effect, on one node and on two', async () => {
    const branch = await newBranch()
    const names = Array.from({ length: 15 }, (_, at) => `topic ${String(at).padStart(2, '0')}`)
    await Promise.all(
      names.flatMap(name => [
        addTopic(branch, name),
        second.createTopic(agentId, branch, { name: `${name} b`, content: 'c' }),
      ]),
    )
    const expected = names.flatMap(name => [name, `${name} b`])
    expect((await agents.topics(agentId, branch)).map(({ name }) => name)).toEqual(expected)
    expect((await second.topics(agentId, branch)).map(({ name }) => name)).toEqual(expected)
  })

  test('AG30 of two topics of one name at once, one is refused', async () => {
    const branch = await newBranch()
    const both = [addTopic(branch, 'a'), second.createTopic(agentId, branch, { name: 'a', content: 'c' })]
    const outcomes = await Promise.allSettled(both)
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await agents.topics(agentId, branch)).toHaveLength(1)
  })
})

describe('content', () => {
  test('AG30 a topic gets its defaults, and a change touches the given fields alone', async () => {
    const branch = await newBranch()
    const topic = await addTopic(branch, 'Parking', 'Behind the house')
    const defaults = { actions: '', exampleQueries: [], isActive: true }
    expect(topic).toEqual({ id: topic.id, name: 'Parking', content: 'Behind the house', ...defaults })
    expect(topic.id).toMatch(/^TOPIC-/)
    await agents.updateTopic(agentId, branch, topic.id, { isActive: false })
    expect(await agents.topic(agentId, branch, topic.id)).toEqual({ ...topic, isActive: false })
    await agents.deleteTopic(agentId, branch, topic.id)
    expect(await agents.topics(agentId, branch)).toEqual([])
  })

  test('AG30 a taken name is refused, wherever it comes from', async () => {
    await mergeTopic('of main')
    const branch = await newBranch()
    const topic = await addTopic(branch, 'of branch')
    const taken = refusal('KNOWLEDGE_BASE_TOPIC_ALREADY_EXISTS')
    await expect(addTopic(branch, 'of main')).rejects.toEqual(taken)
    await expect(addTopic(branch, 'of branch')).rejects.toEqual(taken)
    await expect(agents.updateTopic(agentId, branch, topic.id, { name: 'of main' })).rejects.toEqual(taken)
    await agents.updateTopic(agentId, branch, topic.id, { name: 'of branch', content: 'same name' })
    await agents.createAttribute(agentId, branch, { name: 'hotel' })
    await expect(agents.createAttribute(agentId, branch, { name: 'hotel' })).rejects.toEqual(
      refusal('ATTRIBUTE_ALREADY_EXISTS'),
    )
    await expect(agents.createVariant(agentId, branch, { name: 'default' })).rejects.toEqual(
      refusal('VARIANT_ALREADY_EXISTS'),
    )
  })

  test('AG30 a name that was given up is free', async () => {
    const { topic } = await mergeTopic('old')
    const branch = await newBranch()
    await agents.updateTopic(agentId, branch, topic.id, { name: 'new' })
    await addTopic(branch, 'old')
    expect((await agents.topics(agentId, branch)).map(({ name }) => name)).toEqual(['new', 'old'])
  })

  test('AG32 exactly one variant is the default', async () => {
    const branch = await newBranch()
    const harbour = await agents.createVariant(agentId, branch, { name: 'harbour', isDefault: true })
    const defaults = async () =>
      (await agents.variants(agentId, branch)).filter(({ isDefault }) => isDefault).map(({ name }) => name)
    expect(await defaults()).toEqual(['harbour'])
    const refused = refusal('VARIANTS_REMOVE_DEFAULT_ERROR')
    await expect(agents.deleteVariant(agentId, branch, harbour.id)).rejects.toEqual(refused)
    const off = agents.updateVariant(agentId, branch, harbour.id, { isDefault: false })
    await expect(off).rejects.toEqual(refused)
    const first = (await agents.variants(agentId, branch)).find(({ name }) => name === 'default')
    await agents.updateVariant(agentId, branch, first?.id ?? '', { isDefault: true })
    expect(await defaults()).toEqual(['default'])
    await agents.deleteVariant(agentId, branch, harbour.id)
    expect(await agents.variants(agentId, branch)).toHaveLength(1)
  })

  test('AG32 the first variant of an agent is its default and cannot go', async () => {
    const branch = await newBranch()
    const [first] = await agents.variants(agentId, branch)
    expect(first).toMatchObject({ name: 'default', isDefault: true })
    const gone = agents.deleteVariant(agentId, branch, first?.id ?? '')
    await expect(gone).rejects.toEqual(refusal('VARIANTS_REMOVE_DEFAULT_ERROR'))
  })

  test('AG32 values need their attribute, replace earlier ones and go with it', async () => {
    const branch = await newBranch()
    const hotel = await agents.createAttribute(agentId, branch, { name: 'hotel' })
    const city = await agents.createAttribute(agentId, branch, { name: 'city' })
    const attributeValues = { [hotel.id]: 'Grand', [city.id]: 'Rome' }
    const variant = await agents.createVariant(agentId, branch, { name: 'grand', attributeValues })
    const values = async () => (await agents.variant(agentId, branch, variant.id)).attributeValues
    const unknown = agents.updateVariant(agentId, branch, variant.id, { attributeValues: { nope: 'x' } })
    await expect(unknown).rejects.toEqual(refusal('SCHEMA_VALIDATION_FAILED', /no attribute nope/))
    await agents.updateVariant(agentId, branch, variant.id, { attributeValues: { [hotel.id]: 'Plaza' } })
    expect(await values()).toEqual({ [hotel.id]: 'Plaza' })
    await agents.deleteAttribute(agentId, branch, hotel.id)
    expect(await values()).toEqual({})
    expect(await agents.attributes(agentId, branch)).toEqual([city])
  })

  test('AG34 content beyond the limits is refused', async () => {
    const branch = await newBranch()
    const refused = (message: RegExp) => refusal('SCHEMA_VALIDATION_FAILED', message)
    await expect(addTopic(branch, 'a', '')).rejects.toEqual(refused(/content/))
    await expect(addTopic(branch, '', 'c')).rejects.toEqual(refused(/name/))
    await expect(agents.updateBehavior(agentId, branch, 'x'.repeat(200_001))).rejects.toEqual(
      refused(/behavior/),
    )
    await expect(agents.createBranch(agentId, { branchName: '' })).rejects.toEqual(refused(/branchName/))
  })

  test("what is answered is the caller's own", async () => {
    const branch = await newBranch()
    const hotel = await agents.createAttribute(agentId, branch, { name: 'hotel' })
    const attributeValues = { [hotel.id]: 'Grand' }
    const variant = await agents.createVariant(agentId, branch, { name: 'grand', attributeValues })
    const topic = await agents.createTopic(agentId, branch, {
      ...{ name: 'Parking', content: 'c', exampleQueries: ['Where?'] },
    })
    await agents.updateResponseSettings(agentId, branch, { greeting: 'Hi' })
    const everything = async (at: BranchId) => [
      await agents.topics(agentId, at),
      await agents.variants(agentId, at),
      await agents.responseSettings(agentId, at),
    ]
    const before = structuredClone(await everything(branch))
    const spoil = ({ exampleQueries }: typeof topic) => exampleQueries.push('spoilt')
    spoil(topic)
    variant.attributeValues[hotel.id] = 'spoilt'
    Object.assign(await agents.responseSettings(agentId, branch), { greeting: 'spoilt' })
    Object.assign(await agents.updateResponseSettings(agentId, branch, {}), { greeting: 'spoilt' })
    spoil(await agents.topic(agentId, branch, topic.id))
    spoil(await agents.updateTopic(agentId, branch, topic.id, {}))
    for (const listed of await agents.topics(agentId, branch)) spoil(listed)
    for (const { theirsValue } of (await agents.diff(agentId, branch)).changes)
      if (Array.isArray(theirsValue)) theirsValue.push('spoilt')
    expect(await everything(branch)).toEqual(before)
    await agents.merge(agentId, branch)
    expect(await everything(MAIN_BRANCH_ID)).toEqual(before)
  })

  test('AG30 a field that is given as undefined is not given', async () => {
    const branch = await newBranch()
    const unset: object = {
      content: undefined,
      actions: undefined,
      isActive: undefined,
      isDefault: undefined,
    }
    const topic = await agents.createTopic(agentId, branch, { name: 'a', ...unset, content: 'c' })
    expect(topic).toMatchObject({ actions: '', isActive: true })
    expect(await agents.updateTopic(agentId, branch, topic.id, { ...unset, name: 'b' })).toEqual({
      ...topic,
      name: 'b',
    })
    expect(await agents.createVariant(agentId, branch, { name: 'v', ...unset })).toMatchObject({
      isDefault: false,
    })
    const silent: object = { voiceId: undefined }
    const settings = await agents.updateResponseSettings(agentId, branch, { greeting: 'Hi', ...silent })
    expect(settings).toMatchObject({ greeting: 'Hi', voiceId: null })
    const nameless: object = { name: undefined }
    const missing = agents.createTopic(agentId, branch, { name: 'c', content: 'c', ...nameless })
    await expect(missing).rejects.toEqual(refusal('SCHEMA_VALIDATION_FAILED', /"name" is required/))
  })

  test.each([
    ['attributes', 'attribute', () => agents.createAttribute, () => agents.attributes],
    ['variants', 'variant', () => agents.createVariant, () => agents.variants],
  ] as const)('AG34 a branch has room for 1,000 %s', async (kind, noun, create, list) => {
    const values = { attributes: {}, variants: { isDefault: false, attributeValues: {} } }
    const resources = Array.from({ length: 998 }, (_, at) =>
      parseResource(kind, `R${at}`, { name: `${noun} ${at}`, ...values[kind] }),
    )
    await context.store.agents.create(anAgent('full', { accountId: account, changes: resources }))
    const id = 'full'
    const branch = (await agents.createBranch(id, { branchName: 'work' })).id
    await create()(id, branch, { name: 'one' })
    const last = await create()(id, branch, { name: 'two' })
    const refused = refusal('SCHEMA_VALIDATION_FAILED', new RegExp(`room for 1000 ${kind}`))
    await expect(create()(id, branch, { name: 'three' })).rejects.toEqual(refused)
    expect(await list()(id, branch)).toHaveLength(1_000)
    if (kind === 'attributes') await agents.deleteAttribute(id, branch, last.id)
    else await agents.deleteVariant(id, branch, last.id)
    expect(await create()(id, branch, { name: 'three' })).toMatchObject({ name: 'three' })
  })

  /** The agents of a node with that limit. */
  const limitedTo = (contentBytes: number): Agents => {
    const limits = { ...context.settings.limits, contentBytes }
    const hooks = { withdraw: async () => {}, testRunsDue: () => {} }
    return agentsOver({ ...context, settings: { ...context.settings, limits } }, hooks)
  }
  const bytesOf = async (number: number): Promise<number> =>
    (await context.store.agents.revisions.find(agentId, number))?.contentBytes ?? 0

  test('AG72 an edit that would make the content too large is refused with both numbers, and what is too large can be made smaller', async () => {
    const branch = await newBranch()
    const whole = (await bytesOf(1)) + Buffer.byteLength(JSON.stringify(aTopic('é').value))
    const exact = limitedTo(whole)
    const { id } = await exact.createTopic(agentId, branch, aTopic('é').value)
    const message = new RegExp(`would be ${whole + 1} bytes of JSON. At most ${whole} bytes are allowed`)
    const refused = refusal('SCHEMA_VALIDATION_FAILED', message)
    await expect(exact.updateTopic(agentId, branch, id, { actions: 'x' })).rejects.toEqual(refused)
    expect(await exact.topics(agentId, branch)).toEqual([{ id, ...aTopic('é').value }])
    expect((await exact.branch(agentId, branch)).version).toBe(2)
    const strict = limitedTo(whole - 100)
    await strict.updateTopic(agentId, branch, id, { isActive: true })
    await expect(strict.updateTopic(agentId, branch, id, { isActive: false })).rejects.toEqual(
      refusal('SCHEMA_VALIDATION_FAILED', /bytes of JSON/),
    )
    expect(await strict.updateTopic(agentId, branch, id, { name: 'e' })).toMatchObject({ name: 'e' })
    await strict.deleteTopic(agentId, branch, id)
  })

  test('AG72 a merge and a new agent that would be too large are refused, and change nothing', async () => {
    const [one, two] = [await newBranch(), await newBranch()]
    const { id } = await addTopic(one, 'one', 'x'.repeat(1_000))
    await addTopic(two, 'two', 'x'.repeat(1_000))
    const limited = limitedTo((await bytesOf(1)) + 1_500)
    await limited.merge(agentId, one)
    const [main, before] = [await agents.branch(agentId, MAIN_BRANCH_ID), await agents.branch(agentId, two)]
    const refused = refusal('SCHEMA_VALIDATION_FAILED', /bytes of JSON/)
    await expect(limited.merge(agentId, two)).rejects.toEqual(refused)
    expect(await agents.branch(agentId, MAIN_BRANCH_ID)).toEqual(main)
    expect(await agents.branch(agentId, two)).toEqual(before)
    await limited.duplicate(agentId, { newAgentName: 'Copy' })
    await agents.merge(agentId, two)
    await expect(limited.duplicate(agentId, { newAgentName: 'Copy' })).rejects.toEqual(refused)
    const large = { accountId: account, name: 'Large', greeting: 'x'.repeat(5_000) }
    await expect(limited.create(large)).rejects.toEqual(refused)
    expect(await agents.list(account)).toHaveLength(2)
    await limited.merge(agentId, two)
    await limited.deleteTopic(agentId, two, id)
    await limited.merge(agentId, two)
    expect(await bytesOf(5)).toBeLessThan((await bytesOf(1)) + 1_500)
  })

  test('AG72 an edit reads what it changes, and the first one in a process what the branch has changed', async () => {
    const branch = await newBranch()
    const { id } = await addTopic(branch, 'one')
    const wanted: unknown[] = []
    const inner = context.store.agents
    const reading: AgentStore = {
      ...inner,
      revisions: {
        ...inner.revisions,
        resourcesAt: (agent, revision, filter) => {
          wanted.push(filter)
          return inner.revisions.resourcesAt(agent, revision, filter)
        },
      },
    }
    const hooks = { withdraw: async () => {}, testRunsDue: () => {} }
    const watched = agentsOver({ ...context, store: { ...context.store, agents: reading } }, hooks)
    await watched.updateBehavior(agentId, branch, 'Be kind.')
    expect(wanted).toEqual([{ keys: [`topics/${id}`] }, { keys: ['behavior/'] }])
    wanted.length = 0
    await watched.updateBehavior(agentId, branch, 'Be very kind.')
    expect(wanted).toEqual([])
  })

  test('AG35 a revision is read once, and the next one is built from it', async () => {
    const first = await agents.content(agentId, 1)
    await mergeTopic('b')
    await mergeTopic('a')
    expect(await agents.content(agentId, 1)).toBe(first)
    calls.length = 0
    await agents.content(agentId, 2)
    const read = ['revisions.find', 'revisions.find', 'revisions.changesBetween', 'revisions.find']
    expect(calls).toEqual(read)
    calls.length = 0
    const [third, same] = await Promise.all([agents.content(agentId, 3), agents.content(agentId, 3)])
    expect(same).toBe(third)
    expect(calls).toEqual(['revisions.find', ...read])
    expect(third.topics.map(({ name }) => name)).toEqual(['a', 'b'])
    const fromStore = await second.content(agentId, 3)
    expect([...fromStore.tree].sort()).toEqual([...third.tree].sort())
  })

  test('turns of sessions read a deployment once, others each time, and none that of another agent', async () => {
    const { deployment } = await mergeTopic('a')
    const deps = { ...createAgentsMemory(), context }
    const read = (kind: ConversationKind, of = agentId) =>
      readTurnContent(deps, { kind, agentId: of }, deployment.id)
    const content = await read('messaging')
    calls.length = 0
    expect(await Promise.all([read('messaging'), read('chat')])).toEqual([content, content])
    expect(calls).toEqual([])
    expect(await read('debug')).toBe(content)
    expect(calls).toEqual(['deployments.find'])
    const other = await agents.create({ accountId: account, name: 'other', greeting: 'other' })
    await expect(read('messaging', other.id)).rejects.toThrow('There is no deployment')
  })

  test('AG35 another agent of the same id has its own content', async () => {
    const input = { accountId: account, name: 'n', greeting: 'first', agentId: 'same' }
    const { id } = await agents.create(input)
    const before = await agents.content(id, 1)
    await agents.delete(id)
    await agents.create({ ...input, greeting: 'second' })
    const after = await agents.content(id, 1)
    expect(after.responseSettings.greeting).toBe('second')
    expect(after.key).not.toBe(before.key)
  })
})

describe('merges', () => {
  test('ST7 a merge makes a revision and a sandbox deployment, and the branch goes on from there', async () => {
    const { branch, deployment, topic } = await mergeTopic('Parking')
    expect(deployment).toMatchObject({ environment: 'sandbox', revision: 2, type: 'merge', message: '' })
    expect((await agents.activeDeployments(agentId)).sandbox).toEqual(deployment)
    expect(await agents.topics(agentId, MAIN_BRANCH_ID)).toEqual([topic])
    const now = (await agents.branches(agentId)).find(({ id }) => id === branch)
    expect(now).toMatchObject({ baseRevision: 2 })
    expect(await context.store.agents.branches.changes(agentId, branch)).toEqual([])
    await agents.updateTopic(agentId, branch, topic.id, { content: 'again' })
    expect((await agents.merge(agentId, branch)).deployment).toMatchObject({ revision: 3 })
  })

  test('AG40 the version of a merge is the hash of what main then holds', async () => {
    const before = (await agents.merge(agentId, await newBranch())).deployment
    const { topic, deployment, branch } = await mergeTopic('a')
    expect(deployment.version).toBe(contentHash((await agents.content(agentId, deployment.revision)).tree))
    await agents.deleteTopic(agentId, branch, topic.id)
    const back = (await agents.merge(agentId, branch)).deployment
    expect(back.version).toBe(before.version)
    expect(back.version).not.toBe(deployment.version)
  })

  test('ST7 a merge of nothing deploys what main holds', async () => {
    const first = (await agents.merge(agentId, await newBranch())).deployment
    const again = (await agents.merge(agentId, await newBranch(), { deploymentMessage: 'once more' }))
      .deployment
    expect(again.version).toBe(first.version)
    expect(again.message).toBe('once more')
    expect((await agents.activeDeployments(agentId)).sandbox?.id).toBe(again.id)
  })

  /** Two branches that changed one topic to different texts, the first of them merged. */
  async function disputed() {
    const { topic } = await mergeTopic('Parking', 'base')
    const [one, two] = [await newBranch(), await newBranch()]
    await agents.updateTopic(agentId, one, topic.id, { content: 'ours' })
    await agents.updateTopic(agentId, two, topic.id, { content: 'theirs' })
    await agents.merge(agentId, one)
    return { two, topic }
  }

  test('AG5 conflicts refuse the merge and change nothing', async () => {
    const { two, topic } = await disputed()
    const path = ['topics', 'Parking', 'content']
    const conflict = { path, baseValue: 'base', oursValue: 'ours', theirsValue: 'theirs', type: 'modify' }
    const body = { hasConflicts: true, conflicts: [conflict], errors: [] }
    await expect(agents.merge(agentId, two)).rejects.toMatchObject({
      code: 'MERGE_CONFLICTS',
      details: { body },
    })
    expect(await agents.topic(agentId, MAIN_BRANCH_ID, topic.id)).toMatchObject({ content: 'ours' })
    expect(await agents.topic(agentId, two, topic.id)).toMatchObject({ content: 'theirs' })
    expect(await agents.deployments(agentId, 'sandbox')).toHaveLength(2)
  })

  test('AG19 a diff shows both sides and writes nothing', async () => {
    const { two } = await disputed()
    await addTopic(two, 'Spa')
    const path = ['topics', 'Parking', 'content']
    const disputedField = {
      path,
      baseValue: 'base',
      oursValue: 'ours',
      theirsValue: 'theirs',
      type: 'modify',
    }
    const before = await agents.branch(agentId, two)
    calls.length = 0
    const diff = await agents.diff(agentId, two)
    expect(
      calls.filter(
        name => !/^(find|revisions\.(main|changesBetween|resourcesAt)|branches\.(find|changes))$/.test(name),
      ),
    ).toEqual([])
    expect(diff).toMatchObject({ baseRevision: 2, mainRevision: 3 })
    expect([diff.conflicts, diff.mainChanges]).toEqual([[disputedField], [disputedField]])
    const added = {
      path: ['topics', 'Spa', 'content'],
      baseValue: null,
      oursValue: null,
      theirsValue: 'About Spa',
    }
    expect(diff.changes).toEqual(expect.arrayContaining([disputedField, { ...added, type: 'add' }]))
    expect(await agents.branch(agentId, two)).toEqual(before)
    expect(await agents.diff(agentId, MAIN_BRANCH_ID)).toEqual({
      branchVersion: 3,
      baseRevision: 3,
      mainRevision: 3,
      changes: [],
      mainChanges: [],
      conflicts: [],
    })
    const none = agents.diff(agentId, 'none')
    await expect(none).rejects.toEqual(refusal('BRANCH_NOT_FOUND'))
  })

  test('AG19 a branch that is merged while it is compared is compared with what main then is', async () => {
    const branch = await newBranch()
    await agents.updateBehavior(agentId, branch, 'Be kind.')
    const inner = context.store.agents
    let merged = false
    const merging: AgentStore = {
      ...inner,
      revisions: {
        ...inner.revisions,
        async main(id) {
          const main = await inner.revisions.main(id)
          if (!merged) {
            merged = true
            await second.merge(agentId, branch)
          }
          return main
        },
      },
    }
    const hooks = { withdraw: async () => {}, testRunsDue: () => {} }
    const node = agentsOver({ ...context, store: { ...context.store, agents: merging } }, hooks)
    expect(await node.diff(agentId, branch)).toMatchObject({ baseRevision: 2, mainRevision: 2, changes: [] })
  })

  test('AG14 resolutions settle the merge, those that fit nothing refuse it', async () => {
    const { two, topic } = await disputed()
    const stray = { path: ['topics', 'Pool', 'content'], strategy: 'ours' } as const
    const refused = agents.merge(agentId, two, { conflictResolutions: [stray] })
    await expect(refused).rejects.toEqual(refusal('MERGE_INVALID_RESOLUTION', /Pool/))
    const path = ['topics', 'Parking', 'content']
    await agents.merge(agentId, two, { conflictResolutions: [{ path, strategy: 'theirs', value: 'agreed' }] })
    expect(await agents.topic(agentId, MAIN_BRANCH_ID, topic.id)).toMatchObject({ content: 'agreed' })
  })

  test('AG5 a resolution may not give a name that an untouched topic has', async () => {
    await mergeTopic('taken')
    const { topic } = await mergeTopic('Parking')
    const [one, two] = [await newBranch(), await newBranch()]
    await agents.updateTopic(agentId, one, topic.id, { name: 'Car park' })
    await agents.updateTopic(agentId, two, topic.id, { name: 'Garage' })
    await agents.merge(agentId, one)
    const merging = agents.merge(agentId, two, {
      conflictResolutions: [{ path: ['topics', 'Parking', 'name'], strategy: 'theirs', value: 'taken' }],
    })
    await expect(merging).rejects.toEqual(refusal('MERGE_INVALID_RESOLUTION', /two topics.*"taken"/))
  })

  test('ST7 merges at once are one after the other, on two nodes too', async () => {
    const branches = await Promise.all(Array.from({ length: 6 }, newBranch))
    await Promise.all(branches.map((branch, at) => addTopic(branch, `topic ${at}`)))
    const merged = await Promise.all(
      branches.map((branch, at) => (at % 2 ? agents : second).merge(agentId, branch)),
    )
    expect(await agents.topics(agentId, MAIN_BRANCH_ID)).toHaveLength(6)
    const revisions = merged.map(({ deployment }) => deployment.revision)
    expect(revisions.sort()).toEqual([2, 3, 4, 5, 6, 7])
  })

  test('ST7 of two merges at once that conflict, one succeeds', async () => {
    const [one, two] = [await newBranch(), await newBranch()]
    await agents.updateBehavior(agentId, one, 'one')
    await agents.updateBehavior(agentId, two, 'two')
    const both = [agents.merge(agentId, one), second.merge(agentId, two)]
    const outcomes = await Promise.allSettled(both)
    const refused = outcomes.filter(outcome => outcome.status === 'rejected')
    expect(refused.map(({ reason }) => reason)).toEqual([refusal('MERGE_CONFLICTS')])
  })

  test('a merge reads the changed resources alone, however many topics there are', async () => {
    const branch = await newBranch()
    for (let at = 0; at < 200; at++) await addTopic(branch, `topic ${at}`)
    await agents.merge(agentId, branch)
    const read: number[] = []
    const inner = context.store.agents
    const store: AgentStore = {
      ...inner,
      revisions: {
        ...inner.revisions,
        async resourcesAt(...input) {
          const resources = await inner.revisions.resourcesAt(...input)
          read.push(resources.length)
          return resources
        },
      },
    }
    const hooks = { withdraw: async () => {}, testRunsDue: () => {} }
    const node = agentsOver({ ...context, store: { ...context.store, agents: store } }, hooks)
    const next = await newBranch()
    const [first] = await agents.topics(agentId, next)
    await agents.updateTopic(agentId, next, first?.id ?? '', { content: 'changed' })
    await node.merge(agentId, next)
    // What either side changed, and the test cases, of which there are none.
    expect(read).toEqual([1, 0])
  })
})

describe('deployments', () => {
  test('AG40 promotion goes one stage on, or to the named one, and never back', async () => {
    const { deployment } = await mergeTopic('a')
    const staged = await agents.promote(agentId, deployment.id)
    expect(staged.environment).toBe('pre-release')
    const live = await agents.promote(agentId, staged.id)
    expect(live.environment).toBe('live')
    expect((await agents.promote(agentId, deployment.id, { targetEnvironment: 'live' })).environment).toBe(
      'live',
    )
    const refused = (message: RegExp) => refusal('DEPLOYMENTS_INVALID_TARGET', message)
    await expect(agents.promote(agentId, live.id)).rejects.toEqual(refused(/no further/))
    for (const target of ['sandbox', 'pre-release'] as const) {
      await expect(agents.promote(agentId, staged.id, { targetEnvironment: target })).rejects.toEqual(
        refused(/only to live/),
      )
    }
  })

  test('AG40 where pre-release is required, nothing is promoted past it', async () => {
    const { deployment } = await mergeTopic('a')
    const settings = { ...context.settings, requirePreRelease: true }
    const hooks = { withdraw: async () => {}, testRunsDue: () => {} }
    const strict = agentsOver({ ...context, settings }, hooks)
    await expect(strict.promote(agentId, deployment.id, { targetEnvironment: 'live' })).rejects.toEqual(
      refusal('DEPLOYMENTS_PRE_RELEASE_REQUIRED', /Promote it to pre-release/),
    )
    expect(await strict.activeDeployments(agentId)).toMatchObject({ 'pre-release': null, live: null })
    const staged = await strict.promote(agentId, deployment.id)
    expect((await strict.promote(agentId, staged.id)).environment).toBe('live')
    expect((await agents.promote(agentId, deployment.id, { targetEnvironment: 'live' })).environment).toBe(
      'live',
    )
  })

  test('AG40 a rollback brings an earlier version back as a new deployment', async () => {
    const first = (await mergeTopic('a')).deployment
    const next = (await mergeTopic('b')).deployment
    const hooks = { withdraw: async () => {}, testRunsDue: () => {} }
    const named = agentsOver(context, hooks, { ...LIBRARY, id: 'KEY-1' })
    const back = await named.rollback(agentId, first.id, { deploymentMessage: 'too early' })
    expect(back).toMatchObject({ type: 'rollback', environment: 'sandbox', revision: first.revision })
    expect(back).toMatchObject({ message: 'too early', createdBy: 'KEY-1', number: 3 })
    expect([first.id, next.id]).not.toContain(back.id)
    const { testRunIds, ...deployment } = back
    expect((await agents.activeDeployments(agentId)).sandbox).toEqual(deployment)
    expect(testRunIds).toEqual([])
  })

  test('AG40 the version stays the same through promotion and rollback', async () => {
    const { deployment } = await mergeTopic('a')
    const promoted = await agents.promote(agentId, deployment.id)
    const back = await agents.rollback(agentId, promoted.id)
    expect([promoted.version, back.version]).toEqual([deployment.version, deployment.version])
    expect(back.environment).toBe('pre-release')
  })

  test('AG40 publishing deploys main once', async () => {
    const published = await agents.publish(agentId)
    expect(published).toMatchObject({
      environment: 'sandbox',
      type: 'publish',
      createdBy: 'library',
      revision: 1,
    })
    const refused = refusal('DEPLOYMENTS_ALREADY_PUBLISHED')
    await expect(agents.publish(agentId)).rejects.toEqual(refused)
    await mergeTopic('a')
    await expect(agents.publish(agentId)).rejects.toEqual(refused)
    expect((await agents.publish(agentId, { environment: 'live' })).environment).toBe('live')
    await agents.rollback(agentId, published.id)
    expect(await agents.publish(agentId)).toMatchObject({ revision: 2 })
  })

  test('AG40 an environment that there is not is refused by each call', async () => {
    const environment = JSON.parse('"prod"')
    const refused = refusal('DEPLOYMENTS_INVALID_ENVIRONMENT', /sandbox, pre-release, live/)
    await expect(agents.publish(agentId, { environment })).rejects.toEqual(refused)
    await expect(agents.deployments(agentId, environment)).rejects.toEqual(refused)
    expect(await agents.activeDeployments(agentId)).toEqual({
      sandbox: null,
      'pre-release': null,
      live: null,
    })
  })

  test('AG40 of two at once, one publishes', async () => {
    const outcomes = await Promise.allSettled([agents.publish(agentId), second.publish(agentId)])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('AG40 lists are newest first, and the newest is active', async () => {
    await mergeTopic('a')
    await mergeTopic('b')
    await mergeTopic('c')
    const numbers = async (limit?: number) =>
      (await agents.deployments(agentId, 'sandbox', limit)).map(({ number }) => number)
    expect(await numbers()).toEqual([3, 2, 1])
    expect(await numbers(2)).toEqual([3, 2])
    const active = await agents.activeDeployments(agentId)
    expect([active.sandbox?.number, active['pre-release'], active.live]).toEqual([3, null, null])
    await expect(numbers(0)).rejects.toEqual(refusal('SCHEMA_VALIDATION_FAILED', /limit/))
  })
})
