import * as z from 'zod'
import { group, setting } from './kinds.ts'

/** A word that the name of a header or an event can hold. */
const WORD = /^[A-Za-z0-9_-]{1,50}$/

/** Both words, where a host gives none. */
export const DEFAULT_BRAND = 'AI'

/** With it the AI agent's events would have the names of the live agent's. */
const isFree = (word: string): boolean => word.toLowerCase() !== 'live'

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null

const word = (schema: z.ZodString, doc: string) =>
  setting(schema, DEFAULT_BRAND, {
    ...{ doc, unit: null },
    ...{ type: 'string', allowed: '1 to 50 letters, digits, "_" and "-"' },
  })

/** The words that stand for the platform in what clients read (HT39; contract/accounts-and-keys.md, Brand). */
export const brand = group(
  {
    type: 'Brand',
    doc: 'The words in the names of events, and of headers and fields. A host may give one word for both (HT39).',
    defaultText: JSON.stringify(DEFAULT_BRAND),
  },
  {
    events: word(
      z
        .string()
        .regex(WORD)
        .refine(isFree, {
          error: ({ input }) => `must not be "${input}" for events, where it names the live agent's`,
        }),
      'In the names of events, in capitals: `EVENT_TYPE_<EVENTS>_AGENT_JOINED`. Not `live`.',
    ),
    headers: word(
      z.string().regex(WORD),
      'In the names of headers, `X-<Headers>-Correlation-Id`, and of fields.',
    ),
  },
  given => (isObject(given) ? given : { events: given, headers: given }),
)
