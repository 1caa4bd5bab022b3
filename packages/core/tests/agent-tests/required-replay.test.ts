import { describe, expect, test } from 'vitest'
import { createPlatform, type Platform } from '../../src/platform.ts'
import { contextOf } from '../../src/platform-context.ts'
import type { Settings } from '../../src/settings/settings.ts'
import type { Script } from '../../src/testing/index.ts'
import { recorded, replayed, talk } from './replay-support.ts'
import { AGENT, createBench } from './support.ts'

const refused = (message: string, replayId: unknown = expect.any(String)) => ({
  code: 'DEPLOYMENTS_REPLAY_NOT_PASSED',
  message: expect.stringContaining(message),
  details: { body: { replayId } },
})

/** The topics of a branch are its name; the agent says which it has. */
const script: Script = {
  greeting: 'Hi.',
  otherwise({ content }) {
    const names = content.topics.map(({ name }) => name).join()
    return [{ type: 'topic', name: names === '' ? 'None' : names, cited: true }, 'Yes.']
  },
}

const requireReplay = { environments: ['live' as const] }

/** Conversations in live, before anything is required. */
async function begin(...conversations: readonly (readonly string[])[]) {
  const bench = await createBench({ script })
  return { bench, ...(await recorded(bench, ...conversations)) }
}

/** Merges one more topic to sandbox. */
async function merged({ agents }: Platform, name: string) {
  const branch = await agents.createBranch(AGENT, { branchName: name })
  await agents.createTopic(AGENT, branch.id, { name, content: name })
  const replay = { branchId: branch.id }
  return { branch, replay, merge: async () => (await agents.merge(AGENT, branch.id)).deployment }
}

const toLive = ({ agents }: Platform, id: string) => agents.promote(AGENT, id, { targetEnvironment: 'live' })

