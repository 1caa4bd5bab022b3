import type { Log } from '@colloquy/core'
import { pino } from 'pino'
import type { StandaloneSettings } from './settings.ts'

/** Fields that hold secrets wherever they stand. Nothing of ours logs them: this is for what hosts and errors may add. */
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
 * The log as lines of JSON with secrets blacked out (SS9), by default on standard error: standard output is for programs.
 *
 * @param destination takes whole lines
 */
export function createLog(
  level: StandaloneSettings['logLevel'],
  destination: { write(line: string): void } = pino.destination({ dest: 2, sync: true }),
): Log {
  const logger = pino({ level, base: null, redact: REDACTED }, destination)
  return {
    debug: (message, fields = {}) => logger.debug(fields, message),
    info: (message, fields = {}) => logger.info(fields, message),
    warn: (message, fields = {}) => logger.warn(fields, message),
    error: (message, fields = {}) => logger.error(fields, message),
  }
}
