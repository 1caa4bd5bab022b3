import { PlatformError } from '../errors.ts'

/** Returns the refusal of everything that comes once the platform goes away (HT42). Another process may serve it. */
export const platformClosed = (): PlatformError =>
  new PlatformError('PLATFORM_CLOSED', 'The server is going away. Try again in a moment.', {
    retryAfterSeconds: 1,
  })
