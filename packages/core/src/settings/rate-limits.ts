import * as z from 'zod'
import { about, group, numberInfo, numeric, type Range, setting } from './kinds.ts'

const figure = (range: Range, doc: string) => about(numeric(range), numberInfo(range, doc, null))

const SHAPE = {
  perSecond: figure({ from: 0.000_001, to: 1_000_000, fractions: true }, 'How many per second, over time.'),
  burst: figure({ from: 1, to: 1_000_000, fractions: true }, 'How many at once, after a pause.'),
}

const rateLimit = (perSecond: number, burst: number, doc: string) =>
  setting(
    z.strictObject(SHAPE).nullable(),
    { perSecond, burst },
    {
      ...{ doc, unit: null, shape: SHAPE },
      type: 'RateLimit | null',
      allowed: '{ perSecond, burst }, or null for no limit',
      defaultText: `${perSecond} per second, burst ${burst}`,
    },
  )

const LIMITS = {
  key: rateLimit(50, 100, 'Requests per API key; sessions and handshakes per access token.'),
  session: rateLimit(10, 20, "A visitor's joins and messages; other frames five times as often."),
  accessToken: rateLimit(10, 10, 'Access tokens per connector and address.'),
  text: rateLimit(10, 20, 'Texts per agent that open a session.'),
  call: rateLimit(10, 20, 'Calls that an agent makes.'),
  failedAuthentication: rateLimit(
    20,
    40,
    'Attempts per address with API keys and connector tokens that are not valid.',
  ),
}

/** How often something may be done (contract/limits.md, Rate limits). */
export const rateLimits = group(
  {
    type: 'RateLimits',
    doc: 'How often something may be done; null for no limit at all (contract/limits.md, Rate limits).',
  },
  LIMITS,
  given => (given === null ? Object.fromEntries(Object.keys(LIMITS).map(name => [name, null])) : given),
)
