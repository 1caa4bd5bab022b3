import { ENGLISH_PHRASES } from '../english.ts'
import type { Phrases } from '../phrases.ts'
import { AR } from './ar.ts'
import { HI, JA, KO, TH, ZH } from './asia.ts'
import { DE } from './de.ts'
import { ES } from './es.ts'
import { FR } from './fr.ts'
import { phrasesOf } from './pack.ts'

/** The phrases that the runtime knows on its own, by language code. */
export const PACKS: ReadonlyMap<string, Phrases> = new Map([
  ['en', ENGLISH_PHRASES],
  ...Object.entries({ ar: AR, de: DE, es: ES, fr: FR, hi: HI, ja: JA, ko: KO, th: TH, zh: ZH }).map(
    ([code, pack]) => [code, phrasesOf(pack)] as const,
  ),
])
