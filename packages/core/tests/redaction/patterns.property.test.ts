import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  fitsBsn,
  fitsDni,
  fitsFrenchNir,
  fitsGermanTaxId,
  fitsIban,
  fitsLuhn,
  fitsPesel,
} from '../../src/domain/redaction/checksums.ts'
import { createPatternRedactor, type PatternRedactorOptions } from '../../src/index.ts'

const about = { conversationId: 'CONV-1', language: null }

function redacted(text: string, options: PatternRedactorOptions = {}) {
  const found = createPatternRedactor(options).redact(text, about, new AbortController().signal)
  if (found instanceof Promise) throw new Error('Patterns answer at once.')
  return found
}

const digits = (count: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: count, maxLength: count })

/** Digits whose last one makes them fit. */
const fitting = (count: number, fits: (digits: readonly number[]) => boolean) =>
  digits(count)
    .map(given => {
      for (let last = 0; last < 10; last++) {
        const all = [...given.slice(0, -1), last]
        if (fits(all)) return all
      }
      return null
    })
    .filter(found => found !== null)

const cards = fc
  .integer({ min: 13, max: 19 })
  .chain(length => fitting(length, all => (all[0] ?? 0) >= 2 && (all[0] ?? 0) <= 6 && fitsLuhn(all)))

const COUNTRIES = { DE: 18, GB: 18, FR: 23, NL: 14, NO: 11, MT: 27 } as const

const ibans = fc
  .constantFrom(...(Object.keys(COUNTRIES) as (keyof typeof COUNTRIES)[]))
  .chain(country => digits(COUNTRIES[country]).map(account => [country, account.join('')] as const))
  .map(([country, account]) => {
    for (let check = 2; check <= 98; check++) {
      const iban = `${country}${String(check).padStart(2, '0')}${account}`
      if (fitsIban(iban)) return iban
    }
    throw new Error('Every account has a check.')
  })

const words = fc.constantFrom('My number is ', 'pay with ', '', '数字是 ', 'رقم ', '(', '"', 'nr.')
const after = fc.constantFrom('', '.', ' thanks', ', ok?', ')', '，谢谢')

/** Between groups: spaces and dashes of any language, and marks that nobody sees. */
const BETWEEN = [
  ...[' ', '-', '.', '\u00a0', '\u200b', ' - ', '\u2011', '\u3000', '\u2014', '\u00ad', '\u200e'],
  ...['\u2069 \u2066', '\t', '\n', '\r\n', '_', '\u00b7', '/', '\u2003'],
]

/** Writes digits in groups, as people do, and in the digits of some script. */
const written = (all: readonly number[]) =>
  fc
    .record({
      size: fc.constantFrom(2, 3, 4, 19),
      between: fc.constantFrom(...BETWEEN),
      zero: fc.constantFrom('0', '\u0660', '\uff10', '\u0966', '\u{1d7d8}', '\u{1e950}'),
    })
    .map(({ between, size, zero }) => {
      const text = all.map(digit => String.fromCodePoint((zero.codePointAt(0) ?? 0) + digit))
      const groups = Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
        text.slice(at * size, (at + 1) * size).join(''),
      )
      return groups.join(between)
    })

