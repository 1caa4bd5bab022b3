import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform } from '@colloquy/core'
import { expect, onTestFinished, test } from 'vitest'
import { admin, temporaryFile } from './support.ts'

/** An agent with one version in live and another one in pre-release, administered by the tool. */
async function withCandidate() {
  const file = temporaryFile()
  const platform = createPlatform({
    store: createSqliteStore({ filename: file }),
    runtime: { async *respond() {} },
    workers: false,
  })
  onTestFinished(() => platform.close())
  const { agents } = platform
  const { id: accountId } = await platform.access.createAccount({ slug: 'hotel', name: 'The hotel' })
  const { id: agentId } = await agents.create({ accountId, name: 'Desk', greeting: 'Welcome!' })
  const base = await agents.publish(agentId, { environment: 'live' })
  const branch = await agents.createBranch(agentId, { branchName: 'Breakfast' })
  await agents.createTopic(agentId, branch.id, { name: 'Breakfast', content: 'From 7 to 10.' })
  const { deployment } = await agents.merge(agentId, branch.id)
  const run = (...args: readonly string[]) => {
    const [command = '', ...rest] = args
    return admin(['--database', file, 'rollout', command, '--agent', agentId, ...rest])
  }
  return { agentId, agents, base, run, sandbox: deployment, file }
}

test('CL250 a rollout is started, listed, shown, changed and ended', async () => {
  const { agentId, agents, base, run, sandbox } = await withCandidate()
  expect(await run('list')).toMatchObject({ code: 0, out: 'None.' })
  expect(await run('start', '--percent', '10')).toMatchObject({
    code: 1,
    err: 'error: Nothing is deployed in pre-release. Name the deployment to try with --deployment.',
  })
  const candidate = await agents.promote(agentId, sandbox.id)

  const started = await run('start', '--percent', '2.5')
  const [rollout] = await agents.rollouts.list(agentId)
  const id = rollout?.id ?? ''
  expect(started).toEqual({ code: 0, err: '', out: `${id} gives 2.5 % of live to ${candidate.id}.` })
  expect(rollout).toMatchObject({
    ...{ environment: 'live', key: 'visitor', guards: [], shares: [{ basisPoints: 250 }] },
    ...{ base: { deploymentId: base.id }, candidate: { deploymentId: candidate.id } },
  })

  expect((await run('list')).out.split('\n')[1]).toMatch(new RegExp(`^${id} +live +2\\.5 % +${base.id} `))
  const { out } = await run('show', id)
  expect(out).toContain('0 conversations ran the base, 0 the candidate.')
  expect(out).toMatch(/^contained +- +- +not_enough$/m)

  expect(await run('share', id, '--percent', '57.01')).toMatchObject({
    out: `${id} gives 57.01 % to the candidate.`,
  })
  expect(await run('end', id, '--winner', 'candidate')).toMatchObject({
    out: `${id} has ended; live runs the candidate.`,
  })
  const { live } = await agents.activeDeployments(agentId)
  expect(live?.revision).toBe(candidate.revision)
  expect(await run('end', id, '--winner', 'base')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/ended/),
  })
})

test('CL250 with --json the library’s values are printed', async () => {
  const { agents, agentId, file, sandbox } = await withCandidate()
  const args = ['rollout', 'start', '--agent', agentId, '--deployment', sandbox.id, '--percent', '0']
  const { out } = await admin(['--database', file, '--json', ...args])
  expect([JSON.parse(out)]).toEqual(await agents.rollouts.list(agentId))
})

test.each([
  ...['-1', '100.01', '101', '1e1', '0x10', '', ' 5', '5%', '2.555'].map(percent => [['--percent', percent]]),
  [['--percent', '5', '--environment', 'sandbox']],
  [['--percent', '5', '--key', 'page']],
])('CL250 what is no option is refused in words: %j', async options => {
  const { agents, agentId, run } = await withCandidate()
  expect(await run('start', ...options)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^error: option '--(percent|environment|key) /),
  })
  expect(await agents.rollouts.list(agentId)).toEqual([])
})
