import type { Log } from '@colloquy/core'
import { pino } from 'pino'
import type { StandaloneSettings } from './settings.ts'

/**
 * Fields that hold secrets wherever they stand. Nothing of ours logs them: this is for what hosts and errors may add.
 */
const SECRET_FIELDS = [
  'authorization',
  'token',
  'access_token',
  'accessToken',
  'secret',
  'key',
  'api_key',
  'apiKey',
  '["x-api-key"]',
  '["x-token"]',
]

const REDACTED = SECRET_FIELDS.flatMap(field => [field, field.startsWith('[') ? `*${field}` : `*.${field}`])

/**
 * The log as lines of JSON with secrets blacked out (CR20), by default on standard error: standard output is for
 * programs. Generated credentials are known by their form, wherever they stand.
 *
 * @param secrets texts that are blacked out wherever they stand, also in the midst of others' errors
 * @param destination takes whole lines
 */
export function createLog(
  level: StandaloneSettings['logLevel'],
  secrets: readonly string[] = [],
  destination: { write(line: string): void } = pino.destination({ dest: 2, sync: true }),
): Log {
  const write = (line: string): unknown => destination.write(blackOut(line, secrets))
  const logger = pino({ level, base: null, redact: REDACTED }, { write })
  return {
    debug: (message, fields = {}) => logger.debug(fields, message),
    info: (message, fields = {}) => logger.info(fields, message),
    warn: (message, fields = {}) => logger.warn(fields, message),
    error: (message, fields = {}) => logger.error(fields, message),
  }
}

/** Secrets shorter than this are words like any other: some servers take any key at all. */
const SHORTEST_SECRET = 8

/** The keys and connector tokens that the platform generates: `cq_<kind>_<random>`. */
const GENERATED = /cq_[a-z]{2}_[\w-]{16}[\w-]*/g

/** Words that are joined by dots, as the three parts of an access token are. */
const DOTTED = /[\w-]+(?:\.[\w-]+)*/g

/** Takes the access tokens out of dotted words: two parts follow on the one that begins as JSON does in base64. */
function withoutTokens(dotted: string): string {
  const parts = dotted.split('.')
  const kept: string[] = []
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? ''
    const start = at + 2 < parts.length ? part.search(/\beyJ[\w-]/) : -1
    kept.push(start < 0 ? part : `${part.slice(0, start)}[Redacted]`)
    if (start >= 0) at += 2
  }
  return kept.join('.')
}

function blackOut(line: string, secrets: readonly string[]): string {
  return secrets
    .filter(secret => secret.length >= SHORTEST_SECRET)
    .reduce((text, secret) => text.replaceAll(JSON.stringify(secret).slice(1, -1), '[Redacted]'), line)
    .replaceAll(GENERATED, '[Redacted]')
    .replaceAll(DOTTED, withoutTokens)
}
