import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { projectIndex } from '@colloquy/core/domain'
import type { CopyableStore } from '@colloquy/core/store'
import { aConversation, anAppend, aTurn } from '@colloquy/core/testing'
import { fillWithTexts } from '@colloquy/core/testing/contracts'
import { expect, test } from 'vitest'
import { openExport, readExport } from '../src/export/export-file.ts'
import { FORMAT } from '../src/export/lines.ts'
import { admin, aStore, exported, exportTo, importInto, temporaryFile, text } from './support.ts'

// Slow: stores are made, exported and imported.

const beginning = (id: string) => (store: CopyableStore) => store.conversations.create(aConversation(id))

test('CY29, CL238 an export is a line of JSON for each document, in order, and a last one that counts them', async () => {
  const [from, file] = [await aStore(), temporaryFile()]
  const outcome = await exportTo(file, from)
  expect(outcome).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^The file and the store hold the same\.$/m),
  })
  expect(outcome.err).toContain(`Exporting to ${file}. Ctrl-C stops it; the same command goes on.`)
  expect(outcome.err).toMatch(/^conversations: 4 copied$/m)
  const lines = text(file).split('\n')
  expect(lines.pop()).toBe('')
  const parsed = lines.map(line => JSON.parse(line))
  const kinds = [...new Set(parsed.map(({ kind }) => kind))]
  expect(kinds.at(0)).toBe('secret')
  expect(kinds.slice(-3)).toEqual(['conversation', 'handoff_order', 'end'])
  expect(parsed.at(-2)).toEqual({ kind: 'handoff_order', value: ['AS-3', 'AS-2'] })
  const { counts, format, sha256 } = parsed.at(-1).value
  expect([format, sha256]).toEqual([FORMAT, expect.stringMatching(/^[0-9a-f]{64}$/)])
  for (const kind of kinds.slice(0, -1))
    expect(counts[kind]).toBe(parsed.filter(line => line.kind === kind).length)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

/** Which fields a value has, and of what types. */
function shapeOf(value: unknown, path: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(one => shapeOf(one, `${path}[]`))
  if (value !== null && typeof value === 'object')
    return Object.entries(value).flatMap(([name, one]) => shapeOf(one, `${path}.${name}`))
  return [`${path}: ${value === null ? 'null' : typeof value}`]
}

test('CY29 documents have the shapes of this format: raise FORMAT with another shape, and name the file anew', async () => {
  const lines = (await exported(await aStore())).split('\n').slice(0, -2)
  const shapes = lines.map(line => JSON.parse(line)).flatMap(({ kind, value }) => shapeOf(value, kind))
  const all = [...new Set(shapes)].sort().join('\n')
  await expect(`${all}\n`).toMatchFileSnapshot(`export-format-${FORMAT}.txt`)
})

test('CL238 the commands of the pages run', async () => {
  const pages = ['../README.md', '../../../docs/guides/backups.md'].map(page =>
    readFileSync(new URL(page, import.meta.url), 'utf8'),
  )
  const commands = pages.flatMap(page => page.match(/(?<=^npx colloquy-admin )(?:export|import) .*$/gm) ?? [])
  expect(commands.map(command => command.split(' ')[0])).toEqual(['export', 'import', 'export', 'import'])
  const from = await aStore()
  let file = ''
  for (const command of commands) {
    if (command.startsWith('export')) file = temporaryFile()
    const words = command.split(' ').map(word => {
      if (word === 'backup.jsonl') return file
      return word === 'colloquy.db' ? from : word.replace(/^(restored\.db|postgres:.*)$/, temporaryFile)
    })
    expect(await admin(words), command).toMatchObject({ code: 0 })
  }
})

