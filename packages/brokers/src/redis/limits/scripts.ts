/**
 * Scripts that Redis runs. Each script reads the server's clock, so the clocks of the processes do not matter. Each
 * touches one key, so keys can be spread over servers. Numbers are passed as text, because Redis truncates fractions.
 */

/**
 * Takes 1 or 0 tokens out of a bucket. The bucket is stored as its last count and time, until it is full again. Returns
 * whether they were taken, and the rest.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local rate, burst, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local tokens, back = burst, false
local kept = redis.call('GET', KEYS[1])
if kept then
  local left, at = string.match(kept, '^(%S+) (%S+)$')
  -- A clock that has gone back neither fills nor empties it, and it fills again from now on.
  back = now < tonumber(at)
  tokens = math.min(burst, tonumber(left) + math.max(0, now - at) / 1000 * rate)
end
local taken = tokens >= 1
if taken then tokens = tokens - cost end
if back or (taken and cost > 0) then
  local full = math.ceil((burst - tokens) / rate * 1000)
  redis.call('SET', KEYS[1], string.format('%.17g %.17g', tokens, now), 'PX', string.format('%.0f', full + 1))
end
return { taken and 1 or 0, string.format('%.17g', tokens) }
`

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`

/** Writes a holder down until its lease ends, and keeps the key as long as the longest lease in it. */
const KEEP = `
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 1
`

/** Takes a place. Arguments: holder, lease, number of places. Returns 1, or 0 when all are held. */
const HOLD = `${NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local held = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not held and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
${KEEP}`

/** Renews a place, or takes it again: holder, lease. */
const RENEW = `${NOW}${KEEP}`

/** Releases a place. Argument: holder. */
const RELEASE = `return redis.call('ZREM', KEYS[1], ARGV[1])`

/** The scripts by what they do. */
export const SCRIPTS = { take: TAKE, hold: HOLD, renew: RENEW, release: RELEASE } as const

export type ScriptName = keyof typeof SCRIPTS
