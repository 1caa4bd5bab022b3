import { type CharacterTest, characterTest } from './character-test.ts'
import {
  fitsBsn,
  fitsDni,
  fitsFrenchNir,
  fitsGermanTaxId,
  fitsIban,
  fitsLuhn,
  fitsPesel,
} from './checksums.ts'
import {
  type DigitRun,
  digitRuns,
  isSeparator,
  isWideSeparator,
  MOST_SEPARATORS,
  type PlacedDigit,
} from './digit-runs.ts'

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

/** Characters that a code goes on with. Letters of other scripts may stand right beside it: not all write spaces. */
const isLatin = characterTest(/^[\p{Script=Latin}\p{N}]$/u)
/** Marks belong to the letter before them, and invisible characters to whatever they stand in. */
const isPart = characterTest(/^[\p{L}\p{N}\p{M}\p{Cf}]$/u)
const isBasic = characterTest(/^[A-Za-z0-9]$/)

/** Characters of addresses: those of one in Latin letters, and those of any. */
const ADDRESSES = [
  {
    isName: characterTest(/^[\p{Script=Latin}\p{N}\p{M}\p{Cf}._%+'-]$/u),
    isHost: characterTest(/^[\p{Script=Latin}\p{N}\p{M}\p{Cf}.\uff0e-]$/u),
  },
  {
    isName: characterTest(/^[\p{L}\p{N}\p{M}\p{Cf}._%+'-]$/u),
    isHost: characterTest(/^[\p{L}\p{N}\p{M}\p{Cf}.\uff0e-]$/u),
  },
] as const

/** Returns the e-mail address around an at sign, of these characters. Null if there is none. */
function emailAt(
  text: string,
  at: number,
  { isHost, isName }: (typeof ADDRESSES)[number],
): PrivatePart | null {
  let start = at
  while (at - start < EMAIL.name && isName(text[start - 1])) start--
  while (start < at && text[start] === "'") start++
  let end = at + 1
  while (end - at <= EMAIL.host && isHost(text[end])) end++
  while (end > at && !isPart(text[end - 1])) end--
  const host = text.slice(at + 1, end).replaceAll('\uff0e', '.')
  return start < at && host.lastIndexOf('.') > 0 ? { kind: 'email', start, end } : null
}

/** E-mail addresses. Beside one in Latin letters, words of other scripts stay. */
function* emails(text: string): Generator<PrivatePart> {
  for (const { index: at } of text.matchAll(/[@\uff20]/g)) {
    const [latin, any] = ADDRESSES
    const found = emailAt(text, at, latin) ?? emailAt(text, at, any)
    if (found !== null) yield found
  }
}

/** Wide letters and digits are as far behind the plain ones. */
const WIDE = 0xfee0

/** Returns a letter of A to Z or a digit of 0 to 9, wide ones too, as a capital. Null for any other character. */
function basicOf(text: string, at: number): string | null {
  const code = text.charCodeAt(at)
  const plain = code > WIDE ? String.fromCharCode(code - WIDE) : text.charAt(at)
  return isBasic(plain) ? plain.toUpperCase() : null
}

/**
 * Returns the IBAN of a length that starts at a place, and its end: letters and digits with few separators between.
 * Null if the text has no more.
 */
function ibanAt(text: string, start: number, length: number) {
  let letters = ''
  let separators = 0
  let at = start
  for (; letters.length < length; at++) {
    const character = text.charAt(at)
    const basic = basicOf(text, at)
    if (basic !== null) [letters, separators] = [letters + basic, 0]
    else if (!isWideSeparator(character) || ++separators > MOST_SEPARATORS) return null
  }
  return { letters, end: at }
}

function* ibans(text: string): Generator<PrivatePart> {
  for (let start = 0; start < text.length; start++) {
    if (isLatin(text[start - 1])) continue
    const length = IBAN_LENGTHS.get(`${basicOf(text, start)}${basicOf(text, start + 1)}`)
    if (length === undefined) continue
    const found = ibanAt(text, start, length)
    if (
      found === null ||
      isLatin(text[found.end]) ||
      !/^..\d\d/.test(found.letters) ||
      !fitsIban(found.letters)
    )
      continue
    yield { kind: 'iban', start, end: found.end }
  }
}

const valuesOf = (digits: readonly PlacedDigit[]): readonly number[] => digits.map(({ value }) => value)
const endOf = (digits: readonly PlacedDigit[]): number => digits.at(-1)?.end ?? 0

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
  if (!/^[A-Za-z]$/.test(letter) || isLatin(text[at + 1])) return null
  const start = digits[0]?.at ?? 0
  const before = text.charAt(text[start - 1] === '-' ? start - 2 : start - 1).toUpperCase()
  const foreign = before === 'X' || before === 'Y' || before === 'Z' ? NIE[before] : null
  if (foreign === null || digits.length === 8)
    return fitsDni(valuesOf(digits), letter) ? { kind: 'national_id', start, end: at + 1 } : null
  const first = text.charAt(start - 1) === '-' ? start - 2 : start - 1
  const fits = !isLatin(text[first - 1]) && fitsDni([foreign, ...valuesOf(digits)], letter)
  return fits ? { kind: 'national_id', start: first, end: at + 1 } : null
}

/** Numbers of whole groups of digits. Other numbers may stand before and behind. */
function* nationalIds(text: string, run: DigitRun, countries: readonly string[]): Generator<PrivatePart> {
  const { digits } = run
  // A plus sign makes it a phone number.
  for (let first = 0; first < digits.length && !run.hasPlus; first++) {
    const begin = digits[first]
    if (begin === undefined || !begin.begins) continue
    const found = OF_DIGITS.find(
      ([country, length, fits]) =>
        countries.includes(country) &&
        first + length <= digits.length &&
        endsGroup(run, first + length - 1) &&
        fits(valuesOf(digits.slice(first, first + length))),
    )
    if (found === undefined) continue
    first += found[1] - 1
    yield { kind: 'national_id', start: begin.at, end: digits[first]?.end ?? begin.end }
  }
  const other = countries.includes('ES') ? spanish(text, run) : null
  if (other !== null) yield other
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

/** True where a part is within another one that goes further. */
const isWithin = (part: PrivatePart, other: PrivatePart | undefined): boolean =>
  other !== undefined && part.end <= other.end && other.end - other.start > part.end - part.start

/**
 * Returns the private parts of a text, in order. Of two that overlap, the one with the better check counts. Digits
 * within a phone number are no number of their own: some fit a checksum by chance, and the others would stay.
 */
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
  const known = new Map<CharacterTest, { readonly taken: number; readonly runs: readonly DigitRun[] }>()
  /** Only what was taken since changes runs. */
  function runs(isBetween: CharacterTest): readonly DigitRun[] {
    const before = known.get(isBetween)
    if (before?.taken === found.length) return before.runs
    const now = digitRuns(text, isTaken, isBetween)
    known.set(isBetween, { taken: found.length, runs: now })
    return now
  }
  const phoneAt = new Map<number, PrivatePart>()
  if (kinds.includes('phone'))
    for (const run of runs(isSeparator)) {
      const part = phone(text, run)
      if (part !== null) for (const { at } of run.digits) phoneAt.set(at, part)
    }
  const addWhole = (part: PrivatePart): void => {
    if (!isWithin(part, phoneAt.get(part.start))) add(part)
  }
  for (const run of runs(isWideSeparator)) for (const part of cards(run)) addWhole(part)
  for (const run of runs(isWideSeparator))
    for (const part of nationalIds(text, run, countries)) addWhole(part)
  for (const run of runs(isSeparator)) add(phone(text, run))
  return found.toSorted((one, other) => one.start - other.start)
}
