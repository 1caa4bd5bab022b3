import { existsSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { ERROR_STATUS } from '../../packages/core/src/errors.ts'
import { createMemoryStore } from '../../packages/core/src/memory/index.ts'
import { keptFiles, specificationFiles, specifiedRules } from '../specification.ts'
import { REPOSITORY, workspacePackages } from '../workspace-packages.ts'

const read = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8')

/** Pages of the repository, by their path from its root. */
const pages = (): readonly string[] => keptFiles('*.md')

/** Files that pages show whole; tests run them. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  'README.md': ['e2e/src/idea.ts', 'e2e/src/embed.ts'],
  'docs/guides/calls.md': ['e2e/calls-guide/host.ts', 'e2e/calls-guide/record-said.ts'],
  'docs/guides/hosts.md': ['hono', 'koa', 'next-route', 'svelte-kit', 'fastify-websocket'].map(
    name => `e2e/src/hosts/${name}.ts`,
  ),
  'docs/guides/language-models.md': ['e2e/src/language-model.ts'],
  'docs/guides/live-agents.md': ['e2e/src/live-agent.ts', 'e2e/src/helpdesk.ts'],
  'docs/guides/property-testing.md': ['e2e/src/own-flow.ts'],
  'docs/guides/runtimes.md': ['e2e/src/runtime.ts'],
  'docs/guides/stores.md': ['lines', 'journal', 'json-file-store'].map(
    name => `examples/json-file-store/src/${name}.ts`,
  ),
  'docs/guides/tls-and-proxies.md': ['e2e/src/behind-tls.ts'],
  'docs/guides/verified-context.md': ['e2e/src/sign-context.ts'],
  'docs/guides/visitor-client.md': ['e2e/src/visitor-client.ts'],
  'docs/guides/webhooks.md': ['e2e/src/webhook-receiver.ts'],
  'docs/guides/widget.md': ['e2e/src/widget-host.ts'],
}

const blocksOf = (page: string): readonly (string | undefined)[] =>
  [...read(page).matchAll(/^```ts\n(.*?)^```$/gms)].map(([, body]) => body)

test.each(Object.entries(SHOWN))(
  'DO8 and WH20 the programs of %s are those that are run, letter by letter',
  (page, files) => {
    const blocks = blocksOf(page)
    expect(files.filter(file => !blocks.includes(read(file)))).toEqual([])
  },
)

test.each([
  'README.md',
  'docs/guides/language-models.md',
  'docs/guides/live-agents.md',
  'docs/guides/stores.md',
])('DO8 %s shows no other program', page => expect(blocksOf(page)).toHaveLength(SHOWN[page]?.length ?? 0))

test('the program of the first screen has fifteen lines, the host of the readme at most thirty', () => {
  expect(read('e2e/src/idea.ts').match(/^.*\w.*$/gm)).toHaveLength(15)
  expect(read('e2e/src/embed.ts').split('\n').length).toBeLessThanOrEqual(31)
})

/** How many methods a part of a store has, and in how many groups. */
function sizeOf(part: object): { readonly methods: number; readonly groups: number } {
  const members: unknown[] = Object.values(part)
  const inner = members.flatMap(member =>
    typeof member === 'object' && member !== null ? [sizeOf(member)] : [],
  )
  const own = members.filter(member => typeof member === 'function').length
  return {
    methods: inner.reduce((sum, { methods }) => sum + methods, own),
    groups: inner.reduce((sum, { groups }) => sum + groups, own > 0 ? 1 : 0),
  }
}

test('pages that say how large the store port is say what it is', () => {
  const { close, copies, ...parts } = createMemoryStore()
  expect([typeof close, typeof copies]).toEqual(['function', 'object'])
  const { methods, groups } = sizeOf(parts)
  const said = `${methods} methods in ${groups} groups`
  for (const page of ['README.md', 'CONTRIBUTING.md', 'docs/guides/stores.md'])
    expect(read(page)).toContain(said)
  const rows = [...read('docs/guides/stores.md').matchAll(/^\| `(\w+)` \|.*\| (\d+) \|$/gm)]
  expect(Object.fromEntries(rows.map(([, part = '', count = '']) => [part, Number(count)]))).toEqual(
    Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, sizeOf(part).methods])),
  )
})

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of withoutBlocks(read(page)).matchAll(/^#+ (.+)$/gm)) {
    const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    const anchor = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
      .replaceAll(' ', '-')
    let unique = anchor
    for (let n = 1; anchors.has(unique); n += 1) unique = `${anchor}-${n}`
    anchors.add(unique)
  }
  return anchors
}

