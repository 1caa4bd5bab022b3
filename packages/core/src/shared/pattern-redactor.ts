import {
  findPrivate,
  NATIONAL_IDS,
  type NationalIdCountry,
  PRIVATE_KINDS,
  type PrivateKind,
} from '../domain/redaction/find-private.ts'
import type { Redactor } from '../ports/redactor.ts'

/** The options of a redactor by patterns. */
export interface PatternRedactorOptions {
  /** The sorts to take out. @default all */
  readonly kinds?: readonly PrivateKind[]
  /** The countries whose national numbers are taken out. @default all that are known */
  readonly countries?: readonly NationalIdCountry[]
  /** Returns the words in place of a private part. @default the sort in brackets, such as `[card]` */
  readonly mask?: (kind: PrivateKind) => string
}

/**
 * Returns a redactor that finds e-mail addresses, IBANs, numbers of cards, national numbers and phone numbers. Whatever
 * has a checksum is found by it, in digits of any script and with the usual separators. A number without a checksum is
 * found by how it is written, so that some are missed: names and addresses always are.
 */
export function createPatternRedactor({
  countries = NATIONAL_IDS,
  kinds = PRIVATE_KINDS,
  mask = kind => `[${kind}]`,
}: PatternRedactorOptions = {}): Redactor {
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
