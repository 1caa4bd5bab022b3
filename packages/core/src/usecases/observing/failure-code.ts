import { isPlatformError } from '../../errors.ts'

/** Returns the code under which a failure is counted. */
export const failureCode = (error: unknown): string => (isPlatformError(error) ? error.code : 'INTERNAL')
