import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { type AgentId, type AgentRuntime, asId, createPlatform, type Platform } from '@colloquy/core'
import { expect, it, onTestFinished } from 'vitest'
import { createSqliteStore } from '../src/store.ts'
import { runChild } from './children/child.ts'
import { temporaryFile } from './files.ts'

const silent: AgentRuntime = { async *respond() {} }
const ROUNDS = 12

/** An agent over a new file, and a way to have it changed by processes of their own. */
async function anAgentOnFile() {
  const filename = temporaryFile()
  const platform: Platform = createPlatform({
    store: createSqliteStore({ filename }),
    runtime: silent,
    rateLimits: null,
  })
  onTestFinished(platform.close)
  const { agents } = platform
  const { id } = await agents.create({ accountId: asId('ws-one'), name: 'Front desk', greeting: 'Hello' })
  /** What each process said of each of its subjects. */
  const race = (verb: string, ...racers: readonly (readonly string[])[]) =>
    Promise.all(racers.map(subjects => outcomesOf([filename, id, verb, ...subjects])))
  return { agents, id, race }
}

async function outcomesOf(args: readonly string[]): Promise<readonly string[]> {
  const child = runChild(new URL('./children/change-agent.ts', import.meta.url), args)
  const ended = once(child, 'close')
  const printed = await text(child.stdout)
  expect(await ended).toEqual([0, null])
  return printed.trim().split('\n')
}

/** As many branches as rounds, each with one edit. */
async function branchesWith(
  agents: Platform['agents'],
  id: AgentId,
  edit: (branchId: string, round: number) => Promise<unknown>,
): Promise<readonly string[]> {
  const ids: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const branch = await agents.createBranch(id, { name: `round ${round}` })
    await edit(branch.id, round)
    ids.push(branch.id)
  }
  return ids
}

it('AG18 merges of two processes are one after the other: each is in main, and no revision forgets an earlier one', async () => {
  const { agents, id, race } = await anAgentOnFile()
  const adding = (racer: string) =>
    branchesWith(agents, id, (branch, round) =>
      agents.createTopic(id, asId(branch), { name: `${racer} ${round}`, content: 'c' }),
    )
  const outcomes = await race('merge', await adding('one'), await adding('two'))
  const topics = await agents.topics(id, asId('main'))
  expect(topics).toHaveLength(2 * ROUNDS)
  const deployments = [...(await agents.deployments(id, 'sandbox'))].reverse()
  expect(deployments.map(deployment => deployment.id).sort()).toEqual(outcomes.flat().sort())
  expect(deployments.map(({ number }) => number)).toEqual(deployments.map((_, at) => at + 1))
  expect(deployments.map(({ revision }) => revision)).toEqual(deployments.map((_, at) => at + 2))
  for (const { revision } of deployments) {
    expect((await agents.content(id, revision)).topics).toHaveLength(revision - 1)
  }
})

it('AG18 of two merges that conflict, in two processes, the second meets the conflict in every round', async () => {
  const { agents, id, race } = await anAgentOnFile()
  const first = await agents.createBranch(id, { name: 'topics' })
  const topics: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const topic = await agents.createTopic(id, first.id, { name: `topic ${round}`, content: 'base' })
    topics.push(topic.id)
  }
  await agents.merge(id, first.id)
  const changing = (racer: string) =>
    branchesWith(agents, id, (branch, round) =>
      agents.updateTopic(id, asId(branch), topics[round] ?? '', { content: racer }),
    )
  const [one = [], two = []] = await race('merge', await changing('one'), await changing('two'))
  for (let round = 0; round < ROUNDS; round++) {
    const refused = [one[round], two[round]].filter(outcome => outcome === 'MERGE_CONFLICTS')
    expect(refused).toHaveLength(1)
    const winner = one[round] === 'MERGE_CONFLICTS' ? 'two' : 'one'
    expect(await agents.topic(id, asId('main'), topics[round] ?? '')).toMatchObject({ content: winner })
  }
})

it('AG27 topics that two processes add to one branch at once are all there', async () => {
  const { agents, id, race } = await anAgentOnFile()
  const branch = await agents.createBranch(id, { name: 'work' })
  const names = (racer: string) => Array.from({ length: ROUNDS }, (_, round) => `${racer} ${round}`)
  const subjects = (racer: string) => names(racer).map(name => `${branch.id}=${name}`)
  const outcomes = await race('add', subjects('one'), subjects('two'))
  const topics = await agents.topics(id, branch.id)
  expect(topics.map(({ name }) => name)).toEqual([...names('one'), ...names('two')].sort())
  expect(topics.map(topic => topic.id).sort()).toEqual(outcomes.flat().sort())
})

it('AG44 promotions and rollbacks that race all leave a record, and the newest alone is active', async () => {
  const { agents, id, race } = await anAgentOnFile()
  const sandbox = await agents.publish(id)
  const live = await agents.promote(id, sandbox.id, { target: 'live' })
  const rounds = (subject: string) => Array.from({ length: ROUNDS }, () => subject)
  const [promoted, rolledBack] = await Promise.all([
    race('promote', rounds(sandbox.id), rounds(sandbox.id)),
    race('roll back', rounds(live.id)),
  ])
  const listed = await agents.deployments(id, 'live')
  const made = [live.id, ...promoted.flat(), ...rolledBack.flat()]
  expect(listed.map(deployment => deployment.id).sort()).toEqual(made.sort())
  expect(listed.map(({ number }) => number)).toEqual(listed.map((_, at) => listed.length + 1 - at))
  expect((await agents.activeDeployments(id)).live).toEqual(listed[0])
})
