import { describe, expect, test } from 'vitest'
import { createMeaningJudge, createPlatform, type ReplayJudge } from '../../src/index.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createFakeClock, createScriptedRuntime, type Script } from '../../src/testing/index.ts'
import { recorded, textOf } from './replay-support.ts'
import { AGENT, createBench } from './support.ts'

const topic = (name: string) => ({ type: 'topic', name, cited: true }) as const

const old: Script = { greeting: 'Hi.', otherwise: [topic('Bar'), 'At noon.'] }

/** Each message gets another difference. */
const now: Script = {
  greeting: 'Hi.',
  otherwise(turn) {
    const text = textOf(turn)
    if (text === 'lost') return 'Sorry?'
    if (text === 'moved') return [topic('Garden'), 'At noon.']
    return text === 'said' ? [topic('Bar'), 'At twelve.'] : [topic('Bar'), 'At noon.']
  },
}

const SAID = ['same', 'lost', 'moved', 'said']

const judgeOf = (compare: (...input: Parameters<ReplayJudge['compare']>) => unknown): ReplayJudge =>
  ({ version: 'judge 1', compare }) as ReplayJudge

async function judgedBy(replayJudge: ReplayJudge, mode: 'recorded_history' | 'live_history') {
  const bench = await createBench({ script: old })
  const { deploymentId } = await recorded(bench, SAID)
  bench.kill()
  const options = { script: now, replayJudge, testRuns: { answerDeadline: 1_000 } }
  const { platform } = bench.open(options)
  const { id } = await platform.agents.startReplay(AGENT, { deploymentId, mode })
  for (let at = 0; at < 10; at++) {
    await bench.clock.settle()
    await bench.clock.advance(500)
  }
  await platform.idle()
  const { turns } = await platform.agents.replayTurns(AGENT, id)
  const of = (said: string) => turns.find(turn => turn.recorded?.userInput === said)
  return { report: await platform.agents.replay(AGENT, id), of, bench, id, deploymentId }
}

describe.each(['recorded_history', 'live_history'] as const)('with %s', mode => {
  test('TE91 a judge decides what rules call changed or reworded, and rescues nothing that is worse', async () => {
    const asked: unknown[] = []
    const judge = judgeOf(({ said, rule, before, now }) => {
      asked.push([said, rule.verdict, before.citedTopic, now.citedTopic, before.reply, now.reply])
      return { verdict: said === 'moved' ? 'reworded' : 'worse', reason: `About ${said}.` }
    })
    const { of, report } = await judgedBy(judge, mode)
    expect(asked).toEqual([
      ['moved', 'changed', 'Bar', 'Garden', 'At noon.', 'At noon.'],
      ['said', 'reworded', 'Bar', 'Bar', 'At noon.', 'At twelve.'],
    ])
    expect(of('lost')).toMatchObject({ verdict: 'worse', reason: 'no_answer' })
    expect(of('lost')).not.toHaveProperty('judged')
    expect(of('same')).toMatchObject({ verdict: 'same', reason: 'same' })
    expect(of('moved')).toMatchObject({
      ...{ verdict: 'reworded', reason: 'judged', judged: { rule: 'topic', reason: 'About moved.' } },
    })
    expect(of('said')).toMatchObject({
      ...{ verdict: 'worse', reason: 'judged', judged: { rule: 'text', reason: 'About said.' } },
    })
    expect(report.judge).toEqual({ judged: 2, failed: 0 })
    expect(report.verdicts).toMatchObject({ worse: 2, reworded: 1, changed: 0, same: 2 })
  })

  test('TE91 and TE21 a process that closes while its judge hangs gives the replay back, and another one ends it', async () => {
    const bench = await createBench({ script: old })
    const { deploymentId } = await recorded(bench, SAID)
    bench.kill()
    let asked = 0
    const hangs = judgeOf(() => new Promise(() => asked++))
    const { platform } = bench.open({ script: now, replayJudge: hangs })
    const { id } = await platform.agents.startReplay(AGENT, { deploymentId, mode })
    for (let at = 0; at < 10 && asked === 0; at++) await bench.clock.advance(100)
    expect(asked).toBe(1)
    await platform.close()
    const fair = judgeOf(() => ({ verdict: 'reworded', reason: 'Fine.' }))
    const other = bench.open({ script: now, replayJudge: fair })
    await bench.clock.advance(1_000)
    await other.platform.idle()
    expect(await other.platform.agents.replay(AGENT, id)).toMatchObject({
      ...{ status: 'finished', replayed: 1, judge: { judged: 2, failed: 0 } },
    })
  })

  test.each<readonly [string, (...input: Parameters<ReplayJudge['compare']>) => unknown]>([
    [
      'throws',
      () => {
        throw new Error('No.')
      },
    ],
    ['hangs', () => new Promise(() => {})],
    ['says what is no verdict', () => ({ verdict: 'same', reason: 'It is.' })],
    ['gives more than is asked', () => ({ verdict: 'worse', reason: 'Yes.', accepted: true })],
    ['gives no reason', () => ({ verdict: 'better' })],
    ['gives nothing', () => undefined],
  ])('TE91 a judge that %s changes nothing but the count', async (_, compare) => {
    const { of, report } = await judgedBy(judgeOf(compare), mode)
    expect(of('moved')).toMatchObject({ verdict: 'changed', reason: 'topic', judged: null })
    expect(of('said')).toMatchObject({ verdict: 'reworded', reason: 'text', judged: null })
    expect(report).toMatchObject({ status: 'finished', judge: { judged: 0, failed: 2 } })
    expect(report.verdicts).toMatchObject({ worse: 1, changed: 1, reworded: 1, same: 2 })
  })
})

