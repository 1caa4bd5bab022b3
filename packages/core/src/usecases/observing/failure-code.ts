import { isPlatformError } from '../../errors.ts'

/** The code under which a failure is counted. */
export const failureCode = (error: unknown): string => (isPlatformError(error) ? error.code : 'INTERNAL')
