import { expectLinear } from '@colloquy/test-support/work'
import { describe, test } from 'vitest'
import { normalizeHost } from '../src/domain/access/host-match.ts'
import { decodeBody } from '../src/domain/external-event/decode.ts'
import { findInPayload } from '../src/domain/external-event/payload.ts'
import { isTextAddress, toPhoneNumber, toSender } from '../src/domain/telephony/phone-number.ts'
import { keywordOf } from '../src/domain/text/text-pair.ts'
import { parseIsoTime } from '../src/domain/time.ts'
import { wavSeconds } from '../src/domain/voice/wav.ts'
import { createDocuments } from '../src/http/documents.ts'
import { clientOf } from '../src/http/forwarded.ts'
import { readJson } from '../src/http/read-json.ts'
import type { HttpRequest } from '../src/http/route.ts'
import { readSoundForm } from '../src/http/routes/audio-bodies.ts'
import { parseClientFrame } from '../src/protocol/client-frame.ts'
import { parseCursor } from '../src/protocol/cursor.ts'
import { createEventNames } from '../src/protocol/event-names.ts'
import { actionsOf, expandAttributes } from '../src/runtime/expansions.ts'
import { request } from './support/request.ts'

const utf8 = new TextEncoder()
const event = (contentType: string, body: string, path = 'a.b'): unknown =>
  findInPayload(contentType, utf8.encode(body), path)
const xml = (body: string, path?: string): unknown => event('application/xml', body, path)
const address = (headers: Readonly<Record<string, string>>): unknown =>
  clientOf({ address: '127.0.0.1', encrypted: false, headers: { host: 'a', ...headers } }, 1)
const names = createEventNames('AI')
const frame = (text: string): unknown => parseClientFrame(text, names, { messageBytes: 131_072 })

/** Parsers of what callers give, each with inputs that begin what does not end. */
const PARSERS: Readonly<Record<string, (size: number) => unknown>> = {
  'XML: a name of no-break spaces': size => xml(`<r a${'\u00a0'.repeat(size)}>`),
  'XML: an element of no-break spaces': size => xml(`<r${'\u00a0'.repeat(size)}`),
  'XML: blanks before an equals sign': size => xml(`<r a${' '.repeat(size)}!>`),
  'XML: blanks without an end': size => xml(`<r${'\n'.repeat(size)}`),
  'XML: a value without an end': size => xml(`<r a="${'a="'.repeat(size / 3)}`),
  'XML: a comment without an end': size => xml(`<r><!--${'<!--'.repeat(size / 4)}`),
  'XML: many comments': size => xml(`<r>${'<!---->'.repeat(size / 7)}`),
  'XML: many attributes': size =>
    xml(`<r ${Array.from({ length: size / 16 }, (_, at) => `a${at}="1"`).join(' ')}/>`),
  'XML: elements within each other': size => xml('<a>'.repeat(size / 3), 'a.a.a.a'),
  'XML: many texts of one element': size => xml(`<r><a>${'x<b/>'.repeat(size / 5)}</a></r>`, 'a'),
  'JSON: arrays within each other': size => event('application/json', '['.repeat(size)),
  'JSON: a text without an end': size => event('application/json', `"${'\\"'.repeat(size / 2)}`),
  'a form: many keys': size => event('application/x-www-form-urlencoded', 'a[b=1&'.repeat(size / 6)),
  'a form: a key of brackets': size => event('application/x-www-form-urlencoded', '['.repeat(size)),
  'pairs: many': size => event('text/plain', 'a=;'.repeat(size / 3)),
  'pairs: blanks': size => event('text/plain', `${' '.repeat(size)}=`),
  'content type: blanks': size => decodeBody(`a;${' '.repeat(size)}!`, new Uint8Array()),
  'content type: many parts': size => decodeBody('; charset '.repeat(size / 10), new Uint8Array()),
  'attributes: blanks': size => expandAttributes(`{{attr:${' '.repeat(size)}!`, {}),
  'attributes: blanks before the colon': size => expandAttributes(`{{${' '.repeat(size)}attr`, {}),
  'attributes: many beginnings': size => expandAttributes('{{attr:'.repeat(size / 7), {}),
  'actions: blanks': size => actionsOf(`{{fn:${' '.repeat(size)}!`),
  'actions: many beginnings': size => actionsOf('{{fn:{{ho'.repeat(size / 9)),
  'forwarded: many addresses': size => address({ 'x-forwarded-for': '1.1.1.1,'.repeat(size / 8) }),
  'forwarded: blanks': size => address({ 'x-forwarded-for': `${' '.repeat(size)},a` }),
  'forwarded: a host of dots': size => address({ 'x-forwarded-host': '.'.repeat(size) }),
  'a host: dots': size => normalizeHost('.'.repeat(size)),
  'a host: labels': size => normalizeHost('a.'.repeat(size / 2)),
  'a host: colons': size => normalizeHost(`a${':1'.repeat(size / 2)}`),
  'a time: digits': size => parseIsoTime('1'.repeat(size)),
  'a cursor: digits': size => parseCursor(`seq:${'1'.repeat(size)}`),
  'opt-out words: accents': size => keywordOf(`STOP${'\u0301'.repeat(size)}`),
  'opt-out words: signs': size => keywordOf('-'.repeat(size)),
  'opt-out words: ligatures': size => keywordOf('\ufdfa'.repeat(size / 8)),
  'a sender: letters': size => isTextAddress('a '.repeat(size / 2)),
  'a sound: chunks of nothing': size => wavSeconds(chunks('junk', size)),
  'a sound: chunks of its format': size => wavSeconds(chunks('fmt ', size)),
  'a frame: many keys': size =>
    frame(`{"type":"x",${Array.from({ length: size / 16 }, (_, at) => `"k${at}":1`).join(',')}}`),
  'a frame: arrays within each other': size => frame(`{"a":${'['.repeat(size)}`),
}

