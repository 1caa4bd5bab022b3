import { createTestPlatform } from '@colloquy/test-support/platform'
import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  CALL_PHASES,
  type CallReport,
  isOver,
  type OutboundCall,
  reported,
} from '../../src/domain/call/outbound-call.ts'
import type { CallStanding, CallToAsk } from '../../src/ports/call-provider.ts'
import { createScriptedRuntime } from '../../src/testing/index.ts'
import { startCalls } from './support.ts'

const MINUTE = 60_000
const LONGEST = 10 * MINUTE

type Reported = 'ringing' | 'answered' | 'ended' | 'failed'

type Step =
  | { readonly does: 'report'; readonly report: Reported }
  | { readonly does: 'stand'; readonly standing: CallStanding }
  | { readonly does: 'status'; readonly fails: 'fails' | 'hangs' }
  | { readonly does: 'wait'; readonly time: number }
  | { readonly does: 'kill' }
  | { readonly does: 'read' }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc
    .constantFrom<Reported>('ringing', 'answered', 'ended', 'failed')
    .map((report): Step => ({ does: 'report', report })),
  fc
    .constantFrom<CallStanding>(
      ...[{ type: 'queued' } as const, { type: 'ringing' } as const, { type: 'answered' } as const],
      ...[
        { type: 'ended' } as const,
        { type: 'failed', reason: 'Busy.' } as const,
        { type: 'unknown' } as const,
      ],
    )
    .map((standing): Step => ({ does: 'stand', standing })),
  fc.constantFrom<'fails' | 'hangs'>('fails', 'hangs').map((fails): Step => ({ does: 'status', fails })),
  fc.constantFrom(1_000, 70_000, 3 * MINUTE).map((time): Step => ({ does: 'wait', time })),
  fc.constant<Step>({ does: 'kill' }),
  fc.constant<Step>({ does: 'read' }),
)

const OVERDUE = 'The end of the call was not reported.'

/** Two processes over one store, and what they write and hear of a call. */
async function start() {
  const started = await startCalls({ longestCall: LONGEST })
  const { clock, platform, provider, store } = started
  const calls = store.conversations.outboundCalls
  const saved: OutboundCall[] = []
  /** What was told of the call, in order, without what a crash kept from being written. */
  const heard: { readonly report: CallReport; readonly now: number }[] = []
  const told = (report: CallReport): void => void heard.push({ report, now: clock.now() })
  const crash = { comes: false, came: false }
  let reporting = false
  const { save } = calls

  function die(call: OutboundCall): never {
    Object.assign(crash, { comes: false, came: true })
    const isNews = call.phase !== saved.at(-1)?.phase && call.reason !== OVERDUE
    if (!reporting && isNews) heard.pop()
    throw new Error('killed')
  }

  Object.assign(calls, {
    async save(call: OutboundCall, expected: number) {
      if (crash.comes) die(call)
      const result = await save(call, expected)
      if (result === 'saved') saved.push(call)
      if (result === 'saved' && call.reason === OVERDUE) told({ type: 'overdue' })
      return result
    },
  })
  const { status } = provider
  Object.assign(provider, {
    async status(call: CallToAsk) {
      const standing = await status(call)
      if (standing.type === 'unknown')
        told({ type: 'failed', reason: 'The call provider does not know the call.' })
      else if (standing.type !== 'queued') told(standing)
      return standing
    },
  })
  const other = createTestPlatform({
    ...{ store, clock, runtime: createScriptedRuntime({}, clock), callProvider: provider },
    longestCall: LONGEST,
  })
  const { id } = await started.place()

  return {
    ...{ ...started, calls, crash, heard, id, saved },
    async report(type: Reported) {
      reporting = true
      const { calls: reports } = platform
      const report: CallReport = type === 'failed' ? { type, reason: 'Broken.' } : { type }
      const done = type === 'failed' ? reports.failed({ id, reason: 'Broken.' }) : reports[type]({ id })
      await done.then(
        () => told(report),
        error => expect(String(error)).toContain('killed'),
      )
      reporting = false
    },
    async close() {
      await other.platform.close()
      await platform.close()
    },
  }
}

type Started = Awaited<ReturnType<typeof start>>

async function take({ clock, crash, id, provider, report, status }: Started, step: Step): Promise<void> {
  switch (step.does) {
    case 'report':
      return report(step.report)
    case 'stand':
      return provider.stand(id, step.standing)
    case 'status':
      return provider.scriptStatus(step.fails)
    case 'wait':
      return clock.advance(step.time)
    case 'kill':
      crash.comes = true
      return
    case 'read':
      // Where the provider hangs the reader waits for it.
      status(id).catch(() => undefined)
      return clock.advance(11_000)
  }
}

/** What the table makes of all that was told. */
const predicted = ({ heard, saved }: Started): OutboundCall | undefined =>
  heard.reduce<OutboundCall | undefined>((call, { report, now }) => {
    const moment = { now, longest: LONGEST, deadline: 10_000, silence: MINUTE }
    return call === undefined ? call : (reported(call, report, moment) ?? call)
  }, saved[1])

it('OC10 whatever is reported, answered, fails or crashes, a call ends as the table says, once, and its conversation with it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async steps => {
      const started = await start()
      const { calls, clock, conversation, crash, id, saved } = started
      for (const one of steps) {
        await take(started, one)
        const call = await calls.find(id)
        expect(call?.phase).toBe(predicted(started)?.phase)
        const spoken = await conversation(id)
        if (call !== null && isOver(call)) expect(spoken === null || spoken.endedAt !== null).toBe(true)
        else if (!crash.came) expect(spoken?.endedAt === null).toBe(call?.phase === 'answered')
      }
      crash.comes = false
      await clock.advance(LONGEST + 3 * MINUTE)
      const call = await calls.find(id)
      const { phase, reason } = predicted(started) ?? {}
      expect(call).toMatchObject({ phase, reason })
      expect(saved.map(({ version }) => version)).toEqual(saved.map((_, index) => index + 1))
      expect(saved.filter(isOver)).toHaveLength(1)
      expect(saved.at(-1)).toEqual(call)
      for (const [index, { phase: next }] of saved.slice(1).entries())
        expect(Object.values(CALL_PHASES[saved[index]?.phase ?? 'failed'])).toContain(next)
      const spoken = await conversation(id)
      if (saved.some(one => one.phase === 'answered')) expect(spoken).not.toBeNull()
      expect(spoken?.endedAt).not.toBeNull()
      await started.close()
    }),
    { numRuns: runs(15, 150) },
  )
})