test('TE91 what the judge leaves as it is keeps the reason by rule, and a long reason is cut', async () => {
  const { of } = await judgedBy(
    judgeOf(({ rule }) => ({ verdict: rule.verdict, reason: 'x'.repeat(5_000) })),
    'recorded_history',
  )
  const moved = of('moved')
  expect(moved).toMatchObject({ verdict: 'changed', reason: 'topic', judged: { rule: 'topic' } })
  expect(moved?.judged?.reason).toHaveLength(500)
})

test('TE91 a process with another judge does not go on with a replay', async () => {
  const bench = await createBench({ script: old })
  const { deploymentId } = await recorded(bench, SAID)
  bench.kill()
  const slow: Script = { ...now, otherwise: [{ type: 'wait', milliseconds: 60_000 }, 'Yes.'] }
  const judge = judgeOf(() => ({ verdict: 'reworded', reason: 'Fine.' }))
  const first = bench.open({ script: slow, replayJudge: judge })
  const { id } = await first.platform.agents.startReplay(AGENT, { deploymentId })
  await bench.clock.settle()
  first.kill()
  const other: ReplayJudge = { version: 'judge 2', compare: judge.compare }
  const second = bench.open({ script: now, replayJudge: other })
  for (let at = 0; at < 20; at++) {
    await bench.clock.advance(30_000)
    await bench.clock.settle()
  }
  expect(await second.platform.agents.replay(AGENT, id)).toMatchObject({
    status: 'errored',
    error: expect.stringContaining('is not the one'),
  })
})

test('TE91 a judge has a version, and a judge by meaning a likeness', () => {
  const ports = { store: createMemoryStore(), runtime: createScriptedRuntime(old, createFakeClock()) }
  const replayJudge = { version: '', compare: () => ({ verdict: 'worse' as const, reason: '' }) }
  expect(() => createPlatform({ ...ports, replayJudge })).toThrow('replayJudge must have a version')
  const embedder = { id: 'toy', embed: async () => [] }
  expect(() => createMeaningJudge({ embedder, alike: 2 })).toThrow('alike must be a number from 0 to 1, not')
})

test('TE93 meaning compares replies from another topic or in other words, and nothing else', async () => {
  const embedder = {
    id: 'toy',
    embed: async (texts: readonly string[]) =>
      texts.map(text => new Float32Array(/noon|twelve/.test(text) ? [1, 0.1] : [0, 1])),
  }
  const judge = createMeaningJudge({ embedder })
  const facts = { citedTopic: 'Bar', calls: [], handoff: '', delayed: false, ended: false, failed: false }
  const opinion = (verdict: 'changed' | 'reworded', reason: 'topic' | 'text' | 'end', reply: string) =>
    judge.compare(
      {
        ...{ said: 'When?', rule: { verdict, reason } },
        ...{ before: { ...facts, reply: 'At noon.' }, now: { ...facts, reply } },
      },
      new AbortController().signal,
    )
  expect(await opinion('changed', 'topic', 'At twelve.')).toMatchObject({ verdict: 'reworded' })
  expect(await opinion('changed', 'topic', 'Never.')).toMatchObject({ verdict: 'changed' })
  expect(await opinion('reworded', 'text', 'Never.')).toMatchObject({ verdict: 'changed' })
  expect(await opinion('changed', 'end', 'At twelve.')).toMatchObject({ verdict: 'changed' })
  expect(await opinion('changed', 'topic', '')).toMatchObject({ verdict: 'changed' })
  const { of } = await judgedBy(judge, 'recorded_history')
  expect(of('moved')).toMatchObject({ verdict: 'reworded', judged: { rule: 'topic' } })
  expect(of('said')).toMatchObject({ verdict: 'reworded', reason: 'text' })
})
