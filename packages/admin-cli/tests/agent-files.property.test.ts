import { applyChanges, type ContentTree, contentHash, parseResource, treeOf } from '@colloquy/core/domain'
import { contentTrees, mergeSides } from '@colloquy/core/testing/arbitraries'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pathsOf } from '../src/agent-files/layout.ts'
import { parseFiles } from '../src/agent-files/parse.ts'
import { filesOf } from '../src/agent-files/render.ts'
import { conflictFiles, sync } from '../src/agent-files/sync.ts'

const never = (): string => {
  throw new Error('An id was made.')
}

const asMap = (tree: ContentTree) => new Map(filesOf(tree).map(({ path, text }) => [path, text]))

function read(files: ReadonlyMap<string, string>): ContentTree {
  const parsed = parseFiles(files, never)
  if (parsed.status === 'invalid') throw new Error(JSON.stringify(parsed.problems))
  return parsed.tree
}

/** Pieces of which texts are made that files and formats take otherwise. */
const piece = fc.constantFrom(
  ...[
    '\n',
    '\r\n',
    '\r',
    '---',
    '--- ',
    ' ',
    '  ',
    '\t',
    '#',
    '- a',
    'a: b',
    '"',
    "'",
    '|',
    '>',
    '\\',
    '{',
    '[',
  ],
  ...['é', 'e\u0301', '🙂', '\ud800', '\udc00', '\u0000', '\u0007', '\u0085', '\u2028', '\ufeff', '\uffff'],
  ...[
    '<<<<<<< x',
    '=======',
    '>>>>>>> y',
    'null',
    'true',
    '0x1',
    '1.0',
    '...',
    '%',
    '&a',
    '*a',
    '!!x',
    'text',
  ],
)
const anyText = fc.oneof(
  fc.array(piece, { minLength: 1, maxLength: 12 }).map(pieces => pieces.join('')),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
)
const anyId = fc.oneof(
  fc.constantFrom('con', 'NUL', 'a/b', '..', 'T1', 't1', 'ID', 'é'),
  fc.stringMatching(/^TOPIC-[a-zA-Z0-9]{1,6}$/),
)

/** A tree with texts and ids as no author writes them. */
const hostileTrees = fc
  .tuple(
    contentTrees,
    anyText,
    fc.uniqueArray(
      fc.record({ id: anyId, name: anyText, content: anyText, actions: anyText, query: anyText }),
      {
        selector: ({ id }) => id,
        maxLength: 4,
      },
    ),
  )
  .map(([tree, behavior, topics]) =>
    applyChanges(tree, [
      parseResource('behavior', '', { behavior }),
      parseResource('response_settings', '', {
        ...{ greeting: `Hi ${behavior}`, languageCode: 'de', voiceId: null, modelId: null },
        phrases: { de: { unknown: `?${behavior}`, smallTalk: [{ to: [`!${behavior}`], says: 'Hi' }] } },
      }),
      ...topics.map(({ id, name, content, actions, query }) =>
        parseResource('topics', id, {
          ...{ name: `${id} ${name}`.slice(0, 200), content, actions, exampleQueries: [query] },
          isActive: name.length % 2 === 0,
        }),
      ),
      parseResource('test_cases', 'C9', {
        ...{ name: `case ${behavior}`.slice(0, 200), isActive: true, variantId: null, functionResults: {} },
        turns: [{ text: behavior, expectations: {} }],
      }),
    ]),
  )

test('CL21 what is written as files is read again as it was, and written again as it was', () => {
  fc.assert(
    fc.property(hostileTrees, tree => {
      const files = asMap(tree)
      const again = read(files)
      expect(contentHash(again)).toBe(contentHash(tree))
      expect(asMap(again)).toEqual(files)
      const crlf = new Map([...files].map(([path, text]) => [path, text.replaceAll('\n', '\r\n')]))
      expect(contentHash(read(crlf))).toBe(contentHash(tree))
    }),
    { numRuns: 60 },
  )
})