describe('required replays', () => {
  test('TE62 and TE48 let content go live once a replay of it has passed, that of its branch too', async () => {
    const { bench } = await begin(['a'], ['b'])
    const { platform } = bench.open({ script, requireReplay })
    const { replay, merge } = await merged(platform, 'Bar')
    const { id } = await replayed(platform, replay)
    const deployment = await merge()
    await expect(toLive(platform, deployment.id)).rejects.toMatchObject(
      refused('2 of 4 turns are changed or off_script, more than maxChanged', id),
    )
    const report = await platform.agents.replay(AGENT, id)
    const [group] = report.groups
    if (group === undefined) throw new Error('There is no group.')
    const { turns: _, accepted: __, ...key } = group
    await platform.agents.acceptReplayGroup(AGENT, id, { ...key, why: 'The bar is new.' })
    const live = await toLive(platform, deployment.id)
    expect((await platform.agents.activeDeployments(AGENT)).live?.id).toBe(live.id)
    const again = await replayed(platform, { deploymentId: deployment.id })
    expect(again.report.groups).toMatchObject([{ ...key, accepted: { why: 'The bar is new.' } }])
    const published = await bench.open({ script, requireReplay }).platform.agents.publish(AGENT, {
      environment: 'pre-release',
    })
    expect(published.version).toBe(live.version)
  })

  test('TE62 refuse content of which there is none, or another one, and say which', async () => {
    const { bench } = await begin(['a'])
    const { platform } = bench.open({ script, requireReplay })
    const bar = await (await merged(platform, 'Bar')).merge()
    await expect(toLive(platform, bar.id)).rejects.toMatchObject(
      refused('there is none of this version', null),
    )
    await expect(platform.agents.publish(AGENT, { environment: 'live' })).rejects.toMatchObject(
      refused('there is none of this version', null),
    )
    await expect(
      platform.agents.rollouts.start(AGENT, { deploymentId: bar.id, basisPoints: 100 }),
    ).rejects.toMatchObject(refused('there is none of this version', null))
    const { id } = await platform.agents.startReplay(AGENT, { deploymentId: bar.id })
    await expect(toLive(platform, bar.id)).rejects.toMatchObject(refused(`${id}, is still running`, id))
    await platform.idle()
    await expect(toLive(platform, bar.id)).rejects.toMatchObject(refused('has too many differences', id))
    // The same content as live runs.
    const back = await platform.agents.createBranch(AGENT, { branchName: 'back' })
    const [topic] = await platform.agents.topics(AGENT, back.id)
    await platform.agents.deleteTopic(AGENT, back.id, topic?.id ?? '')
    const same = (await platform.agents.merge(AGENT, back.id)).deployment
    await replayed(platform, { deploymentId: same.id })
    await toLive(platform, same.id)
  })

  test('TE62 refuse nothing else: no rollback, no other environment, no agent without conversations', async () => {
    const { bench, deploymentId } = await begin(['a'])
    const free = await (await merged(bench.platform, 'Bar')).merge()
    await toLive(bench.platform, free.id)
    const { platform } = bench.open({ script, requireReplay })
    const back = await platform.agents.rollback(AGENT, deploymentId)
    expect((await platform.agents.activeDeployments(AGENT)).live?.id).toBe(back.id)
    await platform.agents.promote(AGENT, free.id, { targetEnvironment: 'pre-release' })
    const fresh = await createBench({ script, requireReplay })
    await toLive(fresh.platform, (await (await merged(fresh.platform, 'Bar')).merge()).id)
  })

  test('TE63 count conversations, age and shares of all turns', async () => {
    const { bench } = await begin(['a'], ['b'], ['c'], ['d'])
    const { agents } = bench.platform
    const deployment = await agents.publish(AGENT, { environment: 'sandbox' })
    const strict = (values: object) =>
      bench.open({ script, requireReplay: { ...requireReplay, ...values } }).platform
    const tried = (values: object) =>
      toLive(strict(values), deployment.id).then(
        () => 'deployed',
        (error: { message: string }) => error.message,
      )
    await replayed(bench.platform, { deploymentId: deployment.id, last: 3 })
    expect(await tried({ sample: 3 })).toBe('deployed')
    expect(await tried({ sample: 4 })).toMatch(/fewer than 4 conversations of live, and there were more/)
    await replayed(bench.platform, { deploymentId: deployment.id, days: 1, last: 100 })
    expect(await tried({ sample: 5, days: 1 })).toBe('deployed')
    expect(await tried({ sample: 5, days: 2 })).toMatch(/fewer than 5/)
    await replayed(bench.platform, { deploymentId: deployment.id, last: 100 })
    expect(await tried({ sample: 100 })).toBe('deployed')
    const { testRuns } = bench.store.agents
    for (const run of await testRuns.list({ agentId: AGENT, replays: true }, 9)) {
      const older = { ...run, startedAt: run.startedAt - 2 * 86_400_000, writes: run.writes + 1 }
      expect(await testRuns.save(run.writes, older, [])).toBe('written')
    }
    expect(await tried({ sample: 3, days: 1 })).toMatch(/older than 1 day\b/)
    expect(await tried({ sample: 3, days: 3 })).toBe('deployed')

    const old = bench.open({ script, turnRecording: 'outcome' })
    await talk(old.platform, 'e')
    await replayed(bench.platform, { deploymentId: deployment.id, last: 5 })
    expect(await tried({ sample: 5, days: 1, maxNotReplayable: 0.19 })).toMatch(
      /2 of 10 turns are not_replayable, more than maxNotReplayable/,
    )
    expect(await tried({ sample: 5, days: 1, maxNotReplayable: 0.2 })).toBe('deployed')
  })

  test('TE90 are not passed by asking a model again until it answers as before', async () => {
    const { bench } = await begin(['a'])
    let asked = 0
    const noisy: Script = {
      greeting: 'Hi.',
      // Every second replay finds nothing.
      otherwise: () => (++asked % 2 === 0 ? 'Yes.' : [{ type: 'topic', name: 'None', cited: true }, 'Yes.']),
    }
    const { platform } = bench.open({ script: noisy, requireReplay })
    const { replay, merge } = await merged(platform, 'Bar')
    // The conversation itself is also asked with its own content, to measure the noise.
    const replays: Awaited<ReturnType<typeof replayed>>[] = []
    while (replays.length < 22) {
      await bench.clock.advance(1_000)
      replays.push(await replayed(platform, replay))
      asked++
    }
    const deployment = await merge()
    const failed = replays.filter(({ report }) => report.verdicts.worse > 0)
    expect(failed.length).toBeGreaterThan(0)
    expect(failed.length).toBeLessThan(replays.length)
    for (const { id, report } of failed.toReversed()) {
      await expect(toLive(platform, deployment.id)).rejects.toMatchObject(
        refused('1 of 2 turns are worse or errored, more than maxWorse', id),
      )
      for (const { turns: _, accepted: __, ...key } of report.groups)
        await platform.agents.acceptReplayGroup(AGENT, id, { ...key, why: 'It is a model.' })
    }
    await toLive(platform, deployment.id)
  })

  test('TE96 are not passed by replays that push one that did not pass out of those that are kept', async () => {
    const DAY = 86_400_000
    const { bench } = await begin(['a'])
    let isWorse = true
    const noisy: Script = {
      greeting: 'Hi.',
      otherwise: () => (isWorse ? 'Yes.' : [{ type: 'topic', name: 'None', cited: true }, 'Yes.']),
    }
    const strict = { ...requireReplay, days: 3 }
    const { platform } = bench.open({ script: noisy, requireReplay: strict, testRuns: { kept: 2 } })
    const { replay, merge } = await merged(platform, 'Bar')
    const asked = async () => {
      await bench.clock.advance(1_000)
      return (await replayed(platform, replay)).id
    }
    const listed = async () => (await platform.agents.replays(AGENT)).map(({ id }) => id)
    const bad = await asked()
    isWorse = false
    const good = [await asked(), await asked(), await asked()]
    expect(await listed()).toEqual([good[2], good[1], bad])
    const deployment = await merge()
    await expect(toLive(platform, deployment.id)).rejects.toMatchObject(
      refused('1 of 2 turns are worse or errored, more than maxWorse', bad),
    )
    isWorse = true
    const others = [await asked(), await asked(), await asked()].toReversed()
    await expect(asked()).rejects.toMatchObject({
      code: 'REPLAYS_LIMIT',
      message: expect.stringContaining('The agent has 4 replays: its newest ones, and'),
    })
    expect(await listed()).toEqual([...others, bad])
    for (const { turns: _, accepted: __, ...key } of (await platform.agents.replay(AGENT, bad)).groups)
      await platform.agents.acceptReplayGroup(AGENT, bad, { ...key, why: 'It is a model.' })
    const next = await asked()
    expect(await listed()).toEqual([next, ...others])
    const { testRuns } = bench.store.agents
    for (const run of await testRuns.list({ agentId: AGENT, replays: true }, 9)) {
      const older = { ...run, startedAt: run.startedAt - 4 * DAY, writes: run.writes + 1 }
      expect(await testRuns.save(run.writes, older, [])).toBe('written')
    }
    isWorse = false
    const last = [await asked(), await asked()]
    expect(await listed()).toEqual(last.toReversed())
    await toLive(platform, deployment.id)
  })

  test('TE96 nothing is kept for it where no environment requires replays', async () => {
    const { bench } = await begin(['a'])
    const failing: Script = { greeting: 'Hi.', otherwise: [{ type: 'fail', message: 'No.' }] }
    const { platform } = bench.open({ script: failing, testRuns: { kept: 1 } })
    const { replay } = await merged(platform, 'Bar')
    const ids: string[] = []
    for (let count = 0; count < 4; count++) {
      await bench.clock.advance(1_000)
      ids.push((await replayed(platform, replay)).id)
    }
    expect((await platform.agents.replays(AGENT)).map(({ id }) => id)).toEqual(ids.slice(-1))
  })

  test('TE90 are not passed by one that was abandoned, and not undone by one that is too small', async () => {
    const { bench } = await begin(['a'], ['b'])
    const { platform } = bench.open({ script, requireReplay: { ...requireReplay, sample: 2 } })
    const { branch, replay, merge } = await merged(platform, 'Bar')
    const slow = bench.open({
      script: { ...script, otherwise: [{ type: 'wait', milliseconds: 500 }, 'Yes.'] },
    })
    const { id } = await slow.platform.agents.startReplay(AGENT, replay)
    await platform.agents.createTopic(AGENT, branch.id, { name: 'Pool', content: 'Pool.' })
    await bench.clock.advance(5_000)
    await platform.idle()
    expect(await platform.agents.replay(AGENT, id)).toMatchObject({ status: 'errored' })
    const [pool] = await platform.agents.topics(AGENT, branch.id)
    expect(pool?.name).toBe('Bar')
    const deployment = await merge()
    await expect(toLive(platform, deployment.id)).rejects.toMatchObject(refused('there is none', null))
    await replayed(platform, { deploymentId: deployment.id, last: 1 })
    await expect(toLive(platform, deployment.id)).rejects.toMatchObject(refused('has fewer than 2'))
  })

  test('TE62 and TE98 ask for no replay of what was erased, and forget none that is under way or did not pass', async () => {
    const { bench, ids } = await begin(['a'], ['b'])
    const { platform } = bench.open({
      script: { ...script, otherwise: [{ type: 'wait', milliseconds: 500 }, 'Yes.'] },
      requireReplay: { ...requireReplay, sample: 2 },
    })
    const { agents, conversations } = platform
    const small = await (await merged(platform, 'Bar')).merge()
    const open = await (await merged(platform, 'Pool')).merge()
    await agents.startReplay(AGENT, { deploymentId: small.id, last: 1 })
    await bench.clock.advance(5_000)
    await platform.idle()
    await expect(toLive(platform, small.id)).rejects.toMatchObject(refused('has fewer than 2'))
    const { id } = await agents.startReplay(AGENT, { deploymentId: open.id })
    await bench.clock.advance(600)
    const accountId = (await agents.find(AGENT))?.accountId ?? ''
    for (const gone of ids) await conversations.remove(accountId, AGENT, gone)
    await toLive(platform, small.id)
    await expect(toLive(platform, open.id)).rejects.toMatchObject(refused('is still running', id))
    await bench.clock.advance(5_000)
    await platform.idle()
    await expect(toLive(platform, open.id)).rejects.toMatchObject(refused('has too many differences', id))
    for (const { turns: _, accepted: __, ...key } of (await agents.replay(AGENT, id)).groups)
      await agents.acceptReplayGroup(AGENT, id, { ...key, why: 'They asked us to forget them.' })
    await toLive(platform, open.id)
  })

  test('TE48 what was accepted in any earlier replay of a content is accepted in the next one', async () => {
    const { bench } = await begin(['a'])
    const { platform } = bench.open({ script, requireReplay })
    const { replay } = await merged(platform, 'Bar')
    const first = await replayed(platform, replay)
    await bench.clock.advance(1_000)
    await replayed(platform, replay)
    for (const { turns: _, accepted: __, ...key } of first.report.groups)
      await platform.agents.acceptReplayGroup(AGENT, first.id, { ...key, why: 'The bar is new.' })
    await bench.clock.advance(1_000)
    const last = await replayed(platform, replay)
    expect(last.report.groups.map(({ accepted }) => accepted?.why)).toEqual(['The bar is new.'])
  })

  test('TE63 count failures as worse', async () => {
    const { bench } = await begin(['a'])
    const failing = bench.open({ script: { greeting: 'Hi.', otherwise: [{ type: 'fail', message: 'No.' }] } })
    const deployment = await (await merged(bench.platform, 'Bar')).merge()
    const { report } = await replayed(failing.platform, { deploymentId: deployment.id })
    expect(report.verdicts).toMatchObject({ errored: 1, same: 1 })
    const bounds = { maxWorse: 0.49, maxChanged: 1, maxNotReplayable: 1 }
    const { platform } = bench.open({ script, requireReplay: { ...requireReplay, ...bounds } })
    await expect(toLive(platform, deployment.id)).rejects.toMatchObject(
      refused('1 of 2 turns are worse or errored, more than maxWorse'),
    )
  })

  test('TE62 whatever is promoted while replays run, only content of which one has passed is ever live', async () => {
    const { bench, deploymentId } = await begin(['a'], ['b'])
    const slow = {
      ...script,
      otherwise: [{ type: 'wait' as const, milliseconds: 500 }, 'Yes.'],
    }
    const one = bench.open({ script: slow, requireReplay, testRuns: { casesAtOnce: 1 } })
    const other = bench.open({ script: slow, requireReplay, testRuns: { casesAtOnce: 1 } })
    const bad = await (await merged(bench.platform, 'Bar')).merge()
    const { agents } = one.platform
    const branch = await agents.createBranch(AGENT, { branchName: 'worse' })
    await agents.createTopic(AGENT, branch.id, { name: 'Pool', content: 'Pool.' })
    const good = (await agents.merge(AGENT, branch.id)).deployment
    await agents.startReplay(AGENT, { deploymentId: good.id })
    const outcomes: unknown[] = []
    for (let round = 0; round < 8; round++) {
      const racing = Promise.all(
        [0, 1, 2, 3].map(at =>
          toLive((at % 2 === 0 ? one : other).platform, (at < 2 ? bad : good).id).then(
            ({ version }) => version,
            (error: unknown) => error,
          ),
        ),
      )
      await bench.clock.advance(1_000)
      outcomes.push(...(await racing))
      const [group] = (await agents.replays(AGENT, { deploymentId: good.id })).slice(0, 1)
      if (group?.status !== 'finished') continue
      for (const { accepted, turns, ...key } of (await agents.replay(AGENT, group.id)).groups)
        if (accepted === null && turns > 0)
          await agents.acceptReplayGroup(AGENT, group.id, { ...key, why: 'As planned.' })
    }
    const versions = outcomes.filter(outcome => typeof outcome === 'string')
    expect(new Set(versions)).toEqual(new Set([good.version]))
    for (const outcome of outcomes)
      if (typeof outcome !== 'string')
        expect(outcome).toMatchObject({ code: 'DEPLOYMENTS_REPLAY_NOT_PASSED' })
    expect(outcomes.length).toBeGreaterThan(versions.length)
    const live = await agents.deployments(AGENT, 'live')
    expect(new Set(live.map(({ version }) => version))).toEqual(
      new Set([good.version, live.find(({ id }) => id === deploymentId)?.version]),
    )
  })

  test('TE62 a requirement that is none is refused', async () => {
    const bench = await createBench()
    const { store, runtime } = contextOf(bench.platform)
    for (const [values, message] of [
      ['{"environments":["sandbox"]}', 'requireReplay.environments[0] must be "pre-release" or "live"'],
      ['{"sample":0}', 'requireReplay.sample must be a whole number from 1 to 1000'],
      ['{"maxWorse":2}', 'requireReplay.maxWorse must be a number from 0 to 1'],
    ] as const) {
      const settings: Partial<Settings> = JSON.parse(`{"requireReplay":${values}}`)
      expect(() => createPlatform({ store, runtime, ...settings })).toThrow(message)
    }
  })
})
