import { PlatformError } from '../errors.ts'
import type { Log } from '../ports/log.ts'
import { refuseNumbers } from '../shared/refuse-numbers.ts'
import { consoleLog } from '../system/console-log.ts'
import type { Timing } from './link.ts'

/** Timeouts of connections. */
export interface TimingSettings {
  /** Timeout of a new connection, milliseconds. @default 10000 */
  readonly connectTimeout?: number
  /** Pause between two pings of a connection, milliseconds. @default 10000 */
  readonly pingInterval?: number
  /** Timeout of the answer to a ping, milliseconds. @default 5000 */
  readonly pingTimeout?: number
}

/** Settings of every bus over a broker. */
export interface BrokerBusSettings extends TimingSettings {
  /** Called when the broker is lost and back, and with invalid notices. @default the console */
  readonly log?: Log
  /** Characters of notices that may wait for the broker; further notices are lost. @default 8388608 */
  readonly maxWaiting?: number
}

/** Settings with their defaults: what `checkSettings` makes. */
export interface CheckedSettings {
  readonly log: Log
  readonly timing: Timing
  readonly maxWaiting: number
}

/** The settings of connections, for `refuseUnknown`. */
export const TIMING_SETTINGS: readonly (keyof TimingSettings)[] = [
  'connectTimeout',
  'pingInterval',
  'pingTimeout',
]

/** The settings of every bus, for `refuseUnknown`. */
export const BROKER_BUS_SETTINGS: readonly (keyof BrokerBusSettings)[] = [
  'log',
  ...TIMING_SETTINGS,
  'maxWaiting',
]

const refusal = (message: string): PlatformError => new PlatformError('SCHEMA_VALIDATION_FAILED', message)

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
export function checkTiming(settings: TimingSettings): Timing {
  refuseNumbers(settings, {
    connectTimeout: { least: 1 },
    pingInterval: { least: 1 },
    pingTimeout: { least: 1 },
  })
  const { connectTimeout = 10_000, pingInterval = 10_000, pingTimeout = 5_000 } = settings
  return { connectTimeout, pingInterval, pingTimeout }
}

/** Fills in defaults. @throws SCHEMA_VALIDATION_FAILED naming the setting, and what is allowed (EM4) */
export function checkSettings(settings: BrokerBusSettings): CheckedSettings {
  refuseNumbers(settings, { maxWaiting: { least: 1, most: Number.MAX_SAFE_INTEGER } })
  const { log, maxWaiting = 8_388_608 } = settings
  return { log: checkLog(log), timing: checkTiming(settings), maxWaiting }
}