test('CY30 and CL238 a whole export, one of another store, other files and links are not written over', async () => {
  const [from, other, file, link] = [
    await aStore(),
    await aStore(store => fillWithTexts(store, ['one'])),
    temporaryFile(),
    temporaryFile(),
  ]
  const whole = await exported(from)
  symlinkSync(file, link)
  const begun = whole.split('\n').slice(0, 8).join('\n')
  for (const [content, source, message] of [
    [whole, from, `${file} is a whole export, and is not written over. Name another file, or remove it.`],
    [begun, other, `${file} was begun from another store, or from a later state of it. Name another file.`],
    [
      'Dear diary',
      from,
      `${file}, line 1: this is no line of an export, or it was changed. Name another file.`,
    ],
    ['{"kind":"Pod"}', from, `${file}, line 1: this is no line of an export`],
    [`${begun}\n{"kind":"voice"}\n[]\n`, from, `${file}, line 9: this is no line of an export`],
    [readFileSync(from), from, `${file}, line 1: this is no line of an export`],
  ] as const) {
    writeFileSync(file, content)
    const outcome = await exportTo(file, source)
    expect(outcome).toMatchObject({ code: 1, out: '', err: expect.stringContaining(message) })
    expect(readFileSync(file).equals(Buffer.from(content))).toBe(true)
  }
  expect(await exportTo(link, from)).toMatchObject({
    code: 1,
    err: expect.stringContaining(`${link} is a link.`),
  })
  const folder = await exportTo('/', from)
  expect(folder).toMatchObject({ code: 1, err: expect.stringContaining('/ cannot be opened: EISDIR') })
})

test('CY30 lines in another order, behind the end, of another version or of nobody are refused by their number', async () => {
  const lines = (await exported(await aStore())).split('\n').slice(0, -1)
  const [file, target] = [temporaryFile(), temporaryFile()]
  const [first = '', last = ''] = [lines.at(0), lines.at(-1)]
  const rest = lines.slice(0, -1)
  for (const [changed, message] of [
    [[...rest, first, last], `line ${lines.length}: this is no line of an export`],
    [[lines[1] ?? '', first, ...lines.slice(2)], 'line 2: this is no line of an export'],
    [[...lines, first], `line ${lines.length + 1}: this is no line of an export`],
    [
      [
        first,
        '{"kind":"unheard_of","value":{}}',
        last.replace(`"format":${FORMAT}`, `"format":${FORMAT + 1}`),
      ],
      `line 3: the format is ${FORMAT + 1}, that of another version of Colloquy; this one reads ${FORMAT}. Use the version that made the file.`,
    ],
    [[first, '{"kind":"unheard_of","value":{}}', last], 'line 2: this is no line of an export'],
    [
      [...rest.slice(1), last],
      `line ${lines.length - 1}: it does not fit the lines before it: the file was changed.`,
    ],
  ] as const) {
    writeFileSync(file, `${changed.join('\n')}\n`)
    expect(await importInto(target, file)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining(`${file}, ${message}`),
    })
  }
  expect(await importInto(target, temporaryFile())).toMatchObject({
    code: 1,
    err: expect.stringContaining('cannot be opened: ENOENT'),
  })
  expect(existsSync(target)).toBe(false)
})

test('CY30 and CL238 an import is a copy: repeated it writes what differs, and takes nothing away that is later or of others', async () => {
  const [from, file, to] = [await aStore(), temporaryFile(), temporaryFile()]
  await exportTo(file, from)
  const first = await importInto(to, file)
  expect(first).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^The file and the store hold the same\.$/m),
  })
  expect(first.err).toContain(`Copying ${file} to ${to}.`)
  expect(await importInto(to, file)).toMatchObject({
    code: 0,
    err: expect.stringMatching(/^conversations: 0 copied, 4 were the same$/m),
  })
  expect(await importInto(to, file, '--compare')).toMatchObject({ code: 0 })
  expect(await exportTo(file, to, '--compare')).toMatchObject({ code: 0 })
  const store = createSqliteStore({ filename: to })
  await beginning('AS-9')(store)
  await store.close()
  expect(await importInto(to, file)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/Removing 1 conversations from .* that are not in the file/),
  })
  expect(await importInto(to, file, '--yes')).toMatchObject({ code: 0 })
  await writeOn(to, 'AS-4')
  expect(await importInto(to, file, '--yes')).toMatchObject({
    code: 1,
    err: expect.stringContaining('was written to after it was copied'),
  })
  const other = await aStore(store => fillWithTexts(store, ['one']))
  expect(await importInto(other, file)).toMatchObject({
    code: 1,
    err: expect.stringContaining('one that is a copy of the file.'),
  })
})

