import {
  fitsBsn,
  fitsDni,
  fitsFrenchNir,
  fitsGermanTaxId,
  fitsIban,
  fitsLuhn,
  fitsPesel,
} from './checksums.ts'
import { type DigitRun, digitRuns, type PlacedDigit } from './digit-runs.ts'

/** Sorts of private data that patterns find. */
export const PRIVATE_KINDS = ['email', 'iban', 'card', 'national_id', 'phone'] as const
export type PrivateKind = (typeof PRIVATE_KINDS)[number]

/** Countries whose national numbers are found. Each number has a checksum. */
export const NATIONAL_IDS = ['DE', 'ES', 'FR', 'NL', 'PL'] as const
export type NationalIdCountry = (typeof NATIONAL_IDS)[number]

/** A part of a text that is private. */
export interface PrivatePart {
  readonly kind: PrivateKind
  readonly start: number
  /** Behind its last character. */
  readonly end: number
}

const CARD = { fewest: 13, most: 19 } as const
const PHONE = { fewest: 7, most: 15, national: 9 } as const
/** The length of an IBAN by country (the registry of ISO 13616). */
const IBAN_LENGTHS = new Map(
  (
    'AD24AE23AL28AT20AZ28BA20BE16BG22BH22BR29BY28CH21CR22CY28CZ24DE22DK18DO28EE20EG29ES24FI18FO18FR27GB22GE22GI23' +
    'GL18GR27GT28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22MK19MR27MT31MU30' +
    'NL18NO15PK24PL28PS29PT25QA29RO24RS22SA24SC31SE24SI19SK24SM27ST25SV28TL23TN24TR26UA29VA22VG24XK20'
  )
    .match(/.{4}/g)
    ?.map(entry => [entry.slice(0, 2), Number(entry.slice(2))]),
)
const EMAIL = { name: 64, host: 255 } as const

const isWord = (character: string | undefined): boolean =>
  character !== undefined && /^[\p{L}\p{N}]$/u.test(character)

const isNamePart = (character: string | undefined): boolean =>
  isWord(character) || (character !== undefined && '._%+-'.includes(character))

const isHostPart = (character: string | undefined): boolean =>
  isWord(character) || character === '.' || character === '-'

function* emails(text: string): Generator<PrivatePart> {
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    let start = at
    while (at - start < EMAIL.name && isNamePart(text[start - 1])) start--
    let end = at + 1
    while (end - at <= EMAIL.host && isHostPart(text[end])) end++
    while (end > at && (text[end - 1] === '.' || text[end - 1] === '-')) end--
    const host = text.slice(at + 1, end)
    if (start < at && host.lastIndexOf('.') > 0) yield { kind: 'email', start, end }
  }
}

/**
 * Returns the IBAN of a length that starts at a place, and its end: letters and digits with single separators between.
 * Null if the text has no more.
 */
function ibanAt(text: string, start: number, length: number) {
  let letters = ''
  let at = start
  for (; letters.length < length; at++) {
    const character = text.charAt(at)
    if (/^[A-Za-z0-9]$/.test(character)) letters += character.toUpperCase()
    else if (!(' \u00a0-'.includes(character) && /^[A-Za-z0-9]$/.test(text.charAt(at + 1)))) return null
  }
  return { letters, end: at }
}

function* ibans(text: string): Generator<PrivatePart> {
  for (let start = 0; start < text.length; start++) {
    const length = IBAN_LENGTHS.get(text.slice(start, start + 2).toUpperCase())
    if (length === undefined || isWord(text[start - 1])) continue
    const found = ibanAt(text, start, length)
    if (
      found === null ||
      isWord(text[found.end]) ||
      !/^..\d\d/.test(found.letters) ||
      !fitsIban(found.letters)
    )
      continue
    yield { kind: 'iban', start, end: found.end }
  }
}

const valuesOf = (digits: readonly PlacedDigit[]): readonly number[] => digits.map(({ value }) => value)
const endOf = (digits: readonly PlacedDigit[]): number => (digits.at(-1)?.at ?? 0) + 1

/** True where a group of digits ends, so that a number may end there. */
const endsGroup = (run: DigitRun, place: number): boolean => run.digits[place + 1]?.begins !== false

