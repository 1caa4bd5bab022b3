import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPlatform, silentLog } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { describe, expect, onTestFinished, test } from 'vitest'
import { junitOf, markdownOf, type ShownReplay } from '../src/replay-report.ts'
import { admin, serve, temporaryFile } from './support.ts'

/** A server whose agent was asked when breakfast is, and a branch that does not know it any more. */
async function openHotel() {
  const platform = createPlatform({
    ...{ store: createMemoryStore(), runtime: createRetrievalRuntime(), log: silentLog },
    ...{ rateLimits: null, onError: () => undefined },
  })
  onTestFinished(() => platform.close())
  const { id: accountId } = await platform.access.createAccount({ slug: 'hotel', name: 'The hotel' })
  const { id: agentId } = await platform.agents.create({ accountId, name: 'Desk', greeting: 'Welcome!' })
  const { id: branchId } = await platform.agents.createBranch(agentId, { branchName: 'first' })
  const { id: topicId } = await platform.agents.createTopic(agentId, branchId, {
    ...{ name: 'Breakfast', content: 'Breakfast is from 7 to 10.', exampleQueries: ['When is breakfast?'] },
  })
  await platform.agents.merge(agentId, branchId)
  const live = await platform.agents.publish(agentId, { environment: 'live' })
  const { connector } = await platform.access.createConnector({
    ...{ accountId, agentId, environment: 'live', hosts: [] },
  })
  const { conversationId } = await platform.chat.create(connector, {})
  await platform.chat.respond(connector, { conversationId, message: 'When is breakfast? <b>&' })
  await platform.chat.close(connector, conversationId)
  await platform.agents.deleteTopic(agentId, branchId, topicId)
  const { secret } = await platform.access.createApiKey({ kind: 'workspace', accountId })
  const env = { COLLOQUY_URL: await serve(platform), COLLOQUY_WORKSPACE_KEY: secret }
  const run = (...args: readonly string[]) => admin(['replay', '--agent', agentId, ...args], { env })
  const accept = (...args: readonly string[]) =>
    admin(['replay', 'accept', '--agent', agentId, ...args], { env })
  return { platform, agentId, branchId, live, env, run, accept }
}

const VERDICTS = {
  ...{ worse: 1, errored: 0, changed: 0, off_script: 0 },
  ...{ not_replayable: 0, better: 0, reworded: 0, same: 0 },
}

/** A replay with these groups. */
const shownOf = (values: Partial<ShownReplay['report']>, groups: ShownReplay['groups']): ShownReplay => ({
  report: {
    ...{ id: 'REPLAY-1', agentId: 'A', deploymentId: 'D', branchId: null, environment: 'live' },
    ...{ artifactVersion: '1', version: 'v', mode: 'recorded_history', status: 'finished', error: null },
    ...{ selection: { last: 1, environment: 'live', days: null }, conversations: 1, replayed: 1, erased: 0 },
    ...{ startedAt: '', finishedAt: null, verdicts: VERDICTS, noise: { turns: 0, different: 0 } },
    ...{ judge: { judged: 0, failed: 0 }, groups: [], ...values },
  },
  groups,
})

const folderOf = () => join(temporaryFile(), '..')