describe('what has a checksum', () => {
  test('RD4 numbers of cards are found, however they are written', () => {
    fc.assert(
      fc.property(words, cards.chain(written), after, (before, card, behind) => {
        expect(redacted(before + card + behind)).toEqual({
          text: `${before}[card]${behind}`,
          found: { card: 1 },
        })
      }),
      { numRuns: runs(300, 5_000) },
    )
  })

  test('RD4 IBANs are found, in groups and in small letters', () => {
    const wide = (iban: string) => iban.replace(/./g, one => String.fromCharCode(one.charCodeAt(0) + 0xfee0))
    const forms = fc.constantFrom(
      (iban: string) => iban,
      (iban: string) => iban.toLowerCase(),
      wide,
    )
    const written = fc
      .tuple(ibans, fc.constantFrom('', ...BETWEEN), forms)
      .map(([iban, between, form]) => (form(iban).match(/.{1,4}/g) ?? []).join(between))
    fc.assert(
      fc.property(words, written, after, (before, iban, behind) => {
        const { text } = redacted(before + iban + behind, { kinds: ['iban'] })
        expect(text).toBe(`${before}[iban]${behind}`)
      }),
      { numRuns: runs(300, 5_000) },
    )
  })

  const national: readonly (readonly ['DE' | 'FR' | 'NL' | 'PL', fc.Arbitrary<readonly number[]>])[] = [
    ['DE', fitting(11, fitsGermanTaxId)],
    ['PL', fitting(11, fitsPesel)],
    ['NL', fitting(9, fitsBsn)],
    [
      'FR',
      digits(12).map(rest => {
        const number = [1, ...rest]
        const key = 97n - (BigInt(number.join('')) % 97n)
        return [...number, ...String(key).padStart(2, '0')].map(Number)
      }),
    ],
  ]

  test.each(national)('RD4 national numbers of %s are found', (country, numbers) => {
    fc.assert(
      fc.property(words, numbers, after, (before, all, behind) => {
        const text = before + all.join('') + behind
        expect(redacted(text, { kinds: ['national_id'], countries: [country] }).text).toBe(
          `${before}[national_id]${behind}`,
        )
      }),
    )
  })

  test('RD4 national numbers are found beside other numbers', () => {
    fc.assert(
      fc.property(fitting(11, fitsPesel), fitting(11, fitsPesel), (one, other) => {
        const text = `7 ${one.join('')} ${other.join('')}, 5 nights`
        const { found } = redacted(text, { kinds: ['national_id'], countries: ['PL'] })
        expect(found).toEqual({ national_id: 2 })
      }),
    )
    expect(redacted('4111 1111 1111 1111 030/1234567').text).toBe('[card] [phone]')
  })

  test('RD4 digits of a phone number that fit a checksum by chance leave nothing of it', () => {
    const prefixes = fc.constantFrom('0049 30 ', '00 49 ', '+49 30 ', '030 ', '(030) ', '0034-')
    const inside = fc.oneof(
      fitting(9, fitsBsn).map(all => all.join('')),
      fitting(9, fitsBsn).map(all => `${all.slice(0, 3).join('')} ${all.slice(3).join('')}`),
    )
    fc.assert(
      fc.property(prefixes, inside, (prefix, number) => {
        expect(redacted(`Call ${prefix}${number}!`).text).toBe('Call [phone]!')
      }),
      { numRuns: runs(300, 5_000) },
    )
    expect(redacted('BSN 123456782, call 030 1234567').text).toBe('BSN [national_id], call [phone]')
    expect(redacted('BSN 123456782, call 030 1234567', { kinds: ['national_id'] }).text).toBe(
      'BSN [national_id], call 030 1234567',
    )
  })

  test.each([
    ['12345678Z', true],
    ['X1234567L', true],
    ['12345678-Z', true],
    ['12345678A', false],
  ])('RD4 the Spanish number %s is found: %s', (number, isFound) => {
    const { text } = redacted(`DNI ${number}.`, { kinds: ['national_id'] })
    expect(text).toBe(isFound ? 'DNI [national_id].' : `DNI ${number}.`)
  })

  test('RD4 known numbers fit, and one that is off by a digit does not', () => {
    expect([
      fitsLuhn([...'4111111111111111'].map(Number)),
      fitsLuhn([...'4111111111111112'].map(Number)),
    ]).toEqual([true, false])
    expect([fitsIban('DE89370400440532013000'), fitsIban('DE89370400440532013001')]).toEqual([true, false])
    expect(fitsGermanTaxId([...'86095742719'].map(Number))).toBe(true)
    expect(fitsFrenchNir([...'255081416802538'].map(Number))).toBe(true)
    expect(fitsPesel([...'44051401359'].map(Number))).toBe(true)
    expect(fitsBsn([...'111222333'].map(Number))).toBe(true)
    expect(fitsDni([...'12345678'].map(Number), 'Z')).toBe(true)
  })
})

describe('what is known by how it is written', () => {
  test.each([
    ['write to anna.meyer+hotel@mail.example.org please', 'write to [email] please'],
    ['müller@bücher.example', '[email]'],
    ['mu\u0308ller@bu\u0308cher.example', '[email]'],
    ["'anna@mail.example', o'brien@mail.example", "'[email]', [email]"],
    ['an\u200bna\uff20mail\uff0eexa\u00admple', '[email]'],
    ['call +49 (30) 123 45 67-8', 'call [phone]'],
    ['(020) 7946 0018', '[phone]'],
    ['0044 20 7946 0018 and 030/1234567', '[phone] and [phone]'],
    ['555-123-4567', '[phone]'],
    ['＋４４２０７９４６００１８', '[phone]'],
  ])('RD4 %s', (text, expected) => {
    expect(redacted(text).text).toBe(expected)
  })

  test.each([
    'From 2026-11-29 to 2026-12-01, for 2 adults.',
    'Am 29.11.2026 um 10:30',
    'Order 123456789012',
    'Room 12, 3rd floor, 4 nights at 129.50',
    '10.000.000',
    'half @ noon',
    'v1.2.3@4',
    'Version 1.24.3',
    '',
  ])('RD4 nothing is taken out of %j', text => {
    expect(redacted(text)).toEqual({ text, found: {} })
  })
})

describe('any text', () => {
  const text = fc.string({
    unit: fc.constantFrom(...'0123456789 -.+()@aZé١０\u200bDEX'.split(''), 'ab', '41'),
    maxLength: 80,
  })

  test('RD4 a redacted text has nothing more to take out, and keeps what is around', () => {
    fc.assert(
      fc.property(text, given => {
        const once = redacted(given)
        expect(redacted(once.text)).toEqual({ text: once.text, found: {} })
        const parts = Object.values(once.found).reduce((sum, count) => sum + count, 0)
        const kept = once.text.split(/\[(?:email|iban|card|national_id|phone)\]/)
        expect(kept).toHaveLength(parts + 1)
        let from = 0
        for (const one of kept) {
          const at = given.indexOf(one, from)
          expect(at).toBeGreaterThanOrEqual(from)
          from = at + one.length
        }
      }),
      { numRuns: runs(1_000, 20_000) },
    )
  })

  test('RD4 each sort can be left out, and has other words', () => {
    const given = 'a@b.example, 4111 1111 1111 1111'
    expect(redacted(given, { kinds: ['card'], mask: kind => `<${kind}>` }).text).toBe('a@b.example, <card>')
    expect(redacted(given, { kinds: [] })).toEqual({ text: given, found: {} })
  })
})
