import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type EventIdLocation,
  type ExternalEventParts,
  extractEventId,
} from '../../src/domain/external-event/extract-event-id.ts'
import { payloadType } from '../../src/domain/external-event/payload.ts'

const idIn = (location: EventIdLocation, path: string, parts: ExternalEventParts): string | null => {
  const found = extractEventId(location, path, parts)
  return 'id' in found ? found.id : null
}

const find = (contentType: string, body: string, path: string): string | null =>
  idIn('payload', path, {
    headers: {},
    query: '',
    contentType,
    body: new TextEncoder().encode(body),
  })

const json = (value: unknown, path: string) =>
  find('application/json', typeof value === 'string' ? value : JSON.stringify(value), path)
const xml = (body: string, path: string) => find('application/xml', body, path)

const HOSTILE = [
  '__proto__',
  'constructor',
  'constructor.name',
  'toString',
  'length',
  '__proto__.id',
  '0',
  '.',
  '..',
  '[',
  '[]',
]

describe('event ids', () => {
  test('EX1 a header is found by its name in any case', () => {
    const parts = {
      headers: { 'x-event-id': 'E1' },
      query: '',
      contentType: 'text/plain',
      body: new Uint8Array(),
    }
    expect(idIn('headers', 'X-Event-ID', parts)).toBe('E1')
    expect(idIn('headers', 'x-other', parts)).toBeNull()
    for (const path of HOSTILE) expect(idIn('headers', path, parts)).toBeNull()
  })

  test('EX1 a parameter is found in the query string, its first value', () => {
    const parts = {
      headers: {},
      query: 'ref=E%201&ref=E2&a.b=E3',
      contentType: 'text/plain',
      body: new Uint8Array(),
    }
    expect(idIn('querystring', 'ref', parts)).toBe('E 1')
    expect(idIn('querystring', 'a.b', parts)).toBe('E3')
    for (const path of ['Ref', ...HOSTILE]) expect(idIn('querystring', path, parts)).toBeNull()
  })

  test('EX1 JSON is walked by own properties and array indexes', () => {
    const body = { data: { items: [{ id: 'E0' }, { id: 'E1' }], number: 42 }, empty: '', none: null }
    expect(json(body, 'data.items.1.id')).toBe('E1')
    expect(json(body, 'data.items[0].id')).toBe('E0')
    expect(json(body, 'data.number')).toBe('42')
    expect(json(['E'], '0')).toBe('E')
    for (const path of [
      'data',
      'data.items',
      'data.items.2.id',
      'data.items.-1.id',
      'data.items.01.id',
      'empty',
      'none',
      'x.y',
    ]) {
      expect(json(body, path), path).toBeNull()
    }
  })

  test('EX1 hostile paths and bodies are inert', () => {
    for (const path of [
      ...HOSTILE,
      'items.length',
      'items.99999999999999999999',
      'items.4294967295',
      'id.0',
      'id.length',
    ]) {
      expect(json({ id: 'E', items: ['a'] }, path), path).toBeNull()
      expect(find('application/x-www-form-urlencoded', 'id=E', path), path).toBeNull()
      expect(xml('<r><id>E</id><items>a</items></r>', path), path).toBe(path === 'id.0' ? 'E' : null)
      expect(find('text/plain', 'id=E', path), path).toBeNull()
    }
    expect(json(`${'['.repeat(500_000)}`, '0.0')).toBeNull()
    expect(json(`${'{"a":'.repeat(5_000)}"E"${'}'.repeat(5_000)}`, 'a.a')).toBeNull()
    expect(json('{"__proto__":{"id":"own"}}', 'id')).toBeNull()
    expect(xml(`${'<a>'.repeat(20_000)}E${'</a>'.repeat(20_000)}`, 'a')).toBeNull()
    expect(json({ a: 'E' }, `${'a.'.repeat(1_000)}a`)).toBeNull()
    expect(Object.hasOwn(Object.prototype, 'id')).toBe(false)
  })

  test('EX1 no path and no body makes it throw', () => {
    const type = fc.constantFrom(
      'application/json',
      'application/xml',
      'application/x-www-form-urlencoded',
      'text/plain',
    )
    fc.assert(
      fc.property(
        type,
        fc.oneof(fc.string(), fc.json()),
        fc.oneof(fc.string(), fc.constantFrom(...HOSTILE)),
        (contentType, body, path) => {
          const id = find(contentType, body, path)
          expect(id === null || id !== '').toBe(true)
        },
      ),
    )
  })

  test('EX1 a form is searched by its keys, dotted or in brackets', () => {
    const body = 'a=1&data%5Bevent%5D%5Bid%5D=E+1&b.c=E2&a=2'
    const form = (path: string) => find('application/x-www-form-urlencoded', body, path)
    expect(form('a')).toBe('1')
    expect(form('data.event.id')).toBe('E 1')
    expect(form('data[event][id]')).toBe('E 1')
    expect(form('b.c')).toBe('E2')
    expect(form('data')).toBeNull()
  })

  test('EX1 XML is walked with or without the name of its root; @ is an attribute', () => {
    const body =
      '<?xml version="1.0"?><event ref="E0"><id kind="k">E1</id><item>E2</item><item n="5">E3</item></event>'
    expect(xml(body, 'event.id')).toBe('E1')
    expect(xml(body, 'id')).toBe('E1')
    expect(xml(body, '@ref')).toBe('E0')
    expect(xml(body, 'event.@ref')).toBe('E0')
    expect(xml(body, 'id.@kind')).toBe('k')
    expect(xml(body, 'item')).toBe('E2')
    expect(xml(body, 'item.1')).toBe('E3')
    expect(xml(body, 'item.1.@n')).toBe('5')
    expect(xml('<id>0070</id>', 'id')).toBe('0070')
    expect(xml('<id><![CDATA[<!DOCTYPE x>]]></id>', 'id')).toBe('<!DOCTYPE x>')
    expect(xml(body, 'event')).toBeNull()
    expect(xml('<a><id>E</id>', 'id')).toBeNull()
    expect(xml('E', 'id')).toBeNull()
  })

  test('EX7 no entity is expanded and no document type accepted', () => {
    expect(xml('<r><id>a&amp;b&#65;</id></r>', 'id')).toBe('a&amp;b&#65;')
    expect(xml('<!DOCTYPE r [<!ENTITY e "E">]><r><id>&e;</id></r>', 'id')).toBeNull()
    expect(xml('<!DOCTYPE r SYSTEM "file:///etc/passwd"><r><id>E</id></r>', 'id')).toBeNull()
    expect(xml('<!-- x --><!doctype r><r><id>E</id></r>', 'id')).toBeNull()
    expect(xml('<r><!-- <!DOCTYPE r> --><id>E</id></r>', 'id')).toBe('E')
  })

  test('EX1 plain text is searched for key=value pairs', () => {
    const plain = (body: string, path: string) => find('text/plain; charset=utf-8', body, path)
    expect(plain('status=ok\r\nevent.id = E=1 \r\n', 'event.id')).toBe('E=1')
    expect(plain('a=1&id=E2;b=3', 'id')).toBe('E2')
    expect(plain('a=1&id=E2;b=3', 'b')).toBe('3')
    expect(plain('id=', 'id')).toBeNull()
    expect(plain('=E', '')).toBeNull()
    expect(plain('id', 'id')).toBeNull()
  })

  const utf16 = (text: string, swap: boolean): Uint8Array => {
    const bytes = new Uint8Array(new Uint16Array([...text].map(one => one.charCodeAt(0))).buffer)
    return swap ? bytes.map((_, at) => bytes[at ^ 1] ?? 0) : bytes
  }
  const inBytes = (contentType: string, body: Uint8Array): string | null =>
    idIn('payload', 'id', { headers: {}, query: '', contentType, body })

  test.each([
    ['application/json', '{"id":"é"}'],
    ['application/xml', '<?xml version="1.0" encoding="UTF-16"?><r><id>é</id></r>'],
    ['application/x-www-form-urlencoded', 'id=é'],
    ['text/plain', 'id=é'],
  ])('EX9 a body of %s is found in UTF-8 and UTF-16, with a byte order mark and without', (type, text) => {
    for (const parameter of ['', '; charset=utf-16']) {
      for (const swap of [false, true]) {
        expect(inBytes(type + parameter, utf16(text, swap))).toBe('é')
        expect(inBytes(type + parameter, utf16(`\ufeff${text}`, swap))).toBe('é')
      }
    }
    expect(inBytes(type, new TextEncoder().encode(text))).toBe('é')
    expect(inBytes(type, new TextEncoder().encode(`\ufeff${text}`))).toBe('é')
    // A mark knows better than a name.
    expect(inBytes(`${type}; charset=iso-8859-1`, utf16(`\ufeff${text}`, true))).toBe('é')
    expect(inBytes(`${type}; charset=utf-16be`, utf16(text, true))).toBe('é')
  })

  test('EX9 an XML declaration tells the encoding, unless the content type does', () => {
    const latin1 = (text: string) => new Uint8Array([...text].map(one => one.charCodeAt(0)))
    const declared = (encoding: string) => latin1(`<?xml version="1.0" ${encoding}?><r><id>\xe9</id></r>`)
    expect(inBytes('application/xml', declared('encoding="ISO-8859-1"'))).toBe('é')
    expect(inBytes('application/xml', declared("encoding = 'windows-1252'"))).toBe('é')
    expect(inBytes('application/xml; charset=windows-1251', declared('encoding="ISO-8859-1"'))).toBe('й')
    for (const other of ['', 'encoding="UTF-8"', 'encoding="UTF-16"', 'encoding="nonsense"', 'encoding="'])
      expect(inBytes('application/xml', declared(other)), other).toBe('\ufffd')
  })

  test('EX1 a path begins with brackets, and a backslash makes a sign part of a name', () => {
    expect(json([{ id: 'E' }], '[0].id')).toBe('E')
    expect(json([['a', 'E']], '[0][1]')).toBe('E')
    const body = { 'a.b': { 'c[0]': 'E1', 'd\\e': 'E2' }, a: { b: 'E3' } }
    expect(json(body, 'a\\.b.c\\[0]')).toBe('E1')
    expect(json(body, 'a\\.b.d\\\\e')).toBe('E2')
    expect(json(body, 'a.b')).toBe('E3')
    expect(json(body, 'a\\.b\\')).toBeNull()
    expect(find('application/x-www-form-urlencoded', 'a.b=E&c%5Cd=F', 'a\\.b')).toBe('E')
    expect(find('application/x-www-form-urlencoded', 'a.b=E&c%5Cd=F', 'c\\\\d')).toBe('F')
    expect(find('text/plain', 'a.b=E', 'a\\.b')).toBe('E')
    expect(find('text/plain', 'a.b=E', 'a.b')).toBe('E')
    expect(xml('<r><a.b>E</a.b></r>', 'a\\.b')).toBe('E')
  })

  test('EX1 an XML name is found with its prefix, and without one under any prefix', () => {
    const body = '<s:Envelope xmlns:s="x"><s:Body><p:id p:kind="k">E1</p:id><id>E2</id></s:Body></s:Envelope>'
    expect(xml(body, 's:Envelope.s:Body.p:id')).toBe('E1')
    expect(xml(body, 'Envelope.Body.id.@kind')).toBe('k')
    expect(xml(body, 'Body.p:id')).toBeNull()
    expect(xml('<t:Envelope><t:Body><q:id>E</q:id></t:Body></t:Envelope>', 'Envelope.Body.id')).toBe('E')
    // As it is written comes first.
    expect(xml('<r><p:id>E1</p:id><id>E2</id></r>', 'id')).toBe('E2')
    expect(xml('<r p:ref="E1" ref="E2"/>', '@ref')).toBe('E2')
    expect(xml('<r><q:id>E</q:id></r>', 'p:id')).toBeNull()
  })

  test('EX9 a content type counts without its parameters; a charset is honoured', () => {
    expect(payloadType('Application/JSON; charset=UTF-8')).toBe('application/json')
    for (const other of [
      undefined,
      '',
      'text/xml',
      'application/json2',
      'multipart/form-data',
      'constructor',
    ]) {
      expect(payloadType(other), other).toBeNull()
    }
    const body = new Uint8Array([0x69, 0x64, 0x3d, 0xe9])
    const read = (contentType: string) => idIn('payload', 'id', { headers: {}, query: '', contentType, body })
    expect(read('text/plain; charset="iso-8859-1"')).toBe('é')
    expect(read('text/plain; charset=nonsense')).toBe('\uFFFD')
  })
})
