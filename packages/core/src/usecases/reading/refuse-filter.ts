import { PlatformError } from '../../errors.ts'

/** The conditions that records and figures have in common and that exclude one another. */
export interface FilterConditions {
  readonly startTime?: number
  readonly endTime?: number
  readonly variantId?: string
  readonly variantName?: string
}

/**
 * Refuses conditions that contradict each other (decisions.md sections 5 and 6).
 * @throws SCHEMA_VALIDATION_FAILED
 */
export function refuseFilter({ startTime, endTime, variantId, variantName }: FilterConditions): void {
  if (startTime !== undefined && endTime !== undefined && startTime > endTime) {
    throw new PlatformError('SCHEMA_VALIDATION_FAILED', 'start_time must not be after end_time')
  }
  if (variantId !== undefined && variantName !== undefined) {
    throw new PlatformError(
      'SCHEMA_VALIDATION_FAILED',
      'variant_id and variant_name cannot be combined: give one of them',
    )
  }
}
