import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { type AgentId, createPlatform, type Platform } from '@colloquy/core'
import type { AgentRuntime } from '@colloquy/core/runtime'
import { expect, it, onTestFinished } from 'vitest'
import { createSqliteStore } from '../src/store.ts'
import { runChild } from './children/child.ts'
import { temporaryFile } from './files.ts'

const silent: AgentRuntime = { async *respond() {} }
const ROUNDS = 20

function openPlatform(filename: string): Platform {
  const store = createSqliteStore({ filename })
  const platform = createPlatform({ store, runtime: silent, rateLimits: null })
  onTestFinished(platform.close)
  return platform
}

/** An agent over a new file, a second node over it, and a way to have it changed by processes of their own. */
async function anAgentOnFile() {
  const filename = temporaryFile()
  const { access, agents } = openPlatform(filename)
  const account = await access.createAccount({ slug: 'one', name: 'One' })
  const second = openPlatform(filename).agents
  const { id } = await agents.create({ accountId: account.id, name: 'Front desk', greeting: 'Hello' })
  /** What each process said of each of its subjects; they begin together, once all of them are up. */
  const race = async (...racers: readonly (readonly [verb: string, subjects: readonly string[]])[]) => {
    const children = racers.map(([verb, subjects]) => startChild([filename, id, verb, ...subjects]))
    await Promise.all(children.map(child => child.ready))
    return Promise.all(children.map(child => child.go()))
  }
  return { agents, second, id, race }
}

function startChild(args: readonly string[]) {
  const child = runChild(new URL('./children/change-agent.ts', import.meta.url), args)
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'close')
  const lines: string[] = []
  const output = createInterface(child.stdout)
  const ready = once(output, 'line')
  return {
    ready,
    async go(): Promise<readonly string[]> {
      output.on('line', line => lines.push(line))
      child.stdin.write('go\n')
      expect(await ended).toEqual([0, null])
      return lines
    },
  }
}

/** As many branches as rounds, each with one edit. */
async function branchesWith(
  agents: Platform['agents'],
  id: AgentId,
  edit: (branchId: string, round: number) => Promise<unknown>,
): Promise<readonly string[]> {
  const ids: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const branch = await agents.createBranch(id, { branchName: `round ${round}` })
    await edit(branch.id, round)
    ids.push(branch.id)
  }
  return ids
}

it('ST7 merges of two processes are one after the other: each is in main, and no revision forgets an earlier one', async () => {
  const { agents, id, race } = await anAgentOnFile()
  const adding = (racer: string) =>
    branchesWith(agents, id, (branch, round) =>
      agents.createTopic(id, branch, { name: `${racer} ${round}`, content: 'c' }),
    )
  const outcomes = await race(['merge', await adding('one')], ['merge', await adding('two')])
  const topics = await agents.topics(id, 'main')
  expect(topics).toHaveLength(2 * ROUNDS)
  const deployments = [...(await agents.deployments(id, 'sandbox'))].reverse()
  expect(deployments.map(deployment => deployment.id).sort()).toEqual(outcomes.flat().sort())
  expect(deployments.map(({ number }) => number)).toEqual(deployments.map((_, at) => at + 1))
  expect(deployments.map(({ revision }) => revision)).toEqual(deployments.map((_, at) => at + 2))
  for (const { revision } of deployments) {
    expect((await agents.content(id, revision)).topics).toHaveLength(revision - 1)
  }
})

it('ST7 of two merges that conflict, in two processes, the second meets the conflict in every round', async () => {
  const { agents, id, race } = await anAgentOnFile()
  const first = await agents.createBranch(id, { branchName: 'topics' })
  const topics: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const topic = await agents.createTopic(id, first.id, { name: `topic ${round}`, content: 'base' })
    topics.push(topic.id)
  }
  await agents.merge(id, first.id)
  const changing = (racer: string) =>
    branchesWith(agents, id, (branch, round) =>
      agents.updateTopic(id, branch, topics[round] ?? '', { content: racer }),
    )
  const [one = [], two = []] = await race(['merge', await changing('one')], ['merge', await changing('two')])
  for (let round = 0; round < ROUNDS; round++) {
    const refused = [one[round], two[round]].filter(outcome => outcome === 'MERGE_CONFLICTS')
    expect(refused).toHaveLength(1)
    const winner = one[round] === 'MERGE_CONFLICTS' ? 'two' : 'one'
    expect(await agents.topic(id, 'main', topics[round] ?? '')).toMatchObject({ content: winner })
  }
})

