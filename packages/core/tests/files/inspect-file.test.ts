import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FILE_TYPES, type FileType, safeFileName } from '../../src/domain/file/file.ts'
import { inspectFile } from '../../src/domain/file/inspect-file.ts'
import { joined, pngOfSize, SAMPLES, utf8, ZIP } from '../support/file-samples.ts'

const RULES = { types: FILE_TYPES, bytes: 100_000, pixels: 1_000_000 }

const inspect = (bytes: Uint8Array, declared: string, rules = {}) =>
  inspectFile(bytes, declared, { ...RULES, ...rules })

/** The words of a refusal. */
function refused(bytes: Uint8Array, declared: string, rules = {}): string {
  const { refusal } = inspect(bytes, declared, rules)
  if (refusal === null) throw new Error(`A file declared as ${declared} was taken.`)
  return refusal
}

const WHOLE: readonly (readonly [name: string, type: FileType, bytes: Uint8Array])[] = [
  ['PNG', 'image/png', SAMPLES.png],
  ['JPEG', 'image/jpeg', SAMPLES.jpeg],
  ['GIF', 'image/gif', SAMPLES.gif],
  ['WebP', 'image/webp', SAMPLES.webp],
  ['lossless WebP', 'image/webp', SAMPLES.losslessWebp],
  ['extended WebP', 'image/webp', SAMPLES.extendedWebp],
  ['PDF', 'application/pdf', SAMPLES.pdf],
  ['text', 'text/plain', SAMPLES.text],
]

const SCRIPT = utf8('<script>alert(1)</script>')
const SVG = utf8('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')

