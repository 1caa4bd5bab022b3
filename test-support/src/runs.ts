import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** True when the campaigns run. */
    readonly campaigns: boolean
  }
}

/** Returns the number of tries of a property: `quick` for `npm test`, and `campaign` for `npm run test:nightly`. */
export const runs = (quick: number, campaign: number): number => (inject('campaigns') ? campaign : quick)
