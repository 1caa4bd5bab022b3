import { writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform, type Platform, type Rollout } from '@colloquy/core'
import { expect, onTestFinished, test } from 'vitest'
import { stepTo } from '../src/commands/declared-rollout.ts'
import { admin, serve, temporaryFile } from './support.ts'

/** The places over which the tool works on rollouts. */
const PLACES = ['a store', 'the routes'] as const
type Place = (typeof PLACES)[number]

/** Returns a caller of the tool over a place, with the key of a workspace where it is needed. */
async function callerOver(place: Place, platform: Platform, accountId: string, file: string) {
  if (place === 'a store')
    return (args: readonly string[], env = {}) => admin(['--database', file, ...args], { env })
  const { secret } = await platform.access.createApiKey({ kind: 'workspace', accountId })
  const server = { COLLOQUY_URL: await serve(platform), COLLOQUY_WORKSPACE_KEY: secret }
  return (args: readonly string[], env = {}) => admin(args, { env: { ...server, ...env } })
}

/** An agent with one version in live and another one in sandbox, administered by the tool. */
async function withCandidate(place: Place = 'a store') {
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
  const call = await callerOver(place, platform, accountId, file)
  const run = (...args: readonly string[]) => {
    const [command = '', ...rest] = args
    return call(['rollout', command, '--agent', agentId, ...rest])
  }
  return { agentId, agents, base, call, run, sandbox: deployment }
}