/** A WAV of `fmt ` and other chunks, none of which is the sound. */
const chunks = (name: string, size: number): Uint8Array =>
  utf8.encode(`RIFF0000WAVE${`${name}\0\0\0\0`.repeat(size / 8)}`)

const documents = createDocuments(undefined, false, { events: 'AI', headers: 'AI' })
const BOUNDARY = 'multipart/form-data; boundary=b'
const posted = (contentType: string, body: string): HttpRequest =>
  request('POST /', { headers: { 'content-type': contentType }, body })
const json = (body: string): Promise<unknown> =>
  readJson(posted('application/json', body), { bytes: Number.POSITIVE_INFINITY, depth: 32 }).catch(String)
const form = (body: string, contentType = BOUNDARY): Promise<unknown> =>
  readSoundForm(posted(contentType, body), 32).catch(String)
const part = (name: string, words = ''): string =>
  `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${words}\r\n`

/** The same of parsers that answer later. */
const LATER: Readonly<Record<string, (size: number) => Promise<unknown>>> = {
  'a body of JSON: escapes': size => json(`"${'\\ud83d'.repeat(size / 6)}"`),
  'a body of JSON: backslashes': size => json(`"${'\\'.repeat(size)}`),
  'a body of JSON: underscores': size => json(`"${'__proto'.repeat(size / 7)}"`),
  'a body of JSON: a content type of signs': size =>
    readJson(posted(`application/${'+'.repeat(size)}`, '1'), {
      ...{ bytes: 9, depth: 9 },
    }).catch(String),
  'a form: many parts': size => form(`${part('a').repeat(size / 60)}--b--`),
  'a form: a part of beginnings': size => form(`${part('a', '\r\n--'.repeat(size / 4))}--b--`),
  'a form: a header without an end': size => form(`--b\r\n${'a'.repeat(size)}`),
  'a form: many headers': size => form(`--b\r\n${'a: b\r\n'.repeat(size / 6)}`),
  'a form: a name of quotes': size => form(`${part('%22'.repeat(size / 3))}--b--`),
  'a form: a boundary of blanks': size => form('', `multipart/form-data;${' '.repeat(size)}boundary=b`),
  'a phone number: signs': size => toPhoneNumber('+'.repeat(size), 'GB'),
  'a phone number: digits': size => toPhoneNumber(`+${'1'.repeat(size)}`),
  'a phone number: blanks between digits': size => toPhoneNumber('0 '.repeat(size / 2), 'GB'),
  'a phone number: extensions': size => toPhoneNumber(`020 ${'ext;'.repeat(size / 4)}`, 'GB'),
  'a sender: letters and blanks': size => toSender(`${'a '.repeat(size / 2)}!`),
  'an ETag: many': size =>
    documents.answer(request('GET /asyncapi.json', { headers: { 'if-none-match': 'W/,'.repeat(size / 3) } })),
}

describe('work grows with the input, and no faster', () => {
  test.each(Object.entries(PARSERS))('AR57 %s', (_, work) => expectLinear(16_000, work))

  test.each(Object.entries(LATER))('AR57 %s', (_, work) => expectLinear(16_000, work))

  test('AR57 attributes: many names of many values', () => {
    return expectLinear(500, size => {
      const values = Object.fromEntries(Array.from({ length: size }, (_, at) => [`e\u0301${at}`, 'x']))
      const text = Array.from({ length: size }, (_, at) => `{{attr:\u00e9${at}}}`).join('')
      return expandAttributes(text, values)
    })
  })
})
