import { consoleLog, type Log, PlatformError } from '@colloquy/core'
import type { BrokerBusSettings, CheckedSettings } from './broker-bus.ts'

/** The settings of every bus, for `refuseUnknown`. */
export const BROKER_BUS_SETTINGS: readonly (keyof BrokerBusSettings)[] = [
  'log',
  'connectTimeout',
  'pingInterval',
  'pingTimeout',
  'maxWaiting',
]

/** The longest delay of a timer, milliseconds. */
const LONGEST = 2 ** 31 - 1

const refusal = (message: string): PlatformError => new PlatformError('SCHEMA_VALIDATION_FAILED', message)

function checkWhole(name: string, value: unknown, usual: number, most = LONGEST): number {
  if (value === undefined) return usual
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most) return value
  throw refusal(`${name} must be a whole number from 1 to ${most}, not ${String(value)}.`)
}

function checkLog(log: Log | undefined): Log {
  if (log === undefined) return consoleLog
  const levels = ['debug', 'info', 'warn', 'error']
  const isLog =
    typeof log === 'object' &&
    log !== null &&
    levels.every(level => typeof Reflect.get(log, level) === 'function')
  if (isLog) return log
  throw refusal(`log must be an object with the functions ${levels.join(', ')}.`)
}

/** Fills in defaults. @throws SCHEMA_VALIDATION_FAILED naming the setting, and what is allowed (EM4) */
export function checkSettings(settings: BrokerBusSettings): CheckedSettings {
  const { connectTimeout, pingInterval, pingTimeout, maxWaiting } = settings
  return {
    log: checkLog(settings.log),
    timing: {
      connectTimeout: checkWhole('connectTimeout', connectTimeout, 10_000),
      pingInterval: checkWhole('pingInterval', pingInterval, 10_000),
      pingTimeout: checkWhole('pingTimeout', pingTimeout, 5_000),
    },
    maxWaiting: checkWhole('maxWaiting', maxWaiting, 8_388_608, Number.MAX_SAFE_INTEGER),
  }
}
