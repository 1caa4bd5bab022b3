import { expect, test } from 'vitest'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform } from '../../src/platform.ts'
import { createFakeClock, createScriptedRuntime } from '../../src/testing/index.ts'

/** A platform with an agent and a branch for each of two accounts. */
async function twoAccounts() {
  const store = createMemoryStore()
  const runtime = createScriptedRuntime({ greeting: 'Hi' }, createFakeClock())
  const { access, agents } = createPlatform({ store, runtime })
  const begin = async (slug: string) => {
    const { id: accountId } = await access.createAccount({ slug, name: slug })
    const { id: agentId } = await agents.create({ accountId, name: slug, greeting: 'Hi' })
    const second = await agents.create({ accountId, name: `${slug} two`, greeting: 'Hi' })
    const branch = await agents.createBranch(agentId, { branchName: 'edits' })
    return { agentId, branchId: branch.id, second: second.id }
  }
  return { agents, store, hotel: await begin('hotel'), inn: await begin('inn') }
}

test('AG73 an account compares and copies contents one at a time, and no other one waits for it', async () => {
  const { agents, hotel, inn, store } = await twoAccounts()
  const { main } = store.agents.revisions
  let release = (): void => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  const begun: string[] = []
  store.agents.revisions.main = async agentId => {
    begun.push(agentId)
    if (agentId === hotel.agentId) await held
    return main(agentId)
  }
  const diff = () => agents.diff(hotel.agentId, hotel.branchId)
  const waiting = [diff(), agents.previewMerge(hotel.agentId, hotel.branchId)]
  const others = [diff(), agents.previewPublish(hotel.agentId)]
  const copy = agents.duplicate(hotel.second, { newAgentName: 'A copy' })
  const refused = expect.objectContaining({ code: 'RATE_LIMITED' })
  await expect(diff()).rejects.toEqual(refused)
  await expect(agents.duplicate(hotel.second, { newAgentName: 'Another' })).rejects.toEqual(refused)
  expect(await agents.diff(inn.agentId, inn.branchId)).toMatchObject({ mainRevision: 1 })
  expect(begun.filter(id => id === hotel.agentId)).toHaveLength(1)
  release()
  await Promise.all([...waiting, ...others, copy])
  expect(await diff()).toMatchObject({ mainRevision: 1 })
})
