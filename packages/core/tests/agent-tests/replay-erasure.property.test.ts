import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPlatformError } from '../../src/errors.ts'
import type { Script } from '../../src/testing/index.ts'
import { recorded } from './replay-support.ts'
import { AGENT, createBench } from './support.ts'

const CONVERSATIONS = 4
const one = fc.nat(CONVERSATIONS - 1)

/** Turns that one replay answers worse than before, and a conversation that is erased once so many are behind it. */
const replaying = fc.record({
  type: fc.constant('replay' as const),
  worse: fc.uniqueArray(one, { maxLength: CONVERSATIONS }),
  last: fc.integer({ min: 1, max: CONVERSATIONS + 1 }),
  erased: fc.option(fc.record({ after: fc.nat(CONVERSATIONS), which: one })),
})
const erasing = fc.record({ type: fc.constant('erase' as const), which: one })
const accepting = fc.record({ type: fc.constant('accept' as const), which: fc.nat(5) })
const history = fc.array(fc.oneof(replaying, erasing, accepting), { minLength: 1, maxLength: 8 })
const share = fc.constantFrom(0, 0.1, 0.25, 0.5)
const bounds = fc.record({ maxWorse: share, maxChanged: share, maxNotReplayable: share })

async function begin(limits: { maxWorse: number; maxChanged: number; maxNotReplayable: number }) {
  const worse = new Set<string>()
  const script: Script = {
    greeting: 'Hi.',
    otherwise: ({ input }) => [
      { type: 'wait', milliseconds: 100 },
      ...(input.type === 'message' && worse.has(input.text)
        ? []
        : [{ type: 'topic' as const, name: 'Bar', cited: true }]),
      'Yes.',
    ],
  }
  const bench = await createBench({
    script: { ...script, otherwise: [{ type: 'topic', name: 'Bar', cited: true }, 'Yes.'] },
  })
  const { ids } = await recorded(bench, ...Array.from({ length: CONVERSATIONS }, (_, at) => [`${at}`]))
  const { platform } = bench.open({
    script,
    testRuns: { casesAtOnce: 1 },
    requireReplay: { environments: ['live'], sample: 2, ...limits },
  })
  const { agents, conversations } = platform
  const { accountId = '' } = (await agents.find(AGENT)) ?? {}
  const { id: deploymentId } = await agents.publish(AGENT, { environment: 'sandbox' })
  const left = new Set(ids)
  const erase = async (which: number) => {
    const id = ids[which] ?? ''
    if (left.delete(id)) await conversations.remove(accountId, AGENT, id)
  }
  const passes = () =>
    agents.promote(AGENT, deploymentId, { targetEnvironment: 'live' }).then(
      () => true,
      error => {
        if (isPlatformError(error) && error.code === 'DEPLOYMENTS_REPLAY_NOT_PASSED') return false
        throw error
      },
    )
  const all = () => agents.replays(AGENT, { limit: 100 })
  const openGroups = async () => {
    const reports = await Promise.all((await all()).map(({ id }) => agents.replay(AGENT, id)))
    return reports.flatMap(({ id, groups }) =>
      groups.flatMap(({ accepted, turns: _, ...group }) => (accepted === null ? [{ id, group }] : [])),
    )
  }
  const accept = async (found: Awaited<ReturnType<typeof openGroups>>[number] | undefined) => {
    if (found !== undefined)
      await agents.acceptReplayGroup(AGENT, found.id, { ...found.group, why: 'As it should be.' })
  }
  const replay = async (
    answers: { worse: readonly number[]; last: number },
    meanwhile?: { after: number; which: number } | null,
  ) => {
    if (left.size === 0) return
    worse.clear()
    for (const at of answers.worse) worse.add(`${at}`)
    const { id } = await agents.startReplay(AGENT, { deploymentId, last: answers.last })
    const found = () => agents.replay(AGENT, id)
    for (let rounds = 0; meanwhile && rounds < 20; rounds++) {
      const now = await found()
      if (now.replayed >= meanwhile.after || now.status !== 'running') break
      await bench.clock.advance(100)
    }
    const before = await found()
    if (meanwhile) await erase(meanwhile.which)
    await bench.clock.advance(10_000)
    await platform.idle()
    const after = await found()
    expect(after.status).toBe('finished')
    for (const { accepted: _, turns, ...group } of before.groups)
      expect(
        after.groups.find(other => expect.objectContaining(group).asymmetricMatch(other))?.turns,
      ).toBeGreaterThanOrEqual(turns)
  }
  return { accept, all, erase, left, openGroups, passes, replay }
}

describe('erasing conversations of a required replay', () => {
  test('TE98 changes nothing of what a replay says, and leaves a way to pass', async () => {
    await fc.assert(
      fc.asyncProperty(history, bounds, async (steps, limits) => {
        const { accept, all, erase, left, openGroups, passes, replay } = await begin(limits)
        for (const step of steps) {
          if (step.type === 'replay') await replay(step, step.erased)
          else if (step.type === 'accept') await accept((await openGroups())[step.which])
          else {
            const before = await passes()
            const counted = (await openGroups()).length
            await erase(step.which)
            expect((await openGroups()).length).toBe(counted)
            // Where there is nothing to replay any more, a lack of replays is none.
            if (left.size > 0) expect(await passes()).toBe(before)
          }
        }
        await replay({ worse: [], last: CONVERSATIONS + 1 })
        for (const found of await openGroups()) await accept(found)
        expect([await passes(), (await all()).length]).toEqual([true, expect.any(Number)])
      }),
      { numRuns: runs(15, 300) },
    )
  })
})
