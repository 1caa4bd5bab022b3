import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** True when the campaigns run. */
    readonly campaigns: boolean
  }
}

/** How often a property is tried: `quick` times by `npm test`, and `campaign` times by `npm run test:nightly`. */
export const runs = (quick: number, campaign: number): number => (inject('campaigns') ? campaign : quick)
