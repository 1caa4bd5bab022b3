import { properName } from '../../domain/agent/proper-name.ts'
import { PlatformError } from '../../errors.ts'
import type { RecordPageStart } from '../../ports/store/records.ts'

/** The conditions that records and figures have in common and that exclude one another. */
export interface FilterConditions {
  readonly startTime?: number
  readonly endTime?: number
  readonly variantId?: string
  readonly variantName?: string
}

const invalid = (message: string) => new PlatformError('SCHEMA_VALIDATION_FAILED', message)

/** Refuses what arithmetic would carry on with, such as the NaN of an unreadable date (RC54). */
function refuseTime(name: string, at: number): void {
  if (!Number.isSafeInteger(at))
    throw invalid(`${name} must be milliseconds since the epoch, a whole number: not ${String(at)}.`)
}

/** Refuses an invalid page (RC54). @throws SCHEMA_VALIDATION_FAILED */
export function refusePage(from: RecordPageStart, limit: number): void {
  if (!(Number.isSafeInteger(limit) && limit >= 1))
    throw invalid(`limit must be a whole number from 1, not ${String(limit)}.`)
  if ('offset' in from && !(Number.isSafeInteger(from.offset) && from.offset >= 0))
    throw invalid(`offset must be a whole number from 0, not ${String(from.offset)}.`)
}

/**
 * Returns the conditions with the variant's name in its stored form (AG38). Refuses invalid times, and conditions that
 * contradict each other (contract/conversations.md).
 * @throws SCHEMA_VALIDATION_FAILED
 */
export function checkedFilter<Filter extends FilterConditions>(filter: Filter): Filter {
  const { startTime, endTime, variantId, variantName } = filter
  if (startTime !== undefined) refuseTime('start_time', startTime)
  if (endTime !== undefined) refuseTime('end_time', endTime)
  if (startTime !== undefined && endTime !== undefined && startTime > endTime)
    throw invalid('start_time must not be after end_time.')
  if (variantId !== undefined && variantName !== undefined)
    throw invalid('variant_id and variant_name cannot be combined: give one of them.')
  return typeof variantName === 'string' ? { ...filter, variantName: properName(variantName) } : filter
}
