import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CALL_KEPT,
  CALL_PHASES,
  type CallPhase,
  type CallReport,
  callIdOf,
  callStatus,
  isOver,
  newCall,
  type OutboundCall,
  overdueAt,
  postponed,
  reported,
} from '../../src/domain/call/outbound-call.ts'
import { ACCOUNT, AGENT, START } from '../../src/testing/index.ts'

const LONGEST = 86_400_000
const DEADLINE = 10_000
const TIMES = { longest: LONGEST, deadline: DEADLINE, silence: 60_000 }

const fresh = (): OutboundCall =>
  newCall(
    {
      ...{ id: callIdOf('00000000-0000-4000-8000-000000000001'), accountId: ACCOUNT, agentId: AGENT },
      ...{ environment: 'live', connectorId: 'CONNECTOR-1', variantId: null, from: null },
      ...{ to: '+12025550111', encryption: 'tls_srtp', metadata: {}, createdAt: START },
    },
    { deadline: DEADLINE },
  )

const report: fc.Arbitrary<CallReport> = fc.oneof(
  fc.constantFrom<CallReport>(
    { type: 'ringing' },
    { type: 'answered' },
    { type: 'ended' },
    { type: 'overdue' },
  ),
  fc.constantFrom('CA-1', 'CA-2').map((providerId): CallReport => ({ type: 'placed', providerId })),
  fc.constantFrom('Busy.', 'Refused.').map((reason): CallReport => ({ type: 'failed', reason })),
  fc.constant<CallReport>({ type: 'unplaced', reason: 'Away.' }),
  fc.constant<CallReport>({ type: 'ended', reason: 'No answer.' }),
)

/** A report, and how long after the one before it comes. */
const step = fc.record({ report, after: fc.constantFrom(0, 1, 5_000, 30_000, LONGEST) })

const ORDER: Readonly<Record<CallPhase, number>> = {
  queued: 0,
  calling: 1,
  answered: 2,
  succeeded: 3,
  failed: 3,
}

/** What a call is after reports, one after the other, and each state on the way. */
function through(steps: readonly { readonly report: CallReport; readonly after: number }[]) {
  const states = [fresh()]
  let now = START
  for (const { report: told, after } of steps) {
    now += after
    const last = states.at(-1) ?? fresh()
    const next = reported(last, told, { now, ...TIMES })
    if (next !== null) states.push(next)
  }
  return { states, last: states.at(-1) ?? fresh(), now }
}

