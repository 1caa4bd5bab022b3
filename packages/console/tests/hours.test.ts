import { expect, test } from 'vitest'
import { datesOf, timesOf, timesText } from '../page/views/settings/hours.ts'

test.each([
  ['', []],
  ['09:00-17:00', ['09:00-17:00']],
  [' 9-12 ,13.30 – 24:00', ['09:00-12:00', '13:30-24:00']],
  ['17:00-09:00', null],
  ['9-9', null],
  ['9-24:01', null],
  ['9-12:60', null],
  ['9', null],
  ['9-12-15', null],
  ['nine-five', null],
])('CO603 the times of a day "%s" are read as %j', (text, expected) => {
  const times = timesOf(2, text)
  expect(times?.map(({ from, to }) => `${from}-${to}`) ?? null).toEqual(expected)
  if (times !== null) {
    expect(times.every(({ day }) => day === 2)).toBe(true)
    expect(timesOf(2, timesText(times, 2))).toEqual(times)
    expect(timesText(times, 3)).toBe('')
  }
})

test.each([
  ['', []],
  ['2026-12-25\n2027-01-01', ['2026-12-25', '2027-01-01']],
  ['2026-12-25, 2026-12-26', ['2026-12-25', '2026-12-26']],
  ['2026-02-30', null],
  ['25.12.2026', null],
])('CO603 the holidays "%s" are read as %j', (text, expected) => {
  expect(datesOf(text)).toEqual(expected)
})