function* cards(run: DigitRun): Generator<PrivatePart> {
  const { digits } = run
  for (let first = 0; first + CARD.fewest <= digits.length; first++) {
    const begin = digits[first]
    // Numbers of cards begin with 2 to 6.
    if (begin === undefined || !begin.begins || begin.value < 2 || begin.value > 6) continue
    for (let length = Math.min(CARD.most, digits.length - first); length >= CARD.fewest; length--) {
      const part = digits.slice(first, first + length)
      if (!endsGroup(run, first + length - 1) || !fitsLuhn(valuesOf(part))) continue
      yield { kind: 'card', start: begin.at, end: endOf(part) }
      first += length - 1
      break
    }
  }
}

const OF_DIGITS: readonly (readonly [NationalIdCountry, number, (digits: readonly number[]) => boolean])[] = [
  ['FR', 15, fitsFrenchNir],
  ['DE', 11, fitsGermanTaxId],
  ['PL', 11, fitsPesel],
  ['NL', 9, fitsBsn],
]

const NIE = { X: 0, Y: 1, Z: 2 } as const

/** A Spanish number: eight digits and a letter, or one of X, Y and Z with seven digits and a letter. */
function spanish(text: string, { digits }: DigitRun): PrivatePart | null {
  const end = endOf(digits)
  const at = text[end] === '-' ? end + 1 : end
  const letter = text.charAt(at)
  if (!/^[A-Za-z]$/.test(letter) || isWord(text[at + 1])) return null
  const start = digits[0]?.at ?? 0
  const before = text.charAt(text[start - 1] === '-' ? start - 2 : start - 1).toUpperCase()
  const foreign = before === 'X' || before === 'Y' || before === 'Z' ? NIE[before] : null
  if (foreign === null || digits.length === 8)
    return fitsDni(valuesOf(digits), letter) ? { kind: 'national_id', start, end: at + 1 } : null
  const first = text.charAt(start - 1) === '-' ? start - 2 : start - 1
  const fits = !isWord(text[first - 1]) && fitsDni([foreign, ...valuesOf(digits)], letter)
  return fits ? { kind: 'national_id', start: first, end: at + 1 } : null
}

function nationalId(text: string, run: DigitRun, countries: readonly string[]): PrivatePart | null {
  const values = valuesOf(run.digits)
  for (const [country, length, fits] of OF_DIGITS)
    if (countries.includes(country) && values.length === length && fits(values))
      return { kind: 'national_id', start: run.digits[0]?.at ?? 0, end: endOf(run.digits) }
  return countries.includes('ES') ? spanish(text, run) : null
}

/** A date at the beginning: it is no part of a number. */
const DATE = /^(?:(?:19|20)\d\d[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./](?:19|20)?\d\d)(?!\d)/

function phone(text: string, { digits, hasPlus, start }: DigitRun): PrivatePart | null {
  const end = endOf(digits)
  const { length } = digits
  if (length < PHONE.fewest || length > PHONE.most + 2) return null
  const isOpened = text.slice(start, end).includes(')')
  const part = { kind: 'phone', start: isOpened || hasPlus ? start : (digits[0]?.at ?? start), end } as const
  const written = text.slice(part.start, end)
  if (hasPlus || written.startsWith('00')) return part
  if (DATE.test(written) || length < PHONE.national || length > PHONE.most) return null
  const groups = digits.filter(({ begins }) => begins).length
  return digits[0]?.value === 0 || written.includes('(') || groups >= 3 ? part : null
}

/** The sorts and countries to look for. */
export interface PrivateSearch {
  readonly kinds: readonly PrivateKind[]
  readonly countries: readonly NationalIdCountry[]
}

/** Returns the private parts of a text, in order. Of two that overlap, the one with the better check counts. */
export function findPrivate(text: string, { countries, kinds }: PrivateSearch): readonly PrivatePart[] {
  const found: PrivatePart[] = []
  const isTaken = new Uint8Array(text.length)
  const add = (part: PrivatePart | null): void => {
    if (part === null || !kinds.includes(part.kind) || isTaken.subarray(part.start, part.end).includes(1))
      return
    isTaken.fill(1, part.start, part.end)
    found.push(part)
  }
  for (const part of emails(text)) add(part)
  for (const part of ibans(text)) add(part)
  const runs = digitRuns(text)
  for (const run of runs) for (const part of cards(run)) add(part)
  for (const run of runs) add(nationalId(text, run, countries))
  for (const run of runs) add(phone(text, run))
  return found.toSorted((one, other) => one.start - other.start)
}
