/** The words that stand for the platform in what clients read (contract/accounts-and-keys.md, Brand). */
export interface Brand {
  /** In the names of events, in capitals: `EVENT_TYPE_<EVENTS>_AGENT_JOINED`. */
  readonly events: string
  /** In the names of headers, `X-<Headers>-Correlation-Id`, and of fields. */
  readonly headers: string
}

/** The names of headers without the brand's word before them. */
export type BrandedHeader = 'Auth-Token' | 'Correlation-Id' | 'Event-ID' | 'Signature' | 'Timestamp'

/** Words that hosts without a brand have. */
const USUAL = 'AI'

/**
 * Returns the word of events as a part of a name: its first letter large, and the others small where all were large.
 */
const inName = (word: string): string => {
  if (word.toUpperCase() === USUAL) return USUAL
  const rest = word === word.toUpperCase() ? word.slice(1).toLowerCase() : word.slice(1)
  return `${word.slice(0, 1).toUpperCase()}${rest}`
}

/** Returns the name of the field of a voice that the host's speech provider offers, for example `isAIVoice`. */
export const brandedVoice = ({ events }: Pick<Brand, 'events'>): string => `is${inName(events)}Voice`

/** Returns the name of the field beside `ai_duration` or `aiDuration`, with the small word of headers. */
export const brandedDuration = (
  { headers }: Pick<Brand, 'headers'>,
  rest: '_duration' | 'Duration',
): string => `${headers.toLowerCase()}${rest}`

/** Returns the fields with one more right behind a field, of the same value; fields that are there are kept. */
export const withBrandedField = <Value>(
  fields: Readonly<Record<string, Value>>,
  field: string,
  name: string,
): Readonly<Record<string, Value>> =>
  Object.hasOwn(fields, name)
    ? fields
    : Object.fromEntries(
        Object.entries(fields).flatMap(([key, value]) =>
          key === field
            ? [
                [key, value],
                [name, value],
              ]
            : [[key, value]],
        ),
      )

/** Returns the name of a header that is written with the brand's word. Names of headers compare in any case. */
export const brandedHeader = ({ headers }: Brand, name: BrandedHeader): string => `X-${headers}-${name}`
