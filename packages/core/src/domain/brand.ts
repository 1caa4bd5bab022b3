/** The words that stand for the platform in what clients read (contract/accounts-and-keys.md, Brand). */
export interface Brand {
  /** In the names of events, in capitals: `EVENT_TYPE_<EVENTS>_AGENT_JOINED`. */
  readonly events: string
  /** In the names of headers, `X-<Headers>-Correlation-Id`, and of fields. */
  readonly headers: string
}

/** What follows the brand's word in the name of a header. */
export type BrandedHeader = 'Auth-Token' | 'Correlation-Id' | 'Event-ID' | 'Signature' | 'Timestamp'

/** The name of the field of a voice that the host's speech provider offers, for example `isAIVoice`. */
export const brandedVoice = ({ headers }: Pick<Brand, 'headers'>): string => `is${headers}Voice`

/** The name of a header that is written with the brand's word. Names of headers compare in any case. */
export const brandedHeader = ({ headers }: Brand, name: BrandedHeader): string => `X-${headers}-${name}`
