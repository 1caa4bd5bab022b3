import { expectLinear } from '@colloquy/test-support/work'
import fc from 'fast-check'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { describe, expect, test } from 'vitest'
import { scanXml } from '../../src/domain/external-event/scan-xml.ts'
import { findInXml } from '../../src/domain/external-event/xml.ts'

/** What a library that builds the whole tree finds at the same path. */
function oracle(xml: string, path: string): string | null {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    processEntities: false,
    parseTagValue: false,
    parseAttributeValue: false,
    ignoreDeclaration: true,
  })
  const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value)
  const go = (value: unknown, segment: string): unknown => {
    if (/^\d+$/.test(segment))
      return Array.isArray(value) ? value[Number(segment)] : segment === '0' ? value : undefined
    const within = first(value)
    return typeof within === 'object' && within !== null
      ? Object.entries(within).find(([key]) => key === segment)?.[1]
      : undefined
  }
  const document: unknown = parser.parse(xml)
  const inside = first(Object.values(Object(document)))
  for (const start of [document, inside]) {
    const end = first(path.split('.').reduce(go, start))
    const text: unknown = typeof end === 'object' ? go(end, '#text') : end
    if (typeof text === 'string' && text.trim() !== '') return text.trim()
  }
  return null
}

interface Tree {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly text: string
  readonly children: readonly Tree[]
}

const NAMES = ['a', 'b', 'ns:c', 'd-e.f']
const { tree } = fc.letrec<{ tree: Tree }>(tie => ({
  tree: fc.record({
    name: fc.constantFrom(...NAMES),
    attributes: fc.dictionary(fc.constantFrom('x', 'y'), fc.constantFrom('1', 'two', ' 3 '), { maxKeys: 2 }),
    text: fc.constantFrom('', ' ', 'E1', ' E2\n', 'a&amp;b', '>'),
    children: fc.oneof({ depthSize: 'small' }, fc.constant([]), fc.array(tie('tree'), { maxLength: 4 })),
  }),
}))

const write = ({ name, attributes, text, children }: Tree): string => {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key} = "${value}"`)
  const inner = text + children.map(write).join('')
  return inner === '' ? `<${name}${pairs.join('')} />` : `<${name}${pairs.join('')}>${inner}</${name} >`
}

const segment = fc.constantFrom(...NAMES.slice(0, 3), '0', '1', '@x')
const path = fc
  .array(segment, { minLength: 1, maxLength: 5 })
  .map(segments => segments.join('.'))
  // The name with dots is two segments to a path, and to the library one.
  .filter(text => !/@x\./.test(text))

describe('XML', () => {
  test('EX1 finds in any document what a library finds that builds its tree', () => {
    let hits = 0
    fc.assert(
      fc.property(tree, path, (root, wanted) => {
        const xml = `<?xml version="1.0"?><!-- <a> -->${write(root)}\n`
        const found = findInXml(xml, wanted)
        const expected = oracle(xml, wanted)
        if (expected !== null) hits++
        expect(found).toEqual(expected === null ? { problem: null } : { id: expected })
      }),
      { numRuns: 2_000 },
    )
    expect(hits).toBeGreaterThan(50)
  })

  test('EX10 takes no document that a validating library refuses', () => {
    const piece = fc.constantFrom(
      '<a>',
      '</a>',
      '<b x="1">',
      '</b>',
      '<c/>',
      't',
      '<',
      '>',
      '"',
      '=',
      ' ',
      '<a x>',
      '/',
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 8 }).map(pieces => pieces.join('')),
        xml => {
          const taken = (() => {
            try {
              return [...scanXml(xml)].length > 0
            } catch {
              return false
            }
          })()
          if (taken) expect(XMLValidator.validate(xml)).toBe(true)
        },
      ),
      { numRuns: 3_000 },
    )
    for (const xml of [
      '',
      ' ',
      'E',
      '<a>',
      '<a></b>',
      '<a/><a/>',
      '<a/>x',
      '<a x="1" x="2"/>',
      '<a x=1/>',
      '<a x/>',
      '<a x="<"/>',
      '<a><!-- </a>',
      '<a><![CDATA[</a>',
      '< a/>',
      '<1/>',
      '<a x="1"y="2"/>',
      '</a>',
      '<a></a x="1">',
    ])
      expect(findInXml(xml, 'a'), xml).toEqual({ problem: 'it is not well-formed XML' })
    for (const xml of [
      '<!DOCTYPE a><a>E</a>',
      '<a><!ELEMENT b></a>',
      '<a>E</a><!DOCTYPE a>',
      '<!doctype a [<!ENTITY e "E">]><a>&e;</a>',
    ])
      expect(findInXml(xml, 'a'), xml).toEqual({
        problem: 'it is XML with a declaration, which is not accepted',
      })
  })

  const fill = (piece: string, size: number) => piece.repeat(size / piece.length)
  test.each<readonly [string, (size: number) => string]>([
    ['elements', size => `<r>${fill('<a>x</a>', size)}<id>E</id></r>`],
    [
      'elements of different names',
      size => `<r>${Array.from({ length: size / 10 }, (_, n) => `<a${n}/>`).join('')}<id>E</id></r>`,
    ],
    [
      'attributes',
      size => `<r ${Array.from({ length: size / 12 }, (_, n) => `a${n}="1"`).join(' ')}><id>E</id></r>`,
    ],
    ['nesting', size => fill('<a>', size)],
    ['spaces after an attribute', size => `<r a${fill(' ', size)}= b="1"><id>E</id></r>`],
    ['spaces before what is no attribute', size => `<r a="1"${fill(' ', size)}=/>`],
    ['spaces in a closing tag', size => `<r></r${fill(' ', size)}`],
    ['line breaks and nothing else', size => fill('\n', size)],
    ['comments that do not end', size => `<r>${fill('<!--', size)}`],
    ['entities', size => `<r>${fill('&amp;', size)}<id>E</id></r>`],
    [
      'references to an entity that nests',
      size => `<!DOCTYPE r [<!ENTITY a "b"><!ENTITY b "${'&a;'.repeat(9)}">]><r>${fill('&b;', size)}</r>`,
    ],
    ['a quote that does not end', size => `<r a="${fill('x', size)}`],
  ])('EX1 the work for up to 1 MiB of %s grows with the body', (_, xml) => {
    return expectLinear(65_536, size => {
      const found = findInXml(xml(size), 'id')
      expect('problem' in found && found.problem === null).toBe(false)
    })
  })
})
