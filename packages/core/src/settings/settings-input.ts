import type { RateLimits, Settings } from './settings.ts'

type Groups = 'brand' | 'rateLimits' | 'limits' | 'webhooks' | 'testRuns' | 'semanticSearch'

/** What a host may set; what it leaves out, or gives as undefined, has its default. */
export type SettingsInput = Partial<Omit<Settings, Groups>> & {
  readonly brand?: string | Partial<Settings['brand']>
  /** Null: no limits at all. */
  readonly rateLimits?: Partial<RateLimits> | null
  readonly limits?: Partial<Omit<Settings['limits'], 'bodyBytes'>> & {
    readonly bodyBytes?: number | Partial<Settings['limits']['bodyBytes']>
  }
  readonly webhooks?: Partial<Settings['webhooks']>
  readonly testRuns?: Partial<Settings['testRuns']>
  readonly semanticSearch?: Partial<Settings['semanticSearch']>
}