describe('the states of a call', () => {
  it('OC10 a call that is placed, rings, is answered and ends has succeeded', () => {
    const { states } = through([
      { report: { type: 'placed', providerId: 'CA-1' }, after: 0 },
      { report: { type: 'ringing' }, after: 1_000 },
      { report: { type: 'answered' }, after: 1_000 },
      { report: { type: 'ended' }, after: 1_000 },
    ])
    expect(states.map(callStatus)).toEqual(['QUEUED', 'QUEUED', 'CALLING', 'CALLING', 'SUCCESS'])
    expect(states.at(-1)).toMatchObject({
      ...{ phase: 'succeeded', reason: '', providerId: 'CA-1', endedAt: START + 3_000, version: 5 },
      dueAt: START + 3_000 + CALL_KEPT,
    })
  })

  it.each([
    [[], { type: 'unplaced', reason: 'Away.' }, 'Away.'],
    [[], { type: 'failed', reason: 'Busy.' }, 'Busy.'],
    [[{ type: 'ringing' }], { type: 'ended' }, 'The call was not answered.'],
    [[{ type: 'ringing' }], { type: 'ended', reason: 'Voicemail.' }, 'Voicemail.'],
    [[{ type: 'answered' }], { type: 'failed', reason: 'The line broke.' }, 'The line broke.'],
  ] as const)('OC10 after %j a call of which %j is told has failed: %s', (before, last, reason) => {
    const { last: call } = through([...before, last].map(told => ({ report: told, after: 0 })))
    expect(call).toMatchObject({ phase: 'failed', reason })
    expect(callStatus(call)).toBe('FAILURE')
  })

  it('OC10 a provider that has reported that it rings has the call, whatever came of asking it', () => {
    const { last } = through([
      { report: { type: 'ringing' }, after: 0 },
      { report: { type: 'unplaced', reason: 'Away.' }, after: 0 },
    ])
    expect(last.phase).toBe('calling')
  })

  it('OC16 a call is overdue at its time alone: twice the deadline until it is placed, then the longest call', () => {
    const overdue = { type: 'overdue' } as const
    const at = (call: OutboundCall, now: number) => reported(call, overdue, { now, ...TIMES })
    expect(at(fresh(), START + 2 * DEADLINE - 1)).toBeNull()
    expect(at(fresh(), START + 2 * DEADLINE)).toMatchObject({
      phase: 'failed',
      reason: 'The call was not placed.',
    })
    const placed = through([{ report: { type: 'placed', providerId: 'CA-1' }, after: 0 }]).last
    expect(at(placed, START + LONGEST - 1)).toBeNull()
    expect(at(placed, START + LONGEST)).toMatchObject({ reason: 'The end of the call was not reported.' })
  })

  it('OC10 in any history of reports no call goes back, and what is over stays as it is', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), steps => {
        const { states, last, now } = through(steps)
        for (const [index, call] of states.entries()) {
          const before = states[index - 1]
          expect(call.version).toBe(index + 1)
          expect(call.reason === '').toBe(call.phase !== 'failed')
          expect(call.endedAt === null).toBe(!isOver(call))
          if (before === undefined) continue
          expect(isOver(before)).toBe(false)
          expect(ORDER[call.phase]).toBeGreaterThanOrEqual(ORDER[before.phase])
          // Each write tells something new.
          expect(
            call.phase !== before.phase || (before.providerId === null && call.providerId !== null),
          ).toBe(true)
          expect(Object.values(CALL_PHASES[before.phase])).toContain(call.phase)
        }
        // All that was told, told again: one that is over has heard it.
        if (isOver(last))
          for (const { report: told } of steps)
            expect(reported(last, told, { now: now + LONGEST, ...TIMES })).toBeNull()
      }),
      { numRuns: runs(300, 5_000) },
    )
  })

  it('OC10 a report that comes twice at once changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), report, (steps, told) => {
        const { last, now } = through(steps)
        const once = reported(last, told, { now, ...TIMES })
        if (once !== null) expect(reported(once, told, { now, ...TIMES })).toBeNull()
      }),
      { numRuns: runs(300, 5_000) },
    )
  })

  it('OC16 a call is looked at when nothing was heard of it for long, and at the latest when it is overdue', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), fc.integer({ min: 0, max: LONGEST }), (steps, later) => {
        const { last, now } = through(steps)
        const moment = { now: now + later, ...TIMES }
        const put = postponed(last, moment)
        const overdue = overdueAt(last, TIMES)
        if (!isOver(last)) expect(last.dueAt).toBeLessThanOrEqual(overdue)
        const dueAt = Math.min(moment.now + TIMES.silence, overdue)
        expect(put).toEqual(
          isOver(last) || moment.now >= overdue ? null : { ...last, version: last.version + 1, dueAt },
        )
      }),
      { numRuns: runs(300, 5_000) },
    )
  })

  it('OC16 a provider that cannot be asked leaves a call until it is overdue', () => {
    const moment = { now: START + 5, ...TIMES, silence: Number.POSITIVE_INFINITY }
    expect(reported(fresh(), { type: 'ringing' }, moment)).toMatchObject({ dueAt: START + LONGEST })
    expect(reported(fresh(), { type: 'ringing' }, { ...moment, silence: 60_000 })).toMatchObject({
      dueAt: START + 60_005,
    })
  })
})
