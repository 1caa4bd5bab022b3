import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AttemptOutcome,
  isGone,
  resend,
  settle,
  shownOutcome,
} from '../../src/domain/webhook/attempt.ts'
import { newDelivery, type WebhookDelivery } from '../../src/domain/webhook/webhook.ts'
import { resolveSettings } from '../../src/settings/resolve-settings.ts'
import { aWebhookEvent, START, silentLog } from './support.ts'

const { retryDelays } = resolveSettings({}, silentLog).webhooks
const fresh = newDelivery(aWebhookEvent('EVENT-1'), 'WEBHOOK-1')
const answered = (status: number): AttemptOutcome => ({ type: 'answered', status })
const noAnswer: AttemptOutcome = { type: 'failed', reason: 'ECONNRESET' }

const PASSING = [408, 429, 500, 502, 503, 504, 599]
const FINAL = [300, 301, 302, 307, 308, 400, 401, 403, 404, 405, 409, 410, 413, 422]

const outcome: fc.Arbitrary<AttemptOutcome> = fc.oneof(
  fc.integer({ min: 200, max: 599 }).map(answered),
  fc.constant(noAnswer),
  fc.constant<AttemptOutcome>({
    type: 'refused',
    reason: '10.0.0.1 is not an address of the public Internet',
  }),
)

describe('one delivery', () => {
  test.each([200, 201, 204, 299])('WH10 %i is success', status => {
    const expected = { status: 'delivered', attempts: 1, dueAt: null, lastStatus: status, lastError: null }
    expect(settle(fresh, answered(status), START + 7, retryDelays)).toMatchObject(expected)
  })

  test.each([...PASSING.map(answered), noAnswer])(
    'WH10 %o is tried again after 1 min, 5 min, 15 min, 1 h and 4 h, and is dead then',
    failure => {
      const waits: number[] = []
      let [delivery, now] = [fresh, START]
      while (delivery.status === 'pending') {
        now = delivery.dueAt ?? Number.NaN
        delivery = settle(delivery, failure, now + 3, retryDelays)
        if (delivery.dueAt !== null) waits.push((delivery.dueAt - now - 3) / 60_000)
      }
      expect(waits).toEqual([1, 5, 15, 60, 240])
      expect(delivery).toMatchObject({ status: 'dead', attempts: 6, dueAt: null, lastAttemptAt: now + 3 })
    },
  )

  test.each(FINAL)('WH10 %i is dead at once, and says why', status => {
    const dead = settle(fresh, answered(status), START, retryDelays)
    expect(dead).toMatchObject({ status: 'dead', attempts: 1, dueAt: null, lastStatus: status })
    expect(dead.lastError).toContain(status < 400 ? 'Redirects are not followed' : String(status))
    expect(isGone(answered(status))).toBe(status === 410)
  })

  test('WH43 at no attempt does a delivery tell an address that may not be reached from one that is away', () => {
    const shown = (type: 'refused' | 'failed') => shownOutcome({ type, reason: '10.0.0.7' }, null)
    let [inside, away] = [fresh, fresh]
    while (away.status === 'pending') {
      const now = away.dueAt ?? Number.NaN
      inside = settle(inside, shown('refused'), now, retryDelays)
      away = settle(away, shown('failed'), now, retryDelays)
      expect(inside).toEqual(away)
    }
    expect(inside).toMatchObject({ status: 'dead', attempts: 6 })
  })

  test('WH10 a long reason is cut', () => {
    const tried = settle(fresh, { type: 'refused', reason: 'x'.repeat(10_000) }, START, retryDelays)
    expect(tried).toMatchObject({ status: 'pending', lastStatus: null, lastError: 'x'.repeat(500) })
  })

  test('WH35 sent again it is due now with all its attempts; not while it is being sent', () => {
    const dead = settle(fresh, answered(404), START, retryDelays)
    expect(resend(dead, START + 9)).toMatchObject({ status: 'pending', attempts: 0, dueAt: START + 9 })
    const sending: WebhookDelivery = { ...fresh, inFlight: true, dueAt: START + 25_000 }
    expect(resend(sending, START + 24_999)).toBeNull()
    expect(resend(sending, START + 25_000)).toMatchObject({ inFlight: false, dueAt: START + 25_000 })
  })

  test('WH10 whatever happens: at most one more attempt than waits, due later than now, and a settled one is not due', () => {
    const histories = fc.array(fc.tuple(outcome, fc.nat(10_000)), {
      size: 'max',
      maxLength: 20,
      minLength: 1,
    })
    fc.assert(
      fc.property(
        histories,
        fc.array(fc.integer({ min: 1, max: 1_000 }), { maxLength: 8 }),
        (history, delays) => {
          let [delivery, now] = [fresh, START]
          for (const [what, took] of history) {
            if (delivery.status !== 'pending') break
            now = Math.max(now, delivery.dueAt ?? 0) + took
            const next = settle(delivery, what, now, delays)
            expect(next.attempts).toBe(delivery.attempts + 1)
            expect(next.version).toBe(delivery.version + 1)
            expect(next.inFlight).toBe(false)
            expect(next.dueAt !== null).toBe(next.status === 'pending')
            if (next.dueAt !== null) expect(next.dueAt).toBe(now + (delays[delivery.attempts] ?? Number.NaN))
            expect(next.lastError === null).toBe(next.status === 'delivered')
            delivery = next
          }
          expect(delivery.attempts).toBeLessThanOrEqual(delays.length + 1)
          if (delivery.attempts > delays.length) expect(delivery.status).not.toBe('pending')
        },
      ),
      { numRuns: 500 },
    )
  })
})
