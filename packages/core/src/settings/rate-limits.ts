import * as z from 'zod'
import { about, group, numberInfo, numeric, type Range, setting } from './kinds.ts'

/** The most of anything but bytes. */
const MOST = 1_000_000

const figure = (range: Range, doc: string) => about(numeric(range), numberInfo(range, doc, null))

const shapeTo = (to: number) => ({
  perSecond: figure({ from: 0.000_001, to, fractions: true }, 'Number per second, over time.'),
  burst: figure({ from: 1, to, fractions: true }, 'Number at once, after a pause.'),
})

const rateLimit = (perSecond: number, burst: number, doc: string, most = MOST) => {
  const shape = shapeTo(most)
  return setting(
    z.strictObject(shape).nullable(),
    { perSecond, burst },
    {
      ...{ doc, unit: null, shape },
      type: 'RateLimit | null',
      allowed: '{ perSecond, burst }, or null for no limit',
      defaultText: `${perSecond} per second, burst ${burst}`,
    },
  )
}

const LIMITS = {
  key: rateLimit(50, 100, 'Requests per API key; sessions and handshakes per access token.'),
  session: rateLimit(10, 20, "A visitor's joins and messages; other frames five times as often."),
  sessionBytes: rateLimit(
    262_144,
    2_097_152,
    'Bytes of all frames of a session, counted before they are read. Frames above it are not read, and who goes on is closed with 1008 (MS92).',
    1_000_000_000,
  ),
  accessToken: rateLimit(10, 10, 'Access tokens per connector and address.'),
  text: rateLimit(10, 20, 'Texts per agent that open a session.'),
  call: rateLimit(10, 20, 'Calls that an agent makes.'),
  assistant: rateLimit(
    0.5,
    10,
    'Questions to the assistant of live agents: suggestions per live agent, summaries per handoff.',
  ),
  failedAuthentication: rateLimit(
    20,
    40,
    'Attempts per address with API keys and connector tokens that are not valid.',
  ),
}

/** The rate limits (contract/limits.md, Rate limits). */
export const rateLimits = group(
  {
    type: 'RateLimits',
    doc: 'Rate limits. Null: no limit at all (contract/limits.md, Rate limits).',
  },
  LIMITS,
  given => (given === null ? Object.fromEntries(Object.keys(LIMITS).map(name => [name, null])) : given),
)
