import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { momentOf } from '../src/commands/command.ts'

const DAY = 24 * 60 * 60 * 1000

afterEach(() => {
  vi.unstubAllEnvs()
})

test.each(['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'])(
  'CL11 an age is so many days of 24 hours, or hours, in every time zone of the machine: %s',
  zone => {
    vi.stubEnv('TZ', zone)
    fc.assert(
      fc.property(fc.nat(4_000_000_000_000), fc.nat(999_999), (now, count) => {
        expect(momentOf(`${count}d`, now)).toBe(now - count * DAY)
        expect(momentOf(`${count}h`, now)).toBe(now - (count * DAY) / 24)
      }),
    )
  },
)
