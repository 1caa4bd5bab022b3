import { existsSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { ERROR_STATUS } from '../../packages/core/src/errors.ts'
import { REPOSITORY, workspacePackages } from '../workspace-packages.ts'

const read = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8')

/** Markdown files of the repository's own, by their path from its root. */
async function pages(): Promise<readonly string[]> {
  const docs = await readdir(join(REPOSITORY, 'docs'), { recursive: true })
  const packages = workspacePackages().map(({ folder }) => join(relative(REPOSITORY, folder), 'README.md'))
  const examples = (await readdir(join(REPOSITORY, 'examples')))
    .map(name => join('examples', name, 'README.md'))
    .filter(path => existsSync(join(REPOSITORY, path)))
  return [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    ...packages,
    ...examples,
    ...docs.map(path => join('docs', path)),
  ].filter(path => path.endsWith('.md'))
}

test('DO1 the host in the readme is the one that is run, letter by letter', () => {
  const blocks = [...read('README.md').matchAll(/^```ts\n(.*?)^```$/gms)].map(([, body]) => body)
  expect(blocks).toEqual([read('e2e/src/embed.ts')])
  expect(read('e2e/src/embed.ts').split('\n').length).toBeLessThanOrEqual(31)
})

test('DO6 the programs in the page about live agents are the ones that are run, letter by letter', () => {
  const blocks = [...read('docs/live-agents.md').matchAll(/^```ts\n(.*?)^```$/gms)].map(([, body]) => body)
  expect(blocks).toEqual([read('e2e/src/live-agent.ts'), read('e2e/src/helpdesk.ts')])
})

test('DO2 no link within the repository leads nowhere', async () => {
  const broken = (await pages()).flatMap(page =>
    [...read(page).matchAll(/\]\(([^)#\s]+)/g)]
      .map(([, target = '']) => target)
      .filter(target => !/^[a-z]+:/.test(target) && !existsSync(join(REPOSITORY, dirname(page), target)))
      .map(target => `${page}: ${target}`),
  )
  expect(broken).toEqual([])
})

test('DO3 the readme lists every package, and the index every decision', async () => {
  for (const { manifest } of workspacePackages()) expect(read('README.md')).toContain(`\`${manifest.name}\``)
  for (const page of await readdir(join(REPOSITORY, 'docs/decisions')))
    expect(read('docs/README.md')).toContain(`(decisions/${page})`)
})

/** The proofs of a table's row: rules, and the file that each is said to have its test in. */
const proofsOf = (cell: string) =>
  cell.split(';').map(proof => {
    const [, rules = '', file = ''] = /^\s*([A-Z0-9, ]+): \[[^\]]+\]\(\.\.\/([^)]+)\)\s*$/.exec(proof) ?? []
    return { proof, rules: rules.match(/[A-Z]{2}\d+/g) ?? [], file }
  })

test('DO14 every defence on the page about security has rules, and each of them a test in the file that is named', () => {
  const rows = read('docs/security.md')
    .split('\n')
    .filter(line => /^\|(?:[^|]*\|){3}$/.test(line) && !/^\| (Threat|---)|^\|---/.test(line))
  expect(rows.length).toBeGreaterThan(45)
  const proofs = rows.flatMap(row => proofsOf(row.split('|')[3] ?? ''))
  expect(proofs.filter(({ rules, file }) => rules.length === 0 || file === '')).toEqual([])
  const specified = read('SPEC.md')
  const unproven = proofs.flatMap(({ rules, file }) => {
    const titles = [...read(file).matchAll(/['"`]((?:[A-Z]{2}\d+(?:, | and | ))+)/g)].map(
      ([, ids = '']) => ids,
    )
    const tested = new Set(titles.flatMap(ids => ids.match(/[A-Z]{2}\d+/g) ?? []))
    return rules
      .filter(rule => !tested.has(rule) || !specified.includes(`- **${rule}** `))
      .map(rule => `${rule}: ${file}`)
  })
  expect(unproven).toEqual([])
})

/** Folders that hold what was installed or made. */
const MADE = new Set(['node_modules', 'dist', 'coverage', '.git'])

/** Texts of the repository, by their path from its root. */
async function texts(folder = ''): Promise<readonly string[]> {
  const entries = await readdir(join(REPOSITORY, folder), { withFileTypes: true })
  const found = entries.map(async entry => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return MADE.has(entry.name) ? [] : texts(path)
    return entry.isFile() && /\.(md|[cm]?[jt]sx?|html|css|sql|ya?ml)$/.test(entry.name) ? [path] : []
  })
  return (await Promise.all(found)).flat()
}

/** Where a name in a citation may begin. */
const ROOTS = ['', 'docs', 'packages/core/src']

test('DO16 every file and heading that the specification cites is in the repository, and nothing names a document outside of it', async () => {
  const specification = read('SPEC.md')
  const named = new Set(specification.match(/[\w./-]+\.(?:md|ts|js|mjs)\b/g))
  expect(named.size).toBeGreaterThan(20)
  const missing = [...named].filter(name => !ROOTS.some(root => existsSync(join(REPOSITORY, root, name))))
  expect(missing).toEqual([])

  const cited = [...specification.matchAll(/(contract\/[\w-]+\.md)((?:, [^,;()]+)+)/g)].flatMap(
    ([, page = '', headings = '']) =>
      headings
        .split(', ')
        .slice(1)
        .map(heading => ({ page, heading })),
  )
  expect(cited.length).toBeGreaterThan(200)
  const strays = cited.filter(
    ({ page, heading }) => !read(join('docs', page)).split('\n').includes(`## ${heading}`),
  )
  expect(strays).toEqual([])

  const outside = new RegExp(`(?<![\\w-])(?:${['platform-api', 'decisions', 'families'].join('|')})\\.md`)
  expect((await texts()).filter(path => outside.test(read(path)))).toEqual([])
})

test('DO17 the page about errors lists every code with its status, and the index every page of the contract', async () => {
  const rows = [...read('docs/contract/errors.md').matchAll(/^\| (\d{3}) \| (.+) \|$/gm)]
  const listed = rows.flatMap(([, status, codes = '']) =>
    [...codes.matchAll(/`([A-Z_]+)`/g)].map(([, code = '']) => [code, Number(status)]),
  )
  expect(Object.fromEntries(listed)).toEqual(ERROR_STATUS)
  for (const page of await readdir(join(REPOSITORY, 'docs/contract')))
    expect(read('docs/README.md')).toContain(`(contract/${page})`)
})
