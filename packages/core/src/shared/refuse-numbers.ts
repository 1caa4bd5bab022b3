import { PlatformError } from '../errors.ts'

/** The numbers that an option takes: whole ones, unless it is a share. */
export interface NumberRange {
  readonly least: number
  /** @default 2147483647, the longest delay of a timer */
  readonly most?: number
  /** True for any number in between. @default false */
  readonly isShare?: boolean
}

const MOST = 2 ** 31 - 1

/**
 * Refuses options that are no numbers within their range. What is left out is not looked at.
 *
 * @throws SCHEMA_VALIDATION_FAILED naming the option, what is allowed and what was given (EM4)
 */
export function refuseNumbers(options: object, ranges: Readonly<Record<string, NumberRange>>): void {
  for (const [name, { isShare = false, least, most = MOST }] of Object.entries(ranges)) {
    const value: unknown = Reflect.get(options, name)
    if (value === undefined) continue
    const fits = typeof value === 'number' && value >= least && value <= most
    if (fits && (isShare || Number.isInteger(value))) continue
    const given = typeof value === 'number' ? String(value) : value === null ? 'null' : `a ${typeof value}`
    throw new PlatformError(
      'SCHEMA_VALIDATION_FAILED',
      `${name} must be a ${isShare ? 'number' : 'whole number'} from ${least} to ${most}, not ${given}.`,
    )
  }
}