test.each(PLACES)('CL250 over %s a rollout is started, listed, shown, changed and ended', async place => {
  const { agentId, agents, base, run, sandbox } = await withCandidate(place)
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

  expect(await run('list', '--environment', 'pre-release')).toMatchObject({ code: 0, out: 'None.' })
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

test.each(PLACES)(
  'CL250 over %s the library’s values are printed with --json, without the salt',
  async place => {
    const { agents, agentId, call, sandbox } = await withCandidate(place)
    const args = ['rollout', 'start', '--agent', agentId, '--deployment', sandbox.id, '--percent', '0']
    const { out } = await call(['--json', ...args])
    const [{ salt, ...rollout } = { id: '', salt: '' }] = await agents.rollouts.list(agentId)
    expect(JSON.parse(out)).toEqual(rollout)
    const of = [rollout.id, '--agent', agentId]
    const { rollout: _, ...figures } = await agents.rollouts.read(agentId, rollout.id)
    const shown = JSON.parse((await call(['--json', 'rollout', 'show', ...of])).out)
    expect(shown).toEqual([{ rollout, ...figures }])
    const ended = await call(['--json', 'rollout', 'end', ...of, '--winner', 'base'])
    const [{ salt: __, ...after } = { salt }] = await agents.rollouts.list(agentId)
    expect(JSON.parse(ended.out)).toEqual(after)
  },
)

test('CL250 a server wants the key of a workspace, and no operator key', async () => {
  const { run, call, agentId } = await withCandidate('the routes')
  expect(await run('list')).toMatchObject({ code: 0, out: 'None.' })
  const list = ['rollout', 'list', '--agent', agentId]
  expect(await call(list, { COLLOQUY_WORKSPACE_KEY: '', COLLOQUY_OPERATOR_KEY: 'key' })).toMatchObject({
    ...{ code: 2, err: 'error: Set the key of a workspace: COLLOQUY_WORKSPACE_KEY.' },
  })
  expect(await call(list, { COLLOQUY_WORKSPACE_KEY: 'wrong' })).toMatchObject({
    ...{ code: 1, err: expect.stringMatching(/^error: [A-Z_]+: /) },
  })
  expect(await admin(list)).toMatchObject({ code: 2, err: expect.stringMatching(/Name the target/) })
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

test.each(PLACES)(
  'CL250 over %s a file is applied: started, shared and ended, and a second time changes nothing',
  async place => {
    const { agentId, agents, run, sandbox } = await withCandidate(place)
    const file = temporaryFile()
    const apply = (declared: object, ...more: readonly string[]) => {
      writeFileSync(file, JSON.stringify(declared))
      return run('apply', file, ...more)
    }
    const { id: candidate } = await agents.promote(agentId, sandbox.id)
    const tenth = { percent: 10, guards: [] }
    expect(await apply(tenth, '--dry-run')).toMatchObject({
      out: 'A rollout would give 10 % of live to the candidate.',
    })
    expect(await agents.rollouts.list(agentId)).toEqual([])
    const started = await apply(tenth)
    const [rollout] = await agents.rollouts.list(agentId)
    const id = rollout?.id ?? ''
    expect(rollout).toMatchObject({
      candidate: { deploymentId: candidate },
      shares: [{ basisPoints: 1_000 }],
    })
    expect(started.out).toBe(`${id} gives 10 % of live to the candidate.`)
    const nothing = `Nothing to do: ${id} is as the file says.`
    expect(await apply(tenth)).toMatchObject({ code: 0, out: nothing })
    expect(await apply({ percent: 33.33 })).toMatchObject({
      out: `${id} gives 33.33 % of live to the candidate.`,
    })
    expect(await apply({ percent: 33.33, key: 'conversation' })).toMatchObject({
      code: 1,
      err: `error: ${id} has the key visitor and other guards. End it first to change them.`,
    })
    expect(await apply({ percent: 5, deploymentId: sandbox.id })).toMatchObject({
      code: 1,
      err: `error: ${id} tries ${candidate} in live. End it before ${sandbox.id} is tried.`,
    })
    expect(await apply({ percent: 33.33, winner: 'base' }, '--dry-run')).toMatchObject({
      out: `${id} would end; live runs the base.`,
    })
    expect(await apply({ percent: 33.33, winner: 'base' })).toMatchObject({
      out: `${id} has ended; live runs the base.`,
    })
    expect(await apply({ percent: 33.33, winner: 'base' })).toMatchObject({ code: 0, out: nothing })
    // Nobody starts again what was decided.
    expect(await apply({ percent: 33.33 })).toMatchObject({
      code: 1,
      err: `error: ${id} of ${candidate} has ended, and the base has won. Write "winner": "base" into the file, or name another version.`,
    })
    expect(await agents.rollouts.list(agentId)).toHaveLength(1)
  },
)

test('CL250 a file is applied however many rollouts there were since', async () => {
  const { agentId, agents, run, sandbox } = await withCandidate()
  const file = temporaryFile()
  writeFileSync(file, JSON.stringify({ percent: 10, deploymentId: sandbox.id, winner: 'base' }))
  const begin = async (deploymentId: string, environment: 'live' | 'pre-release') => {
    const { id } = await agents.rollouts.start(agentId, { deploymentId, environment, basisPoints: 1_000 })
    return { id, end: () => agents.rollouts.end(agentId, id, { winner: 'base' }) }
  }
  const first = await begin(sandbox.id, 'live')
  await first.end()
  await agents.publish(agentId, { environment: 'pre-release' })
  const main = await agents.createBranch(agentId, { branchName: 'Dinner' })
  await agents.createTopic(agentId, main.id, { name: 'Dinner', content: 'From 6 to 9.' })
  const { deployment } = await agents.merge(agentId, main.id)
  for (let count = 0; count < 75; count++)
    for (const environment of ['live', 'pre-release'] as const)
      await (await begin(deployment.id, environment)).end()
  const nothing = (id: string) => ({ code: 0, out: `Nothing to do: ${id} is as the file says.` })
  expect(await run('apply', file)).toMatchObject(nothing(first.id))
  const running = await begin(deployment.id, 'live')
  for (let count = 0; count < 101; count++) await (await begin(deployment.id, 'pre-release')).end()
  writeFileSync(file, JSON.stringify({ percent: 10 }))
  expect(await run('apply', file)).toMatchObject(nothing(running.id))
})

test('CL250 a share that an alert rule has taken away is not given back', () => {
  const declared = { environment: 'live', percent: 10, key: 'visitor', guards: ['RULE-1'] } as const
  const rollout = (basisPoints: number, by: string) =>
    ({
      ...{ id: 'ROLLOUT-1', environment: 'live', key: 'visitor', guards: ['RULE-1'], end: null },
      ...{ candidate: { deploymentId: 'D-2' }, shares: [{ basisPoints, at: 1, by }] },
    }) as unknown as Rollout
  expect(() => stepTo(declared, 'D-2', [rollout(0, 'RULE-1')])).toThrow(/The alert rule RULE-1 has taken/)
  expect(stepTo(declared, 'D-2', [rollout(0, 'a person')]).type).toBe('share')
  expect(stepTo(declared, 'D-2', [rollout(1_000, 'RULE-1')]).type).toBe('nothing')
  expect(stepTo({ ...declared, winner: 'base' }, 'D-2', [rollout(0, 'RULE-1')]).type).toBe('end')
})

test.each([
  ['', 'is not JSON.'],
  ['[]', 'is not a rollout: the file: '],
  ['{}', 'is not a rollout: percent: '],
  ['{"percent":10.123}', 'percent: expected two decimals at most'],
  ['{"percent":101}', 'percent: '],
  ['{"percent":1e-7}', 'percent: expected two decimals at most'],
  ['{"percent":1,"share":2}', 'the file: Unrecognized key: "share"'],
  ['{"percent":1,"environment":"sandbox"}', 'environment: '],
  ['{"percent":1,"winner":"me"}', 'winner: '],
  [`{"percent":1,"guards":${JSON.stringify(Array.from({ length: 11 }, String))}}`, 'guards: '],
  [' '.repeat(70_000), 'has more than 65536 bytes.'],
])('CL250 a file that is no rollout is refused in words: %#', async (text, problem) => {
  const { agentId, agents, run } = await withCandidate()
  const file = temporaryFile()
  writeFileSync(file, text)
  const { code, err } = await run('apply', file)
  expect([code, err]).toEqual([1, expect.stringContaining(problem)])
  expect(await run('apply', `${file}.none`)).toMatchObject({ err: `error: ${file}.none cannot be read.` })
  expect(await run('apply', dirname(file))).toMatchObject({ err: `error: ${dirname(file)} cannot be read.` })
  // It never ends.
  expect(await run('apply', '/dev/zero')).toMatchObject({
    err: 'error: /dev/zero has more than 65536 bytes.',
  })
  expect(await agents.rollouts.list(agentId)).toEqual([])
})