const withoutBlocks = (text: string): string => text.replace(/^(`{3,}).*?^\1$/gms, '')

test('DO8 every link within the repository leads to a file, and to a heading where it names one', () => {
  const links = pages().flatMap(page =>
    [...withoutBlocks(read(page)).matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$/gm)]
      .map(([, inline, reference]) => inline ?? reference ?? '')
      .filter(target => !/^[a-z]+:/.test(target))
      .map(target => ({ page, target })),
  )
  expect(links.length).toBeGreaterThan(200)
  const broken = links.filter(({ page, target }) => {
    const [path = '', anchor] = target.split('#')
    const file = path === '' ? page : join(dirname(page), path)
    if (!existsSync(join(REPOSITORY, file))) return true
    return anchor !== undefined && !(file.endsWith('.md') && anchorsOf(file).has(anchor))
  })
  expect(broken).toEqual([])
})

test('DO8 the readme lists every package, and the index of the docs every page', () => {
  for (const { manifest } of workspacePackages()) expect(read('README.md')).toContain(`\`${manifest.name}\``)
  const index = read('docs/README.md')
  const pagesOfDocs = keptFiles('docs/*.md').map(path => relative('docs', path))
  expect(pagesOfDocs.filter(page => page !== 'README.md' && !index.includes(`(${page})`))).toEqual([])
})

/** The proofs of a table's row: rules, and the file that each is said to have its test in. */
const proofsOf = (cell: string) =>
  cell.split(';').map(proof => {
    const [, rules = '', file = ''] =
      /^\s*([A-Z0-9, ]+): \[[^\]]+\]\(\.\.\/\.\.\/([^)]+)\)\s*$/.exec(proof) ?? []
    return { proof, rules: rules.match(/[A-Z]{2}\d+/g) ?? [], file }
  })

test('DO5 every defence on the page about security has rules, and each of them a test in the file that is named', () => {
  const rows = read('docs/how-it-works/security.md')
    .split('\n')
    .filter(line => /^\|(?:[^|]*\|){3}$/.test(line) && !/^\| (Threat|---)|^\|---/.test(line))
  expect(rows.length).toBeGreaterThan(45)
  const proofs = rows.flatMap(row => proofsOf(row.split('|')[3] ?? ''))
  expect(proofs.filter(({ rules, file }) => rules.length === 0 || file === '')).toEqual([])
  const specified = new Set(specifiedRules().map(({ id }) => id))
  const unproven = proofs.flatMap(({ rules, file }) => {
    const titles = [...read(file).matchAll(/['"`]((?:[A-Z]{2}\d+(?:, | and | ))+)/g)].map(
      ([, ids = '']) => ids,
    )
    const tested = new Set(titles.flatMap(ids => ids.match(/[A-Z]{2}\d+/g) ?? []))
    return rules.filter(rule => !tested.has(rule) || !specified.has(rule)).map(rule => `${rule}: ${file}`)
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

test('every file that the specification cites is in the repository, and nothing names a document outside of it', async () => {
  const specification = ['SPEC.md', ...specificationFiles()].map(page => ({ page, text: read(page) }))
  const named = specification.flatMap(({ page, text }) =>
    [...new Set(text.match(/[\w./-]+\.(?:md|ts|js|mjs)\b/g))].map(name => ({ page, name })),
  )
  expect(named.length).toBeGreaterThan(80)
  const missing = named.filter(
    ({ page, name }) => ![...ROOTS, dirname(page)].some(root => existsSync(join(REPOSITORY, root, name))),
  )
  expect(missing).toEqual([])

  const outside = new RegExp(`(?<![\\w-])(?:${['platform-api', 'decisions', 'families'].join('|')})\\.md`)
  expect((await texts()).filter(path => outside.test(read(path)))).toEqual([])
})

test('the page about errors lists every code with its status', () => {
  const rows = [...read('docs/contract/errors.md').matchAll(/^\| (\d{3}) \| (.+) \|$/gm)]
  const listed = rows.flatMap(([, status, codes = '']) =>
    [...codes.matchAll(/`([A-Z_]+)`/g)].map(([, code = '']) => [code, Number(status)]),
  )
  expect(Object.fromEntries(listed)).toEqual(ERROR_STATUS)
})