test('CY29 and CY30 more documents of a kind than are read at a time, and ones that are longer, come back as they were', async () => {
  const secret = (name: string, value: string) => ({ name, value, version: 1 })
  const from = await aStore(async ({ copies }) => {
    await copies.take(
      'secret',
      Array.from({ length: 1_201 }, (_, at) => secret(`many-${at}`, 'short')),
    )
    for (const name of ['a', 'b', 'z']) await copies.take('secret', [secret(name, name.repeat(3_000_000))])
  })
  const [file, to] = [temporaryFile(), temporaryFile()]
  await exportTo(file, from)
  expect(await importInto(to, file)).toMatchObject({
    ...{ code: 0, err: expect.stringMatching(/^secrets: 1,204 copied$/m) },
  })
  expect(await exported(to)).toBe(text(file))
  // Pages are also asked for in another order than theirs.
  const handle = await openExport(file, 'read')
  const { copies } = await readExport(handle, file)
  const after = async (name: string | null) => {
    const bounds = { count: 3, bytes: 1_000 }
    const page = await copies.page('secret', name === null ? null : [name], bounds)
    return page.map(secret => secret.name)
  }
  expect(await after('b')).toEqual(['many-0', 'many-1', 'many-10'])
  expect(await after('many-10')).toEqual(['many-100', 'many-1000', 'many-1001'])
  expect(await after('many-0')).toEqual(['many-1', 'many-10', 'many-100'])
  expect(await after(null)).toEqual(['a'])
  expect(await after('many-999')).toEqual(['z'])
  expect(await after('z')).toEqual([])
  await handle.close()
})

/** Goes on in a conversation, as a server does. */
async function writeOn(file: string, id: string): Promise<void> {
  const store = createSqliteStore({ filename: file })
  const stored = await store.conversations.load(id)
  if (stored === null) throw new Error(`There is no ${id}.`)
  const first = aConversation(id)
  const state = { ...stored.state, sequence: stored.state.sequence + 1 }
  const append = anAppend(first, stored.version, { state, turns: [aTurn('More')] })
  const written = await store.conversations.append({ ...append, index: projectIndex(state) })
  expect(written.status).toBe('appended')
  await store.close()
}

test('CL238 a store that was written to meanwhile costs exit code 1, and the file is whole all the same', async () => {
  const [from, file] = [await aStore(), temporaryFile()]
  await exportTo(file, from)
  await writeOn(from, 'AS-4')
  const outcome = await exportTo(file, from, '--compare')
  expect(outcome).toMatchObject({ code: 1, out: expect.stringMatching(/^conversations .* NO$/m) })
  expect(outcome.err).toContain(
    'The file and the store differ in conversations. Where a server was writing to --from',
  )
  expect(await importInto(temporaryFile(), file)).toMatchObject({ code: 0 })
})

test('CL238 an export of a store that is written to all the while can be imported, each conversation whole', async () => {
  const ids = Array.from({ length: 300 }, (_, at) => `AS-${at}`)
  const from = await aStore(async store => {
    for (const id of ids) await beginning(id)(store)
  })
  const file = temporaryFile()
  let isOver = false
  const exporting = exportTo(file, from).finally(() => {
    isOver = true
  })
  for (let at = 0; !isOver; at++) await writeOn(from, ids[(at * 7) % ids.length] ?? '')
  expect(await exporting).toMatchObject({
    ...{ code: 1, err: expect.stringContaining('The file and the store differ in conversations.') },
  })
  const to = temporaryFile()
  expect(await importInto(to, file)).toMatchObject({ code: 0 })
  const store = createSqliteStore({ filename: to })
  const lengths = new Set<number>()
  for (const id of ids) {
    const read = await store.copies.conversation(id)
    // Each write is a version and a turn.
    expect(read?.turns.length).toBe((read?.version ?? 0) - 1)
    lengths.add(read?.version ?? 0)
  }
  expect(lengths.size).toBeGreaterThan(1)
  await store.close()
})

test('CL238 what is missing or means another command is a usage error', async () => {
  for (const [args, message] of [
    [['export', 'a.jsonl'], 'Name the store with --from <file or postgres://…> (COLLOQUY_COPY_FROM).'],
    [['import', 'a.jsonl'], 'Name the store with --to <file or postgres://…> (COLLOQUY_COPY_TO).'],
    [['export', '--from', 'a.db'], "missing required argument 'file'"],
    [
      ['--database', 'a.db', 'export', 'a.jsonl'],
      'export takes --from; --database and --url are for the other',
    ],
    [
      ['--url', 'https://a', 'import', 'a.jsonl'],
      'import takes --to; --database and --url are for the other',
    ],
  ] as const)
    expect(await admin(args)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) })
})