test('CL21 blanks alone are read again as they were', () => {
  const grown = (texts: readonly string[]) =>
    texts.flatMap(text => [' ', '\t', '\n'].map(next => text + next))
  let texts: readonly string[] = ['']
  for (let length = 1; length <= 5; length++) {
    texts = grown(texts)
    for (const behavior of texts) {
      const settings = { greeting: 'Hi', languageCode: 'de', voiceId: null, modelId: null }
      const tree = treeOf([
        parseResource('behavior', '', { behavior }),
        parseResource('response_settings', '', settings),
        parseResource('variants', 'V0', { name: 'default', isDefault: true, attributeValues: {} }),
      ])
      expect(read(asMap(tree)).get('behavior/')?.value).toEqual({ behavior })
    }
  }
})

test('CL21 files do not depend on the order of resources and of fields', () => {
  fc.assert(
    fc.property(hostileTrees, tree => {
      const turned = treeOf(
        [...tree.values()]
          .reverse()
          .map(({ kind, id, value }) =>
            parseResource(kind, id, Object.fromEntries(Object.entries(value).reverse())),
          ),
      )
      expect(asMap(turned)).toEqual(asMap(tree))
    }),
    { numRuns: 30 },
  )
})

test('CL21 every file has a name of its own that every file system takes', () => {
  const placed = fc.record({
    kind: fc.constantFrom('topics', 'variants', 'test_cases'),
    id: anyId,
    name: anyText,
  })
  fc.assert(
    fc.property(fc.uniqueArray(placed, { selector: ({ kind, id }) => `${kind}/${id}` }), resources => {
      const paths = pathsOf(resources)
      expect(new Set(paths.map(path => path.toLowerCase())).size).toBe(paths.length)
      for (const path of paths) {
        expect(path).toMatch(/^(topics|variants|test-cases)\/[\p{L}\p{M}\p{N}_-]+\.(md|json)$/u)
        expect(path).not.toMatch(/\/(con|nul|aux|prn)\./i)
        expect(Buffer.byteLength(path)).toBeLessThan(220)
      }
    }),
  )
})

test.each([
  ['Zimmer für Zwei', 'zimmer-fur-zwei'],
  ['पार्किंग', 'पार्किंग'],
  ['ที่จอดรถ', 'ที่จอดรถ'],
  ['نقاطُ الولاء', 'نقاطُ-الولاء'],
])('CL21 the file of a topic named %s is named %s', (name, file) => {
  expect(pathsOf([{ kind: 'topics', id: 'TOPIC-1', name }])).toEqual([`topics/${file}--TOPIC-1.md`])
})

test('CL22 a push of what was pulled and not edited changes nothing, whatever the branch got meanwhile', () => {
  fc.assert(
    fc.property(mergeSides, ({ base, ours }) => {
      expect(sync({ base, branch: ours, files: read(asMap(base)) })).toMatchObject({
        status: 'merged',
        changes: [],
      })
    }),
    { numRuns: 60 },
  )
})

test('CL22 conflicts written into files hold both sides, and name their lines until they are resolved', () => {
  fc.assert(
    fc.property(mergeSides, ({ base, ours: branch, theirs: files }) => {
      const sides = { base, branch, files }
      if (sync(sides).status !== 'conflicts') return
      const written = conflictFiles(sides)
      if (written === null) return
      const texts = new Map(written.map(({ path, text }) => [path, text]))
      const parsed = parseFiles(texts, never)
      if ([...texts.values()].some(text => text.includes('<<<<<<< '))) expect(parsed.status).toBe('invalid')
      // Each conflict resolved for the files.
      const resolved = new Map(
        [...texts].map(([path, text]) => [
          path,
          text.replace(/<<<<<<< branch\n[\s\S]*?=======\n([\s\S]*?)>>>>>>> files\n/g, '$1'),
        ]),
      )
      for (const [path, text] of resolved) if (text === '' && path !== 'behavior.md') resolved.delete(path)
      expect(parseFiles(resolved, never).status).toBe('content')
    }),
    { numRuns: 60 },
  )
})
