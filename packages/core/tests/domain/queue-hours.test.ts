import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isOpenAt, isTimeZone, opensAt, type QueueHours } from '../../src/domain/conversation/queue-hours.ts'

const at = (text: string): number => Date.parse(text)
const weekly = (from: string, to: string, days = [1, 2, 3, 4, 5, 6, 7]) =>
  days.map(day => ({ day, from, to }))
const hours = (timeZone: string, times: QueueHours['weekly'], holidays: string[] = []): QueueHours => ({
  ...{ timeZone, weekly: times, holidays },
})

describe('hours of a queue', () => {
  test.each([
    ['Europe/Berlin', true],
    ['Pacific/Apia', true],
    ['Etc/GMT+5', true],
    ['UTC', true],
    ['+01:00', false],
    ['Europe/Nowhere', false],
    ['', false],
  ])('DK557 "%s" is a time zone: %s', (name, expected) => {
    expect(isTimeZone(name)).toBe(expected)
  })

  test.each([
    // A Monday in winter: UTC+1.
    ['2026-01-05T07:59:59.999Z', false, '2026-01-05T08:00:00.000Z'],
    ['2026-01-05T08:00:00.000Z', true, '2026-01-05T08:00:00.000Z'],
    ['2026-01-05T15:59:59.999Z', true, '2026-01-05T15:59:59.999Z'],
    ['2026-01-05T16:00:00.000Z', false, '2026-01-07T08:00:00.000Z'],
    // A Friday: the weekend is closed.
    ['2026-01-09T16:00:00.000Z', false, '2026-01-12T08:00:00.000Z'],
    // The clock is put forward on the Sunday between.
    ['2026-03-27T17:00:00.000Z', false, '2026-03-30T07:00:00.000Z'],
    ['2026-10-23T17:00:00.000Z', false, '2026-10-26T08:00:00.000Z'],
  ])(
    'DK557 DK558 from nine to five in Berlin but on the 6th: at %s open: %s, from %s',
    (moment, isOpen, next) => {
      const office = hours('Europe/Berlin', weekly('09:00', '17:00', [1, 2, 3, 4, 5]), ['2026-01-06'])
      expect(isOpenAt(office, at(moment))).toBe(isOpen)
      expect(opensAt(office, at(moment))).toBe(at(next))
    },
  )

  test.each([
    // Put forward from 02:00 to 03:00: 02:30 is jumped over, so the queue opens at once.
    ['Europe/Berlin', '02:30', '05:00', '2026-03-29T00:00:00.000Z', '2026-03-29T01:00:00.000Z'],
    // All of it is jumped over: the next day.
    ['Europe/Berlin', '02:15', '02:45', '2026-03-29T00:00:00.000Z', '2026-03-30T00:15:00.000Z'],
    // Put back from 03:00 to 02:00: open until 02:30, and once more from 02:00.
    ['Europe/Berlin', '01:00', '02:30', '2026-10-25T00:30:00.000Z', '2026-10-25T01:00:00.000Z'],
    ['Europe/Berlin', '02:15', '02:30', '2026-10-25T00:40:00.000Z', '2026-10-25T01:15:00.000Z'],
    // By half an hour.
    ['Australia/Lord_Howe', '01:45', '02:00', '2026-04-04T15:10:00.000Z', '2026-04-04T15:15:00.000Z'],
    // At midnight: the day begins at 01:00.
    ['Africa/Cairo', '00:00', '00:30', '2026-04-23T21:00:00.000Z', '2026-04-24T21:00:00.000Z'],
    // A whole day is left out: after the 29th of December came the 31st.
    ['Pacific/Apia', '09:00', '10:00', '2011-12-30T00:00:00.000Z', '2011-12-30T19:00:00.000Z'],
  ])('DK558 in %s from %s to %s, from %s on, it opens at %s', (zone, from, to, moment, next) => {
    const queue = hours(zone, weekly(from, to))
    expect(isOpenAt(queue, at(moment))).toBe(false)
    expect(new Date(opensAt(queue, at(moment)) ?? 0).toISOString()).toBe(next)
  })

  test('DK558 one that never opens within 400 days has no next opening', () => {
    expect(opensAt(hours('UTC', []), 0)).toBeNull()
    const year = Array.from({ length: 400 }, (_, day) =>
      new Date(day * 86_400_000).toISOString().slice(0, 10),
    )
    expect(opensAt(hours('UTC', weekly('00:00', '24:00'), year), 0)).toBeNull()
    expect(opensAt(hours('UTC', weekly('00:00', '24:00'), year.slice(1)), 0)).toBe(0)
    expect(opensAt(hours('UTC', weekly('00:00', '24:00'), year.slice(0, 99)), 0)).toBe(99 * 86_400_000)
  })

  const ZONES = [
    ...['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Cairo', 'Asia/Beirut'],
    ...['America/Santiago', 'Pacific/Chatham', 'Asia/Kolkata', 'Africa/Casablanca', 'America/Nuuk'],
  ]
  const clock = fc
    .integer({ min: 0, max: 1_440 })
    .map(
      minutes =>
        `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`,
    )
  const time = fc
    .record({
      day: fc.integer({ min: 1, max: 7 }),
      ends: fc.uniqueArray(clock, { minLength: 2, maxLength: 2 }),
    })
    .map(({ day, ends }) => {
      const [from = '', to = ''] = ends.toSorted()
      return { day, from, to }
    })
  const queues = fc.record({
    timeZone: fc.constantFrom(...ZONES),
    weekly: fc.array(time, { maxLength: 6 }),
    holidays: fc.array(
      fc
        .integer({ min: 0, max: 60 })
        .map(day => new Date(at('2026-03-01') + day * 86_400_000).toISOString().slice(0, 10)),
      { maxLength: 5 },
    ),
  })
  // Around the days on which clocks are changed, and to the minute.
  const around = fc.constantFrom(
    ...['2026-03-08', '2026-03-28', '2026-03-29', '2026-04-04', '2026-04-05', '2026-04-24', '2026-09-06'],
    ...['2026-10-03', '2026-10-24', '2026-10-25', '2026-10-29', '2026-11-01', '2026-02-15', '2026-03-22'],
  )
  const moments = fc
    .tuple(around, fc.integer({ min: -600, max: 2_000 }), fc.integer({ min: 0, max: 59_999 }))
    .map(([day, minutes, rest]) => at(day) + minutes * 60_000 + rest)

  test('DK557 a queue is open exactly when the clock of its time zone says so', () => {
    fc.assert(
      fc.property(queues, moments, (queue, moment) => {
        const { timeZone } = queue
        const shown = new Date(moment).toLocaleString('sv-SE', { timeZone })
        const [date = '', timeOfDay = ''] = shown.split(' ')
        const day = new Date(`${date}T12:00:00Z`).getUTCDay() || 7
        const isOpen =
          !queue.holidays.includes(date) &&
          queue.weekly.some(one => one.day === day && one.from <= timeOfDay && timeOfDay < `${one.to}:00`)
        expect(isOpenAt(queue, moment)).toBe(isOpen)
      }),
    )
  })

  test('DK558 the next opening is the first open minute, however clocks are changed', () => {
    fc.assert(
      fc.property(queues, moments, (queue, moment) => {
        const next = opensAt(queue, moment)
        if (isOpenAt(queue, moment)) {
          expect(next).toBe(moment)
          return
        }
        const end = Math.min(next ?? Number.POSITIVE_INFINITY, moment + 2 * 86_400_000)
        for (let minute = Math.ceil(moment / 60_000) * 60_000; minute < end; minute += 60_000)
          if (isOpenAt(queue, minute)) expect.fail(`open at ${new Date(minute).toISOString()}`)
        if (next !== null) {
          expect(isOpenAt(queue, next)).toBe(true)
          expect(isOpenAt(queue, next - 1)).toBe(false)
        }
      }),
      { numRuns: 40 },
    )
  })
})