describe('replay', () => {
  test('TE65 exits with 1 for a turn that is worse, and writes reports, until that is accepted', async () => {
    const { run, branchId, platform, agentId } = await openHotel()
    const folder = folderOf()
    const [junit, markdown] = [join(folder, 'replay.xml'), join(folder, 'replay.md')]
    const reports = ['--junit', junit, '--markdown', markdown]
    const worse = await run('--branch', branchId, '--fail-on', 'worse', ...reports)
    expect(worse).toMatchObject({ code: 1, err: 'error: 1 turn is worse, and nobody has accepted that.' })
    expect(worse.out).toMatch(/^REPLAY-\S+: 1 worse, 1 same\nverdict {2}reason/)
    const xml = readFileSync(junit, 'utf8')
    expect(xml).toContain('tests="2" failures="1" errors="0"')
    expect(xml).toContain('<failure message="worse (no_answer): Breakfast → no topic, 1 turn">Conversation ')
    expect(xml).toContain(
      'Visitor: When is breakfast? &lt;b&gt;&amp;\nThen: Breakfast is from 7 to 10.\nNow: ',
    )
    const page = readFileSync(markdown, 'utf8')
    expect(page).toContain('| worse | 1 |')
    expect(page).toContain('## worse \\(no\\_answer\\): Breakfast → no topic\n\n1 turn')
    expect(page).toContain('- When is breakfast? \\<b\\>\\&\n  - then: Breakfast is from 7 to 10\\.')
    expect(page).toContain('0 of 2 differed')
    expect(await run('--branch', branchId)).toMatchObject({ code: 0 })
    const [newest] = await platform.agents.replays(agentId, { branchId })
    expect(newest?.selection).toEqual({ last: 50, environment: 'live', days: null })
    const group = { verdict: 'worse', reason: 'no_answer', from: 'Breakfast', to: '' } as const
    await platform.agents.acceptReplayGroup(agentId, newest?.id ?? '', { ...group, why: 'No breakfast.' })
    const accepted = await run('--branch', branchId, '--fail-on', 'changed')
    expect(accepted).toMatchObject({ code: 0, out: expect.stringContaining('No breakfast.') })
  })

  test('TE65 accepts one group with a reason, which the audit log keeps, and nothing else', async () => {
    const { accept, run, branchId, platform, agentId, env } = await openHotel()
    const start = ['replay', 'start', '--agent', agentId, '--branch', branchId, '--fail-on', 'worse']
    expect(await admin(start, { env })).toMatchObject({ code: 1 })
    const [{ id } = { id: '' }] = await platform.agents.replays(agentId, { branchId })
    const why = ['--why', 'No breakfast.']
    for (const [args, code, message] of [
      [[id], 2, /--why <text>' not specified/],
      [[id, '--why', ''], 2, /'--why <text>' is not valid/],
      [[id, ...why, '--verdict', 'same'], 2, /'--verdict <verdict>' is not valid/],
      [why, 2, /missing required argument 'replay'/],
      [[id, ...why, '--from', ''], 1, /^error: The replay \S+ has no such group of turns\.$/],
      [['REPLAY-NONE', ...why], 1, /^error: TEST_RUN_NOT_FOUND: /],
    ] as const)
      expect(await accept(...args)).toMatchObject({ code, err: expect.stringMatching(message) })
    expect(await admin(['replay', 'accept', id, '--agent', agentId, ...why])).toMatchObject({ code: 2 })
    expect((await platform.agents.replay(agentId, id)).groups).toMatchObject([{ accepted: null }])

    const done = await accept(id, ...why, '--verdict', 'worse', '--from', 'Breakfast', '--to', '')
    expect(done).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/no_answer .*No breakfast\.$/),
    })
    const { groups } = await platform.agents.replay(agentId, id)
    expect(groups).toMatchObject([{ verdict: 'worse', accepted: { why: 'No breakfast.' } }])
    const { entries } = await platform.audit.list({ action: 'replay.accepted' })
    expect(entries).toMatchObject([{ resource: { id }, details: { why: 'No breakfast.', turns: 1 } }])
    const json = await admin(['--json', 'replay', 'accept', id, '--agent', agentId, ...why], { env })
    expect(JSON.parse(json.out)).toMatchObject({ id, groups: [{ accepted: { why: 'No breakfast.' } }] })
    expect(await run('--branch', branchId, '--fail-on', 'worse')).toMatchObject({ code: 0 })
  })

  test('TE65 accepts none of several groups', async () => {
    const { accept, run, branchId, platform, agentId } = await openHotel()
    await platform.agents.updateResponseSettings(agentId, branchId, { greeting: 'Hello!' })
    await run('--branch', branchId)
    const [{ id } = { id: '' }] = await platform.agents.replays(agentId, { branchId })
    expect(await accept(id, '--why', 'All of it.')).toMatchObject({
      ...{ code: 1, out: '' },
      err: `error: 2 groups of ${id} are so. Name one with --verdict, --reason, --from and --to.`,
    })
    expect(await accept(id, '--why', 'The greeting.', '--reason', 'text')).toMatchObject({ code: 0 })
    const { groups } = await platform.agents.replay(agentId, id)
    expect(groups.map(({ accepted, verdict }) => [verdict, accepted?.why])).toEqual([
      ['worse', undefined],
      ['reworded', 'The greeting.'],
    ])
  })

  test('TE98 a report says how many conversations were erased since', () => {
    const head = (values: object) => markdownOf(shownOf(values, [])).split('\n')[2]
    expect(head({ erased: 2, conversations: 3 })).toMatch(
      /^finished: 1 turn of 3 conversations \(2 erased since\)\. /,
    )
    expect(head({})).not.toContain('erased')
  })

  test('TE65 exits with 0 where nothing is worse, with the replay as JSON if it is asked for', async () => {
    const { run, live } = await openHotel()
    const [days, mode] = [
      ['--days', '3'],
      ['--mode', 'live_history'],
    ] as const
    const same = await run('--deployment', live.id, '--fail-on', 'changed', '--json', ...days, ...mode)
    expect(same).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(same.out)).toMatchObject({
      ...{ deploymentId: live.id, status: 'finished', mode: 'live_history', verdicts: { same: 2 } },
      selection: { days: 3 },
    })
  })

  test('TE65 what is not understood exits with 2, what the server refuses with 1', async () => {
    const { run, live, branchId, agentId, env, platform } = await openHotel()
    for (const [args, message] of [
      [[], /--deployment <id> or --branch <id>/],
      [['--branch', branchId, '--deployment', live.id], /--deployment <id> or --branch <id>/],
      [['--branch', branchId, '--last', '1001'], /'--last <count>' is not valid: expected a whole number/],
      [['--branch', branchId, '--fail-on', 'better'], /'--fail-on <verdict>' is not valid/],
    ] as const)
      expect(await run(...args)).toMatchObject({ code: 2, err: expect.stringMatching(message) })
    expect(await run('--branch', 'BRANCH-NONE')).toMatchObject({
      ...{ code: 1, err: expect.stringMatching(/^error: BRANCH_NOT_FOUND: /) },
    })
    const without = { COLLOQUY_URL: env.COLLOQUY_URL }
    expect(await admin(['replay', '--agent', agentId, '--branch', branchId], { env: without })).toMatchObject(
      {
        ...{ code: 2, err: expect.stringMatching(/COLLOQUY_WORKSPACE_KEY/) },
      },
    )
    const folder = folderOf()
    for (const file of [folder, join(folder, 'none', 'replay.xml')])
      expect(await run('--branch', branchId, '--junit', file)).toMatchObject({
        ...{ code: 1, err: `error: ${file} cannot be written.` },
      })
    const both = join(folder, 'both')
    expect(await run('--branch', branchId, '--junit', both, '--markdown', `${both}/.`)).toMatchObject({
      ...{ code: 2, err: 'error: --junit and --markdown must name two files.' },
    })
    expect(await platform.agents.replays(agentId)).toEqual([])
    expect(
      await admin(['replay', '--agent', agentId, '--branch', branchId, '--database', 'x.db'], { env }),
    ).toMatchObject({ code: 2, err: expect.stringMatching(/replay works over HTTP/) })
  })

  test('TE65 an accepted group fails nothing, one that was given up fails always', () => {
    const accepted = { why: 'It | moved', by: 'Ada', at: '2026-01-01T00:00:00.000Z' }
    const group = { verdict: 'worse', reason: 'no_answer', from: 'A\u0000', to: '', turns: 1 } as const
    const erased = { ...group, conversationId: 'C', turn: 1, reply: '', recorded: null }
    const shown = shownOf({ status: 'errored', error: 'Gone & <lost>.' }, [
      { ...group, accepted, examples: [erased] },
    ])
    const junit = junitOf(shown, 'changed')
    expect(junit).toContain('tests="2" failures="0" errors="1"')
    expect(junit).toContain('name="worse (no_answer): A? → no topic, 1 turn"/>')
    expect(junit).toContain('<error message="Gone &amp; &lt;lost&gt;."/>')
    const open = junitOf({ ...shown, groups: [{ ...group, accepted: null, examples: [erased] }] }, 'worse')
    expect(open).toContain('>The conversation was erased.</failure>')
    expect(markdownOf(shown)).toContain('Accepted: It \\| moved\n\n- The conversation was erased.')
    expect(markdownOf(shown)).not.toContain('judge')
  })

  test('TE65 the reports say why the judge decided, and where it failed', () => {
    const group = { verdict: 'worse', reason: 'judged', from: 'A', to: 'A', turns: 2 } as const
    const { turns: _, ...key } = group
    const recorded = { userInput: 'When?', reply: 'At 7.' }
    const turn = { ...key, conversationId: 'C', turn: 1, reply: 'No.', recorded }
    const examples = [
      { ...turn, judged: { reason: 'The hour is gone <here>.', rule: 'text' as const } },
      { ...turn, judged: null },
      turn,
    ]
    const shown = shownOf({ judge: { judged: 1, failed: 1 } }, [{ ...group, accepted: null, examples }])
    const junit = junitOf(shown, 'worse')
    expect(junit).toContain('Now: No.\nJudge: The hour is gone &lt;here&gt;. (by rule: text)\n')
    expect(junit).toContain('Now: No.\nJudge: it failed, so the rule decided\n')
    expect(junit.match(/Judge: /g)).toHaveLength(2)
    const page = markdownOf(shown)
    expect(page).toContain('A judge compared 1 turn and failed for 1 turn.')
    expect(page).toContain('  - judge: The hour is gone \\<here\\>\\. \\(by rule: text\\)\n  - C')
    expect(page.match(/- judge: /g)).toHaveLength(2)
  })
})
