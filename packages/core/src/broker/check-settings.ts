import { PlatformError } from '../errors.ts'
import type { Log } from '../ports/log.ts'
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
export const checkTiming = ({ connectTimeout, pingInterval, pingTimeout }: TimingSettings): Timing => ({
  connectTimeout: checkWhole('connectTimeout', connectTimeout, 10_000),
  pingInterval: checkWhole('pingInterval', pingInterval, 10_000),
  pingTimeout: checkWhole('pingTimeout', pingTimeout, 5_000),
})

/** Fills in defaults. @throws SCHEMA_VALIDATION_FAILED naming the setting, and what is allowed (EM4) */
export const checkSettings = (settings: BrokerBusSettings): CheckedSettings => ({
  log: checkLog(settings.log),
  timing: checkTiming(settings),
  maxWaiting: checkWhole('maxWaiting', settings.maxWaiting, 8_388_608, Number.MAX_SAFE_INTEGER),
})
