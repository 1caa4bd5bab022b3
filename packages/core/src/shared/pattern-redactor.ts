import {
  findPrivate,
  NATIONAL_IDS,
  type NationalIdCountry,
  PRIVATE_KINDS,
  type PrivateKind,
} from '../domain/redaction/find-private.ts'
import { PlatformError } from '../errors.ts'
import type { Redactor } from '../ports/redactor.ts'
import { refuseUnknown } from './refuse-unknown.ts'

/** The options of a redactor by patterns. */
export interface PatternRedactorOptions {
  /** The sorts to take out. @default all */
  readonly kinds?: readonly PrivateKind[]
  /** The countries whose national numbers are taken out. @default all that are known */
  readonly countries?: readonly NationalIdCountry[]
  /** Returns the words in place of a private part. @default the sort in brackets, such as `[card]` */
  readonly mask?: (kind: PrivateKind) => string
}

/** Refuses names that a redactor does not know: it would find none. @throws SCHEMA_VALIDATION_FAILED */
function refuseOthers(option: string, given: unknown, known: readonly string[]): void {
  if (Array.isArray(given) && given.every(one => known.includes(one))) return
  const message = `${option} must be a list of ${known.join(', ')}.`
  throw new PlatformError('SCHEMA_VALIDATION_FAILED', message)
}

/**
 * Returns a redactor that finds e-mail addresses, IBANs, numbers of cards, national numbers and phone numbers. Whatever
 * has a checksum is found by it, in digits of any script and with the usual separators. A number without a checksum is
 * found by how it is written, so that some are missed: names and addresses always are.
 *
 * @throws SCHEMA_VALIDATION_FAILED for an unknown option, sort or country (EM4)
 */
export function createPatternRedactor(options: PatternRedactorOptions = {}): Redactor {
  refuseUnknown('createPatternRedactor', options, ['kinds', 'countries', 'mask'])
  const { countries = NATIONAL_IDS, kinds = PRIVATE_KINDS, mask = kind => `[${kind}]` } = options
  refuseOthers('kinds', kinds, PRIVATE_KINDS)
  refuseOthers('countries', countries, NATIONAL_IDS)
  return {
    redact(text) {
      const found: Record<string, number> = {}
      let [rest, redacted] = [0, '']
      for (const { end, kind, start } of findPrivate(text, { countries, kinds })) {
        redacted += text.slice(rest, start) + mask(kind)
        found[kind] = (found[kind] ?? 0) + 1
        rest = end
      }
      return { text: redacted + text.slice(rest), found }
    },
  }
}
