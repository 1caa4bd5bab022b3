import fc from 'fast-check'

/** JSON text that `JSON.stringify` cannot write: stands for itself in a body. */
class RawJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const MARK = '@@raw-json:'

/** A value as JSON, with its raw parts as they are. */
export function writeJson(value: unknown): string {
  const parts: string[] = []
  const text = JSON.stringify(value, (_, inner) => {
    if (!(inner instanceof RawJson)) return inner
    parts.push(inner.text)
    return `${MARK}${parts.length - 1}`
  })
  return (text ?? '').replace(/"@@raw-json:(\d+)"/g, (_, index) => parts[Number(index)] ?? '')
}

const nested = (depth: number) => new RawJson(`${'['.repeat(depth)}${']'.repeat(depth)}`)
const nestedObject = (depth: number) => new RawJson(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)

/** Texts that break what was not written with care. */
export const nastyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\udfff\ud800',
    '\u202etxet\u202c',
    '\ufeff',
    '\u2028\u2029',
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'null',
    'undefined',
    'NaN',
    'true',
    '-1',
    '1e999',
    '../../etc/passwd',
    "'; DROP TABLE agents; --",
    '" OR 1=1 --',
    '%00',
    '%',
    '%s%n%x',
    '#{7*7}',
    '{{attr:x}}{{fn:pay}}{{ho:}}',
    '{{fn:__proto__}}',
    '<script>alert(1)</script>',
    'a\r\nX-Injected: 1',
    '+275760-09-13T00:00:00.001Z',
    '0000-00-00T00:00:00Z',
    '2026-02-30T25:61:61Z',
    '😀'.repeat(200),
    'Z̮̞̠͙͔ͅA̷̙͍L͔̖̗̼G̻O'.repeat(20),
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.integer({ min: 1_000, max: 300_000 }).map(length => 'x'.repeat(length)),
)

/** Values of another type, range or size than anything allows. */
const nastyValue: fc.Arbitrary<unknown> = fc.oneof(
  nastyText,
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1.5,
    Number.MAX_SAFE_INTEGER,
    Number.MAX_VALUE,
    5e-324,
    [],
    {},
    [[]],
    [null],
    { length: 1e9 },
    new RawJson('{"then":"x"}'),
    { toJSON: 'x', toString: 1, valueOf: null },
    new RawJson('{"__proto__":{"polluted":true}}'),
    new RawJson('{"constructor":{"prototype":{"polluted":true}}}'),
    new RawJson('{"a":1,"a":2}'),
    new RawJson('NaN'),
    new RawJson('1e999'),
    new RawJson('-0'),
    new RawJson('123456789012345678901234567890'),
    new RawJson('"\\ud800"'),
    new RawJson('"\\u0000"'),
    new RawJson("'x'"),
    new RawJson('undefined'),
    nested(50),
    nested(5_000),
    nestedObject(40),
    nestedObject(3_000),
  ),
  fc.integer({ min: 1, max: 3_000 }).map(length => new Array(length).fill('x')),
  fc
    .integer({ min: 1, max: 2_000 })
    .map(count => Object.fromEntries(new Array(count).fill(0).map((_, key) => [`k${key}`, key]))),
)

/** Every place of a value: where a fault can be. */
function placesOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesOf(inner, [...path, key]))]
}

function replace(value: unknown, path: readonly string[], change: (value: unknown) => unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return change(value)
  if (Array.isArray(value))
    return value.map((inner, index) => (String(index) === key ? replace(inner, rest, change) : inner))
  if (typeof value !== 'object' || value === null) return change(value)
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    name === key ? replace(inner, rest, change) : inner,
  ])
  return Object.fromEntries(entries)
}

const extraName = fc.oneof(
  nastyText.filter(({ length }) => length < 5_000),
  fc.constantFrom('__proto__', 'id', 'accountId', 'agentId'),
)

/** The value with one fault: a field missing, of another type or out of range, or one too many. */
export const withOneFault = (valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(
      valid,
      fc.nat(),
      fc.constantFrom('missing', 'replaced', 'replaced', 'replaced', 'extra'),
      nastyValue,
      extraName,
    )
    .map(([value, seed, fault, nasty, name]) => {
      const places = placesOf(value)
      const place = places[seed % places.length] ?? []
      if (fault === 'extra')
        return typeof value === 'object' && value !== null
          ? Object.fromEntries([...Object.entries(value), [name, nasty]])
          : nasty
      return replace(value, place, () => (fault === 'missing' ? undefined : nasty))
    })
