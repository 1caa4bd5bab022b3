export { type ErrorCode, isPlatformError, PlatformError } from './errors.ts'
