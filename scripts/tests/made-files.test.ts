import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listSettings } from '../../packages/core/src/settings/list-settings.ts'
import { MADE_FILES } from '../document/files.ts'
import { libraryCalls, optionComments } from '../document/library.ts'
import { firstSentence, libraryCallsPage } from '../document/library-calls-page.ts'
import { MADE } from '../document/table.ts'
import { REPOSITORY } from '../workspace-packages.ts'

// Slow: every page and document is made from the sources once more.

test.each(MADE_FILES)('DO30 $path is what `npm run document` makes', async ({ path, make }) => {
  expect(readFileSync(join(REPOSITORY, path), 'utf8')).toBe(await make())
})

test('DO30 every kind of file that is made is among them', () => {
  const paths = MADE_FILES.map(({ path }) => path)
  const pages = readdirSync(join(REPOSITORY, 'docs/reference')).map(page => `docs/reference/${page}`)
  expect(pages.length).toBeGreaterThan(1)
  expect(paths).toEqual(expect.arrayContaining(pages))
  for (const page of paths.filter(path => path.startsWith('docs/')))
    expect(readFileSync(join(REPOSITORY, page), 'utf8').split('\n')[2], page).toBe(MADE)
})

test('DO30 every call of the library has a comment that begins with a sentence', () => {
  const calls = libraryCalls()
  expect(calls.length).toBeGreaterThan(100)
  expect(calls.filter(({ doc }) => firstSentence(doc) === '').map(({ name }) => name)).toEqual([])
})

test('DO30 the page of library calls says which fields may be left out', () => {
  const optionalOf = (wanted: string) =>
    libraryCalls()
      .filter(({ name }) => name === wanted)
      .flatMap(({ optional }) => optional.map(fields => [...fields].sort()))
  expect(optionalOf('access.createAccount')).toEqual([['accountId']])
  expect(optionalOf('agents.create')).toEqual([['agentId', 'languageCode', 'modelId', 'voiceId']])
  expect(optionalOf('agents.createBranch')).toEqual([[], []])
  expect(libraryCallsPage()).toContain('input: `accountId?, slug, name`')
})

test('DO30 editors show what every option of createPlatform does, and the default of every setting', () => {
  const comments = optionComments()
  const settings = listSettings()
  expect([...comments].filter(([, comment]) => comment === '').map(([name]) => name)).toEqual([])
  expect(settings.map(({ name }) => name).filter(name => !comments.has(name))).toEqual([])
  // The words of the brand are the domain's; their default stands at the group.
  const alone = settings.filter(({ name, info }) => info.group !== true && !name.startsWith('brand.'))
  expect(alone.length).toBeGreaterThan(60)
  expect(
    alone.filter(({ name }) => !comments.get(name)?.includes('@default')).map(({ name }) => name),
  ).toEqual([])
})
