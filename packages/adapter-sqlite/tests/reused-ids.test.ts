import { createPlatform, type Platform } from '@colloquy/core'
import type { AgentRuntime } from '@colloquy/core/runtime'
import type { Store } from '@colloquy/core/store'
import { expect, it, onTestFinished } from 'vitest'
import { openStore, temporaryStoreFile } from './files.ts'

const SHOP = 'PROJECT-SHOP'

/** Says what the content holds: a greeting, then the behavior. */
const reciting: AgentRuntime = {
  async *respond({ input, content }) {
    const text = input.type === 'greeting' ? content.responseSettings.greeting : content.behavior
    yield { type: 'text', text }
  },
}

/** Two processes over one file, an account, and agents that say one word at each revision. */
async function twoProcesses() {
  const filename = temporaryStoreFile()
  const open = (wrap: (store: Store) => Store = store => store): Platform => {
    const store = wrap(openStore({ filename }))
    const platform = createPlatform({ store, runtime: reciting, rateLimits: null, onError: () => undefined })
    onTestFinished(platform.close)
    return platform
  }
  // A deletion here sees no open conversation: one that begins right then is not ended by it.
  const here = open(store => ({
    ...store,
    conversations: { ...store.conversations, listOpen: async () => [] },
  }))
  const there = open()
  const one = await here.access.createAccount({ slug: 'one', name: 'One' })
  const create = (word: string, accountId = one.id) =>
    here.agents.create({ accountId, agentId: SHOP, name: 'Shop', greeting: `${word} 1` })
  /** Merges a greeting and a behavior, as revisions 2 and 3. */
  async function merge(word: string): Promise<void> {
    const branch = await here.agents.createBranch(SHOP, { branchName: 'work' })
    for (const revision of [2, 3]) {
      await here.agents.updateResponseSettings(SHOP, branch.id, { greeting: `${word} ${revision}` })
      await here.agents.updateBehavior(SHOP, branch.id, `${word} behaves at ${revision}`)
      await here.agents.merge(SHOP, branch.id)
    }
  }
  /** What a visitor of the process hears. */
  async function hear(platform: Platform): Promise<readonly string[]> {
    const agent = await platform.agents.find(SHOP)
    if (agent === null) throw new Error('There is no shop.')
    const begun = await platform.debugChat.start(agent, { environment: 'sandbox' })
    const message = { environment: 'sandbox', message: 'Hello' } as const
    const said = await platform.debugChat.send(agent, begun.state.id, message)
    return [begun, said].map(({ turn }) => String(turn.record.agent_response))
  }
  return { here, there, create, merge, hear }
}

it('AG35 visitors of an agent that has the id of a deleted one hear nothing of that one, in no process', async () => {
  const { here, there, create, merge, hear } = await twoProcesses()
  await create('Old')
  await merge('Old')
  expect(await hear(there)).toEqual(['Old 3', 'Old behaves at 3'])
  await there.agents.content(SHOP, 1)
  await here.agents.delete(SHOP)
  await create('New')
  expect((await there.agents.content(SHOP, 1)).responseSettings.greeting).toBe('New 1')
  await merge('New')
  expect(await hear(there)).toEqual(['New 3', 'New behaves at 3'])
  expect((await there.agents.content(SHOP, 2)).behavior).toBe('New behaves at 2')
})

it('AG21 the id of a deleted agent is given to no other account, whichever process is asked', async () => {
  const { here, there, create, hear, merge } = await twoProcesses()
  const two = await here.access.createAccount({ slug: 'two', name: 'Two' })
  await create('Old')
  await merge('Old')
  expect(await hear(there)).toEqual(['Old 3', 'Old behaves at 3'])
  await here.agents.delete(SHOP)
  const taking = { accountId: two.id, agentId: SHOP, name: 'Shop', greeting: 'Mine' }
  const refusal = { code: 'PROJECT_ID_ALREADY_EXISTS' }
  for (const platform of [here, there])
    await expect(platform.agents.create(taking)).rejects.toMatchObject(refusal)
  expect(await there.agents.find(SHOP)).toBeNull()
  await create('New')
  await here.agents.delete(SHOP)
  await expect(here.agents.create(taking)).rejects.toMatchObject(refusal)
})

it('AG35 a conversation that outlived its agent is answered by no later agent of the id', async () => {
  const { here, there, create, merge } = await twoProcesses()
  await create('Old')
  await merge('Old')
  const old = await there.agents.find(SHOP)
  if (old === null) throw new Error('There is no shop.')
  const { state } = await there.debugChat.start(old, { environment: 'sandbox' })
  await here.agents.delete(SHOP)
  await create('New')
  await merge('New')
  for (const platform of [here, there]) {
    const asked = platform.debugChat.send(old, state.id, { environment: 'sandbox', message: 'Hello' })
    await expect(asked).rejects.toMatchObject({ code: 'AGENT_FAILED' })
  }
})