describe('a file that is sent', () => {
  test.each(WHOLE)('FI2 a whole %s is taken as its declared type', (_, type, bytes) => {
    expect(inspect(bytes, type)).toEqual({ type, content: bytes, refusal: null })
    expect(inspect(bytes, `${type.toUpperCase()}; charset=utf-8`)).toMatchObject({ refusal: null })
  })

  test('FI2 a type that the host does not take is refused, with those that it takes', () => {
    for (const declared of ['', 'application/zip', 'video/mp4', 'image/svg+xml', 'text/html', 'image/pn'])
      expect(refused(SAMPLES.png, declared)).toContain('Allowed: image/png, image/jpeg')
    expect(refused(SAMPLES.gif, 'image/gif', { types: ['image/png'] })).toBe(
      'Files of the type "image/gif" are not taken. Allowed: image/png.',
    )
  })

  test('FI2 a content of another type than the declared one is refused, and both are named', () => {
    for (const [, type, bytes] of WHOLE)
      for (const other of FILE_TYPES.filter(one => one !== type))
        expect(refused(bytes, other)).toBe(
          `The file is declared as ${other}, but its content is ${type}. Both must be the same.`,
        )
    expect(refused(ZIP, 'application/pdf')).toContain('a ZIP archive')
    expect(refused(utf8('MZ\u0090\u0000'), 'image/png')).toContain('a program')
    expect(refused(utf8('#!/bin/sh\nrm -rf /'), 'text/plain')).toContain('a script')
    expect(refused(joined(SAMPLES.text, [0]), 'text/plain')).toContain('something unknown')
    expect(refused(joined([0xff, 0xfe, 0x41, 0]), 'text/plain')).toContain('something unknown')
  })

  test('FI2 HTML, SVG and XML are refused under every type, also behind spaces and a byte order mark', () => {
    const pages = [SVG, SCRIPT, utf8('<!DOCTYPE html><p>'), utf8('<?xml version="1.0"?><svg/>')]
    for (const page of pages)
      for (const before of [utf8(''), utf8(' \n\t'), utf8('\uFEFF'), utf8('\uFEFF \r\n')])
        for (const type of FILE_TYPES)
          expect(refused(joined(before, page), type)).toContain('its content is HTML, SVG or XML')
    for (const host of [FILE_TYPES, ['image/svg+xml', 'text/html']])
      for (const type of ['image/svg+xml', 'text/html', 'application/xhtml+xml', 'application/xml'])
        expect(refused(SVG, type, { types: host })).toContain('are not taken')
  })

  test('FI4 a file that is cut off is refused, wherever it ends', () => {
    for (const [name, type, bytes] of WHOLE.slice(0, 7))
      for (let length = 0; length < bytes.length - (name === 'PDF' ? 1 : 0); length++)
        expect(refused(bytes.slice(0, length), type)).toMatch(/cut off|empty|its content is/)
  })

  test('FI4 a file with something behind its end is refused: archives, pages, programs, further files', () => {
    const behind = [ZIP, SCRIPT, SAMPLES.pdf, SAMPLES.png, utf8('x')]
    for (const [, type, bytes] of WHOLE.filter(([, one]) => one !== 'image/jpeg' && one !== 'text/plain'))
      for (const more of behind)
        if (!(type === 'application/pdf' && more === SAMPLES.pdf))
          expect(refused(joined(bytes, more), type)).toMatch(/further content|cut off/)
    // Readers of archives look for their end alone, so that it may stand before the end of a PDF.
    expect(refused(joined(SAMPLES.pdf, ZIP, utf8('\n%%EOF')), 'application/pdf')).toContain('further content')
    expect(refused(joined(SAMPLES.text, ZIP), 'text/plain')).toContain('its content is')
  })

  test('FI4 of a photo nothing is kept behind its end, such as the film that phones add', () => {
    for (const more of [ZIP, SCRIPT, SAMPLES.jpeg, utf8('....ftypmp42')])
      expect(inspect(joined(SAMPLES.jpeg, more), 'image/jpeg')).toEqual({
        type: 'image/jpeg',
        content: SAMPLES.jpeg,
        refusal: null,
      })
  })

  test('FI4 a script that begins like a GIF is refused', () => {
    for (const script of ['GIF89a=1;alert(1)', 'GIF89a/*\u0000\u0000*/=1;alert(1);//', 'GIF87a<script>'])
      expect(refused(utf8(script), 'image/gif')).toContain('cut off or broken')
  })

  test('FI4 a picture of more pixels than the host takes is refused: it would fill the memory of who shows it', () => {
    expect(refused(pngOfSize(60_000, 60_000), 'image/png')).toBe(
      'The picture has 60000 times 60000 pixels. Allowed: 1000000 in all, which is the limit.',
    )
    expect(inspect(pngOfSize(1_000, 1_000), 'image/png')).toMatchObject({ refusal: null })
    expect(refused(pngOfSize(1_000, 1_001), 'image/png')).toContain('pixels')
    expect(refused(pngOfSize(0, 5), 'image/png')).toContain('broken')
    for (const [, type, bytes] of WHOLE.filter(([, one]) => one.startsWith('image/')))
      expect(refused(bytes, type, { pixels: 0 })).toContain('pixels')
  })

  test('FI4 a file above the bound is refused, and so is an empty one', () => {
    expect(refused(SAMPLES.png, 'image/png', { bytes: SAMPLES.png.length - 1 })).toContain('larger than')
    expect(refused(new Uint8Array(), 'text/plain')).toContain('empty')
  })

  test('FI4 whatever the bytes are, a check answers and keeps at most what came', () => {
    const kind = fc.constantFrom(...WHOLE)
    const change = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 })
    fc.assert(
      fc.property(kind, change, fc.uint8Array({ maxLength: 40 }), ([, type, bytes], changes, more) => {
        const given = joined(bytes, more)
        for (const [at, value] of changes) given[at % given.length] = value
        const found = inspect(given, type)
        if (found.refusal === null) expect(given.slice(0, found.content.length)).toEqual(found.content)
        else expect(found.refusal).toMatch(/\.$/)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('the name of a file', () => {
  test('FI2 only its last part is kept, without what systems or readers misunderstand', () => {
    const names: readonly (readonly [string, FileType, string])[] = [
      ['photo.PNG', 'image/png', 'photo.png'],
      ['../../etc/passwd', 'text/plain', 'passwd.txt'],
      ['C:\\temp\\notes.txt', 'text/plain', 'notes.txt'],
      ['run.bat', 'text/plain', 'run.bat.txt'],
      ['page.html', 'image/png', 'page.html.png'],
      ['invoice\u202Egnp.exe', 'image/png', 'invoicegnp.exe.png'],
      ['a"b\r\nc;d.pdf', 'application/pdf', 'a_bc_d.pdf'],
      ['...hidden', 'image/gif', 'hidden.gif'],
      ['', 'image/webp', 'file.webp'],
      ['Größe.jpeg', 'image/jpeg', 'Größe.jpeg'],
      [`${'x'.repeat(500)}.png`, 'image/png', `${'x'.repeat(120)}.png`],
    ]
    for (const [given, type, name] of names) expect(safeFileName(given, type)).toBe(name)
  })

  test('FI2 every name has an ending of its type, and no control character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.constantFrom(...FILE_TYPES),
        (given, type) => {
          const name = safeFileName(given, type)
          expect(name).toMatch(/^[^/\\]{1,300}\.(png|jpe?g|gif|webp|pdf|txt|md|log)$/)
          expect(name).not.toMatch(/\p{Cc}|\p{Cf}/u)
        },
      ),
    )
  })
})
