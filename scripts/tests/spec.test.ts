import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { rulesFromTitles } from '../rules-from-titles.ts'
import { keptFiles, specificationFiles, specifiedRules } from '../specification.ts'
import { REPOSITORY } from '../workspace-packages.ts'

/** Files whose titles name rules: tests, and the contracts and shared suites that tests run. */
const files = (): readonly string[] =>
  keptFiles('*.test.ts', 'packages/core/src/testing/*', 'test-support/src/*').filter(file =>
    file.endsWith('.ts'),
  )

const idsIn = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].flatMap(match => match[1]?.match(/[A-Z]{2}\d+/g) ?? [])

const lettersOf = (id: string): string => id.slice(0, 2)

it('DO5 every rule stands in the title of a test, and every title of a test names a rule', async () => {
  const titles = await Promise.all(files().map(file => readFile(`${REPOSITORY}/${file}`, 'utf8')))
  const tested = new Set(titles.flatMap(text => idsIn(text, /['"`]((?:[A-Z]{2}\d+(?:, | and | ))+)/g)))
  const specified = specifiedRules().map(({ id }) => id)
  expect(specified.length).toBeGreaterThan(1000)
  expect(specified.filter(id => !tested.has(id))).toEqual([])
  expect([...tested].filter(id => !specified.includes(id))).toEqual([])
  expect(new Set(specified).size).toBe(specified.length)
})

it('DO19 rules of the same letters are in one file, to which the table in SPEC.md leads', async () => {
  const kept = new Map<string, Set<string>>()
  for (const { id, file } of specifiedRules())
    kept.set(lettersOf(id), (kept.get(lettersOf(id)) ?? new Set()).add(file))
  const table = [
    ...(await readFile(`${REPOSITORY}/SPEC.md`, 'utf8')).matchAll(/^\| ([A-Z, ]+) \|.*\]\(([^)]+)\) \|$/gm),
  ]
  const listed = table.flatMap(([, letters = '', file = '']) => letters.split(', ').map(two => [two, [file]]))
  expect(Object.fromEntries([...kept].map(([two, in_]) => [two, [...in_]]))).toEqual(
    Object.fromEntries(listed),
  )
  expect(listed.length).toBe(kept.size)
  expect(table.map(([, , file]) => file).sort()).toEqual([...specificationFiles()].sort())
})

describe('a list that is made from titles', () => {
  /** Ids are written with a sign here, so that they are not taken for rules that this file tests. */
  const withIds = (text: string): string => text.replaceAll('@', 'ZZ').replaceAll('#', 'YY')
  const listed = (...rules: readonly string[]): string =>
    withIds(
      `<!-- titles: a.ts (ours) -->\n\n${rules.map(rule => `${rule}\n`).join('')}\n<!-- end of titles -->\n`,
    )

  it('DO20 takes the words of the titles, in the order of ids, and keeps sources', () => {
    const titles = `it("@10 says what it says", f)\nit('@2 doesn\\'t stop', f)`
    const page = listed('- **@2** Something else (ports/clock.ts).')
    expect(rulesFromTitles(page, () => withIds(titles))).toBe(
      listed("- **@2** Doesn't stop (ports/clock.ts).", '- **@10** Says what it says (ours).'),
    )
  })

  it('DO20 leaves out what is said by hand, by several titles, for several rules, with placeholders, or in other letters', () => {
    const titles = [
      ...["'@1 one'", "'@2 once'", "'@2 and once more'", "'@3 and @4 together'"],
      ...["'@5 of %s'", ['`@6 of $', '{kind}`'].join(''), "'#7 of others'", "'@8 by hand'"],
    ].join('\n')
    const page = `${listed('- **@1** One (ours).')}\n${withIds('- **@8** Says more than its title (ours).')}\n`
    expect(rulesFromTitles(page, () => withIds(titles))).toBe(page)
  })

  it('DO20 takes a new title into the last list of its file', () => {
    const titles = "'@1 one'\n'@2 two'\n'@3 three'"
    const lists = (...last: readonly string[]) => `${listed('- **@1** One (ours).')}\n${listed(...last)}`
    expect(rulesFromTitles(lists('- **@3** Three (ours).'), () => withIds(titles))).toBe(
      lists('- **@2** Two (ours).', '- **@3** Three (ours).'),
    )
  })
})
