import { expect, it } from 'vitest'
import { createPlatform } from '../../src/index.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createFakeClock } from '../../src/testing/index.ts'

it('IX3 prepares what is deployed, of several in a row the newest; no deployment waits for it or fails of it', async () => {
  const clock = createFakeClock()
  const prepared: string[] = []
  const errors: unknown[] = []
  let release: () => void = () => undefined
  const platform = createPlatform({
    store: createMemoryStore(),
    clock,
    onError: error => errors.push(error),
    runtime: {
      async *respond() {},
      async prepare({ key }) {
        prepared.push(key.replace(/^.*@(\d+)#.*$/, '$1'))
        await new Promise<void>(resolve => {
          release = resolve
        })
        throw new Error('broken')
      },
    },
  })
  const account = await platform.access.createAccount({ slug: 'test', name: 'Test' })
  const agent = await platform.agents.create({ accountId: account.id, name: 'Agent', greeting: 'Hello' })
  const merged: number[] = []
  for (const name of ['a', 'b', 'c']) {
    const branch = await platform.agents.createBranch(agent.id, { branchName: name })
    await platform.agents.createTopic(agent.id, branch.id, { name, content: name })
    merged.push((await platform.agents.merge(agent.id, branch.id)).deployment.revision)
    await clock.settle()
  }
  const [first, , third] = merged.map(String)
  expect(prepared).toEqual([first])
  release()
  await clock.settle()
  expect(prepared).toEqual([first, third])
  release()
  await clock.settle()
  expect(errors).toHaveLength(2)
  await platform.close()
})

it('prepares nothing more once the platform is closed, and tells no error then', async () => {
  const clock = createFakeClock()
  const errors: unknown[] = []
  let prepared = 0
  let fail: (error: Error) => void = () => undefined
  const platform = createPlatform({
    store: createMemoryStore(),
    clock,
    onError: error => errors.push(error),
    runtime: {
      async *respond() {},
      prepare() {
        prepared += 1
        return new Promise((_, reject) => {
          fail = reject
        })
      },
    },
  })
  const account = await platform.access.createAccount({ slug: 'test', name: 'Test' })
  const agent = await platform.agents.create({ accountId: account.id, name: 'Agent', greeting: 'Hello' })
  for (const name of ['a', 'b']) {
    const branch = await platform.agents.createBranch(agent.id, { branchName: name })
    await platform.agents.createTopic(agent.id, branch.id, { name, content: name })
    await platform.agents.merge(agent.id, branch.id)
    await clock.settle()
  }
  await platform.close()
  fail(new Error('broken'))
  await clock.settle()
  expect(prepared).toBe(1)
  expect(errors).toEqual([])
})
