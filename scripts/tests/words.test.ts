import { expect, test } from 'vitest'
import { placesOfPage, placesOfSource } from '../words/places.ts'

test('a comment that begins with a clause is found, and one that names its thing is not', () => {
  const source = [
    '/** What is there. */',
    '/** Existing rows. */',
    '/**',
    ' * Where it stands.',
    ' */',
    '  // Of the newest version.',
    '  // The newest version.',
    'const text = "What is there."',
  ].join('\n')
  expect(placesOfSource(source)).toEqual([
    { kind: 'clauses', line: 1, said: 'What is there.' },
    { kind: 'clauses', line: 3, said: 'Where it stands.' },
    { kind: 'clauses', line: 6, said: 'Of the newest version.' },
  ])
})

test('a word that is not the field’s is found in comments and pages, with a better one', () => {
  expect(placesOfSource('// The write is under way.\nconst underWay = "under way"')).toEqual([
    { kind: 'dialect', line: 1, said: '"under way". Better: in progress' },
  ])
  expect(placesOfPage('# Title\n\nIt is read Anew.').map(({ line, said }) => [line, said])).toEqual([
    [3, '"Anew". Better: again'],
  ])
})

test('a sentence of a page is long from 26 words, and code, tables and headings are none', () => {
  const words = (count: number): string => Array.from({ length: count }, () => 'word').join(' ')
  const page = [
    `# ${words(30)}`,
    `${words(25)}. ${words(25)}.`,
    `\`\`\`ts\n${words(40)}\n\`\`\``,
    `| ${words(40)} |`,
    `- [${words(25)}](${'a/b'.repeat(30)}).`,
    `${words(26)}.`,
  ].join('\n\n')
  expect(placesOfPage(page)).toEqual([
    { kind: 'long', line: 13, said: `26 words: ${words(26).slice(0, 60)}…` },
  ])
})