it('AG30 topics that two processes add to one branch at once are all there', async () => {
  const { agents, id, race } = await anAgentOnFile()
  const branch = await agents.createBranch(id, { branchName: 'work' })
  const names = (racer: string) => Array.from({ length: ROUNDS }, (_, round) => `${racer} ${round}`)
  const subjects = (racer: string) => names(racer).map(name => `${branch.id}=${name}`)
  const outcomes = await race(['add', subjects('one')], ['add', subjects('two')])
  const topics = await agents.topics(id, branch.id)
  expect(topics.map(({ name }) => name)).toEqual([...names('one'), ...names('two')].sort())
  expect(topics.map(topic => topic.id).sort()).toEqual(outcomes.flat().sort())
})

it('AG40 promotions and rollbacks that race all leave a record, and the newest alone is active', async () => {
  const { agents, id, race } = await anAgentOnFile()
  const sandbox = await agents.publish(id)
  const live = await agents.promote(id, sandbox.id, { targetEnvironment: 'live' })
  const rounds = (subject: string) => Array.from({ length: ROUNDS }, () => subject)
  const outcomes = await race(
    ['promote', rounds(sandbox.id)],
    ['promote', rounds(sandbox.id)],
    ['roll back', rounds(live.id)],
  )
  const listed = await agents.deployments(id, 'live')
  const made = [live.id, ...outcomes.flat()]
  expect(listed.map(deployment => deployment.id).sort()).toEqual(made.sort())
  expect(listed.map(({ number }) => number)).toEqual(listed.map((_, at) => listed.length + 1 - at))
  expect((await agents.activeDeployments(id)).live).toEqual(listed[0])
})

/** Codes of refusals among outcomes. */
const refusals = (outcomes: readonly PromiseSettledResult<unknown>[]): readonly unknown[] =>
  outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason.code ?? outcome.reason] : []))

it('ST7 of two merges that conflict, on two nodes in one breath, one is refused in every round', async () => {
  const { agents, second, id } = await anAgentOnFile()
  for (let round = 0; round < ROUNDS; round++) {
    const [one, two] = [
      await agents.createBranch(id, { branchName: 'one' }),
      await second.createBranch(id, { branchName: 'two' }),
    ]
    await agents.updateBehavior(id, one.id, `one ${round}`)
    await second.updateBehavior(id, two.id, `two ${round}`)
    const outcomes = await Promise.allSettled([agents.merge(id, one.id), second.merge(id, two.id)])
    expect(refusals(outcomes)).toEqual(['MERGE_CONFLICTS'])
    const winner = outcomes[0]?.status === 'fulfilled' ? 'one' : 'two'
    for (const node of [agents, second]) {
      expect(await node.behavior(id, 'main')).toBe(`${winner} ${round}`)
    }
  }
})

it('AG30 of two topics of one name, on two nodes in one breath, one is refused in every round', async () => {
  const { agents, second, id } = await anAgentOnFile()
  const branch = await agents.createBranch(id, { branchName: 'work' })
  const names: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const input = { name: `topic ${String(round).padStart(2, '0')}`, content: 'c' }
    const both = [agents.createTopic(id, branch.id, input), second.createTopic(id, branch.id, input)]
    expect(refusals(await Promise.allSettled(both))).toEqual(['KNOWLEDGE_BASE_TOPIC_ALREADY_EXISTS'])
    names.push(input.name)
  }
  for (const node of [agents, second]) {
    expect((await node.topics(id, branch.id)).map(({ name }) => name)).toEqual(names)
  }
})

it('AG40 of two promotions on two nodes in one breath both are recorded and one is active, for both nodes', async () => {
  const { agents, second, id } = await anAgentOnFile()
  const first = await agents.publish(id)
  const branch = await agents.createBranch(id, { branchName: 'work' })
  await agents.updateBehavior(id, branch.id, 'new')
  const { deployment } = await agents.merge(id, branch.id)
  for (let round = 0; round < ROUNDS; round++) {
    const target = 'live'
    const made = await Promise.all([
      agents.promote(id, first.id, { targetEnvironment: target }),
      second.promote(id, deployment.id, { targetEnvironment: target }),
    ])
    const recorded = made.map(({ testRunIds: _, ...deployment }) => deployment)
    const [newest, before] = recorded.sort((a, b) => b.number - a.number)
    for (const node of [agents, second]) {
      expect(await node.deployments(id, target, 2)).toEqual([newest, before])
      expect((await node.activeDeployments(id)).live).toEqual(newest)
    }
  }
  expect(await agents.deployments(id, 'live')).toHaveLength(2 * ROUNDS)
})
