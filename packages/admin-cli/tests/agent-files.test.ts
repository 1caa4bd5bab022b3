import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { createPostgresStore } from '@colloquy/adapter-postgres'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform, type Platform } from '@colloquy/core'
import { postgresSchemas } from '@colloquy/test-support/postgres'
import { useServer } from '@colloquy/test-support/servers'
import { writeEmptyStore } from '@colloquy/test-support/sqlite-file'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { readFolder, writeFolder } from '../src/agent-files/folder.ts'
import { admin, temporaryFile } from './support.ts'

// Slow: each test carries several command lines out, and each of them opens the store anew.

const silent = { async *respond() {} }

/** A file with an agent of one topic on a branch, and a folder beside it. */
async function setUp() {
  const file = writeEmptyStore(temporaryFile())
  const platform = createPlatform({
    store: createSqliteStore({ filename: file }),
    runtime: silent,
    workers: false,
  })
  onTestFinished(() => platform.close())
  const made = await seed(platform)
  const dir = join(dirname(file), 'agent')
  const run = (...args: readonly string[]) => admin(['--database', file, ...args, '--dir', dir])
  return { ...made, file, dir, run, platform }
}

async function seed(platform: Platform) {
  const { id: accountId } = await platform.access.createAccount({ slug: 'one', name: 'One' })
  const agent = await platform.agents.create({
    accountId,
    agentId: 'PROJECT-DESK',
    name: 'Desk',
    greeting: 'Hello',
  })
  const branch = await platform.agents.createBranch(agent.id, { branchName: 'work' })
  const input = { name: 'Opening hours', content: 'Open from nine.\n\n---\n\nClosed on Sunday.' }
  const topic = await platform.agents.createTopic(agent.id, branch.id, input)
  return { accountId, agent, branch, topic, topics: () => platform.agents.topics(agent.id, branch.id) }
}

const snapshot = (dir: string) =>
  Object.fromEntries(
    readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => [
        join(entry.parentPath, entry.name),
        readFileSync(join(entry.parentPath, entry.name), 'utf8'),
      ]),
  )

const edit = (path: string, change: (text: string) => string) =>
  writeFileSync(path, change(readFileSync(path, 'utf8')))

const ofBranch = ['--agent', 'PROJECT-DESK', '--branch', 'work']

/** A folder that is nobody's business, with the state of it that must stay. */
function elsewhere(dir: string) {
  const precious = join(dirname(dir), 'precious')
  mkdirSync(precious)
  for (const name of ['diary.txt', 'id_rsa', 'topic--TOPIC-1.md', 'colloquy-lock.json', 'behavior.md'])
    writeFileSync(join(precious, name), `mine: ${name}`)
  return { precious, before: snapshot(precious) }
}

const COMMANDS: readonly (readonly [string, ...string[]])[] = [
  ['pull'],
  ['pull', '--replace'],
  ['pull', '--markers'],
  ['push'],
  ['push', '--replace'],
  ['push', '--markers'],
  ['push', '--new-branch', 'other'],
  ['diff'],
]

describe('links', () => {
  test.each(['topics', 'variants', 'test-cases'])(
    'CL23 none is followed in the place of %s, by any command, wherever it leads',
    async folder => {
      const { dir, run } = await setUp()
      const { precious, before } = elsewhere(dir)
      await run('pull', ...ofBranch)
      rmSync(join(dir, folder), { recursive: true, force: true })
      symlinkSync(precious, join(dirname(dir), 'step'))
      for (const target of ['../precious', precious, '../step', '../nothing', 'behavior.md']) {
        symlinkSync(target, join(dir, folder))
        for (const command of COMMANDS) {
          const [name, ...options] = command
          const given = options.includes('--new-branch') ? ofBranch.slice(0, 2) : ofBranch
          expect(await run(name, ...given, ...options), `${target} ${command}`).toMatchObject({
            code: 1,
            err: `error: ${folder} is not a folder; links are not followed.`,
          })
        }
        rmSync(join(dir, folder))
      }
      expect(snapshot(precious)).toEqual(before)
      expect(readdirSync(precious).length).toBe(5)
    },
  )

  test.each([
    'behavior.md',
    'response-settings.json',
    'attributes.json',
    'colloquy-lock.json',
    'topics/x.md',
  ])('CL23 none is followed in the place of the file %s', async path => {
    const { dir, run } = await setUp()
    const { precious, before } = elsewhere(dir)
    await run('pull', ...ofBranch)
    rmSync(join(dir, path), { force: true })
    for (const target of [join(precious, 'behavior.md'), join(precious, 'new.md'), precious]) {
      symlinkSync(target, join(dir, path))
      for (const [name, ...options] of COMMANDS) {
        const given = options.includes('--new-branch') ? ofBranch.slice(0, 2) : ofBranch
        expect(await run(name, ...given, ...options), `${target} ${name} ${options}`).toMatchObject({
          code: 1,
          err: `error: ${path} is not a file; links and folders are not followed.`,
        })
      }
      rmSync(join(dir, path))
    }
    expect(snapshot(precious)).toEqual(before)
  })

  test('CL23 none is followed in the place of the folder itself, nor of a draft', async () => {
    const { dir, run } = await setUp()
    const { precious, before } = elsewhere(dir)
    symlinkSync(precious, dir)
    for (const [name, ...options] of COMMANDS.slice(0, 3))
      expect(await run(name, ...ofBranch, ...options)).toMatchObject({
        code: 1,
        err: `error: ${dir} is not a folder; links are not followed.`,
      })
    rmSync(dir)
    mkdirSync(dir)
    for (const folder of ['.', 'topics']) {
      mkdirSync(join(dir, folder), { recursive: true })
      symlinkSync(join(precious, 'diary.txt'), join(dir, folder, `.${process.pid}.colloquy-draft`))
    }
    expect(await run('pull', ...ofBranch)).toMatchObject({ code: 0 })
    expect(snapshot(precious)).toEqual(before)
  })

  test('CL23 one that takes the place of a folder after it was read is not followed', async () => {
    const { dir, run } = await setUp()
    const { precious, before } = elsewhere(dir)
    await run('pull', ...ofBranch)
    const folder = await readFolder(dir)
    rmSync(join(dir, 'topics'), { recursive: true })
    symlinkSync(precious, join(dir, 'topics'))
    const file = { unit: 'a', path: 'topics/behavior.md', text: 'theirs' }
    for (const files of [[], [file]])
      await expect(writeFolder(folder, files, 'lock')).rejects.toThrow('topics is not a folder')
    expect(snapshot(precious)).toEqual(before)
  })
})

describe('between a branch and a folder', () => {
  test('CL21, CL22 a pull writes files, an edit of one is shown by diff and written by push', async () => {
    const { dir, run, topic, topics } = await setUp()
    expect(await run('pull', ...ofBranch)).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/ of PROJECT-DESK\.$/),
    })
    const path = join(dir, `topics/opening-hours--${topic.id}.md`)
    expect(readFileSync(path, 'utf8')).toBe(
      `---\nid: ${topic.id}\nname: Opening hours\n---\n\nOpen from nine.\n\n---\n\nClosed on Sunday.\n`,
    )
    const before = snapshot(dir)
    expect(await run('push')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/has all that the files have\.$/),
    })
    await run('pull')
    expect(snapshot(dir)).toEqual(before)
    edit(path, text => text.replace('nine', 'ten').replace('Opening hours', 'When we open'))
    writeFileSync(join(dir, 'topics/new.md'), '---\nname: Parking\n---\nBehind the house.\n')
    const shown = await run('diff')
    expect(shown).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^-Open from nine\.\n\+Open from ten\.$/m),
    })
    expect(shown.out).toMatch(/^~ topics\/when-we-open--TOPIC-\w+\.md \(When we open\)$/m)
    expect(await run('diff', '--exit-code')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/would write 2 changes/),
    })
    expect((await topics()).map(({ name }) => name)).toEqual(['Opening hours'])
    expect(await run('push')).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^Wrote 2 changes/m),
    })
    expect((await topics()).map(({ name }) => name)).toEqual(['Parking', 'When we open'])
    expect(existsSync(path)).toBe(false)
    expect(existsSync(join(dir, 'topics/new.md'))).toBe(false)
    expect(readdirSync(join(dir, 'topics')).sort()[0]).toMatch(/^parking--TOPIC-\w+\.md$/)
    expect(await run('diff', '--exit-code')).toMatchObject({ code: 0 })
  })

  test('CL22 edits of both sides come together; a file that was moved is the same topic', async () => {
    const { dir, run, platform, agent, branch, topic, topics } = await setUp()
    await run('pull', ...ofBranch)
    const path = join(dir, `topics/opening-hours--${topic.id}.md`)
    await platform.agents.updateTopic(agent.id, branch.id, topic.id, { actions: 'Say it kindly.' })
    edit(path, text => text.replace('nine', 'ten'))
    renameSync(path, join(dir, 'topics/mine.md'))
    expect(await run('pull')).toMatchObject({ code: 0, out: expect.stringMatching(/push them\.$/) })
    expect(readFileSync(path, 'utf8')).toMatch(/actions: Say it kindly\.\n---\n\nOpen from ten/)
    await run('push')
    expect(await topics()).toMatchObject([
      { actions: 'Say it kindly.', content: expect.stringMatching(/^Open from ten/) },
    ])
    rmSync(path)
    expect(await run('push')).toMatchObject({ code: 0, out: expect.stringMatching(/^- topics\//) })
    expect(await topics()).toEqual([])
  })

  test('CL22 a conflict is shown with what each side has, written on demand, and resolved by a push', async () => {
    const { dir, run, platform, agent, branch, topic, topics } = await setUp()
    await run('pull', ...ofBranch)
    const path = join(dir, `topics/opening-hours--${topic.id}.md`)
    await platform.agents.updateTopic(agent.id, branch.id, topic.id, { content: 'Open from eight.' })
    edit(path, text => text.replace('nine', 'ten'))
    const before = snapshot(dir)
    const refused = await run('push')
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringMatching(/One conflict .* Nothing was written/),
    })
    expect(refused.out).toMatch(new RegExp(`^topics/opening-hours--${topic.id}\\.md: content$`, 'm'))
    expect(refused.out).toMatch(/^ {2}branch {2}"Open from eight\."$/m)
    expect(snapshot(dir)).toEqual(before)
    expect(await run('push', '--markers')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/hold markers/),
    })
    expect(readFileSync(path, 'utf8')).toMatch(/<<<<<<< branch\nOpen from eight\.\n=======\nOpen from ten\./)
    expect(await run('push')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/\.md:6: This is a conflict/),
    })
    expect(await topics()).toMatchObject([{ content: 'Open from eight.' }])
    edit(path, text => text.replace(/<<<<<<< branch[\s\S]*/, 'Open from half past nine.\n'))
    expect(await run('push')).toMatchObject({ code: 0, err: '' })
    expect(await topics()).toMatchObject([{ content: 'Open from half past nine.' }])
  })

  test('CL22 main is pulled, and pushed to a new branch, which is not left behind by a refused push', async () => {
    const { dir, run, platform, agent } = await setUp()
    expect(await run('pull', '--agent', 'PROJECT-DESK')).toMatchObject({ code: 0 })
    writeFileSync(join(dir, 'behavior.md'), 'Be kind.\n')
    expect(await run('push')).toMatchObject({ code: 1, err: expect.stringMatching(/--new-branch/) })
    edit(join(dir, 'attributes.json'), () => '[{"name": ""}]')
    expect(await run('push', '--new-branch', 'two')).toMatchObject({ code: 1 })
    expect((await platform.agents.branches(agent.id)).map(({ name }) => name)).toEqual(['main', 'work'])
    edit(join(dir, 'attributes.json'), () => '[{"name": "Hotel"}]')
    expect(await run('push', '--new-branch', 'two')).toMatchObject({ code: 0, err: '' })
    const two = (await platform.agents.branches(agent.id)).find(({ name }) => name === 'two')
    expect(await platform.agents.behavior(agent.id, two?.id ?? '')).toBe('Be kind.')
    expect(await platform.agents.attributes(agent.id, two?.id ?? '')).toMatchObject([{ name: 'Hotel' }])
  })

  test('CL21, CL22 a push into an empty agent gives the same files back', async () => {
    const { dir, run, file, platform, accountId, agent, branch } = await setUp()
    const attribute = await platform.agents.createAttribute(agent.id, branch.id, { name: 'Hotel' })
    const attributeValues = { [attribute.id]: 'Harbour' }
    const { id } = await platform.agents.createVariant(agent.id, branch.id, {
      name: 'Harbour',
      attributeValues,
    })
    const turns = [{ text: 'Hello\r\n', expectations: { ends: false } }]
    await platform.agents.testCases.create(agent.id, branch.id, { name: 'Hello', turns, variantId: id })
    await run('pull', ...ofBranch)
    const { [join(dir, 'colloquy-lock.json')]: _, ...files } = snapshot(dir)
    await platform.agents.create({ accountId, agentId: 'PROJECT-TWO', name: 'Two', greeting: 'Hi' })
    const target = ['--agent', 'PROJECT-TWO', '--new-branch', 'first']
    expect(await run('push', ...target)).toMatchObject({ code: 1, err: expect.stringMatching(/--replace/) })
    expect(await run('push', ...target, '--replace')).toMatchObject({ code: 0, err: '' })
    const other = join(dirname(file), 'other')
    await admin(['--database', file, 'pull', '--agent', 'PROJECT-TWO', '--branch', 'first', '--dir', other])
    const { [join(other, 'colloquy-lock.json')]: __, ...again } = snapshot(other)
    expect(Object.values(again)).toEqual(Object.values(files))
    expect(Object.keys(again).map(path => path.slice(other.length))).toEqual(
      Object.keys(files).map(path => path.slice(dir.length)),
    )
  })
})

describe('phrases in files', () => {
  test('AG524 are pulled, edited and pushed with the response settings', async () => {
    const { dir, run, platform, agent, branch } = await setUp()
    const before = await platform.agents.responseSettings(agent.id, branch.id)
    const phrases = { de: { unknown: 'Das weiß ich nicht.', smallTalk: [{ to: ['moin'], says: 'Moin!' }] } }
    await platform.agents.updateResponseSettings(agent.id, branch.id, { phrases })
    await run('pull', ...ofBranch)
    const path = join(dir, 'response-settings.json')
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ ...before, phrases })
    edit(path, text => text.replace('"Moin!"', '"Moin moin!"'))
    expect(await run('push')).toMatchObject({ code: 0 })
    const said = { ...phrases.de, smallTalk: [{ to: ['moin'], says: 'Moin moin!' }] }
    expect((await platform.agents.responseSettings(agent.id, branch.id)).phrases).toEqual({ de: said })
    writeFileSync(path, JSON.stringify(before))
    expect(await run('push')).toMatchObject({ code: 0 })
    expect(await platform.agents.responseSettings(agent.id, branch.id)).toEqual(before)
  })
})

describe('files that cannot be read', () => {
  test.each<[string, string, string, RegExp]>([
    ['broken YAML', 'topics/x.md', '---\nname: "Bar\n---\nText\n', /^error: topics\/x\.md:3: .*YAML/],
    ['a front matter without an end', 'topics/x.md', '---\nname: Bar\n', /^error: topics\/x\.md:1: .*no end/],
    ['a topic without text', 'topics/x.md', '---\nname: Bar\n---\n', /topics\/x\.md:4: The field "content"/],
    [
      'an unknown field',
      'topics/x.md',
      '---\nname: Bar\nnmae: x\n---\nText\n',
      /x\.md:3: The field "nmae" is unknown/,
    ],
    [
      'a value of another type',
      'topics/x.md',
      '---\nname: Bar\nisActive: 3\n---\nA\n',
      /x\.md:3: The field "isActive"/,
    ],
    ['text twice', 'topics/x.md', '---\nname: Bar\ncontent: a\n---\nB\n', /x\.md:5: .*write it once/],
    [
      'aliases without end',
      'topics/x.md',
      `---\nname: &a [x]\nb: [${'*a,'.repeat(200)}]\n---\nA\n`,
      /x\.md:2: /,
    ],
    [
      'a taken name',
      'topics/x.md',
      '---\nname: Opening hours\n---\nA\n',
      /x\.md:2: The name "Opening hours" is taken/,
    ],
    [
      'a conflict of git',
      'topics/x.md',
      '---\nname: A\n---\n<<<<<<< HEAD\nA\n=======\n',
      /x\.md:4: This is a conflict/,
    ],
    [
      'broken JSON',
      'attributes.json',
      '[\n  {"name": "A"},\n]\n',
      /attributes\.json:3: This is not valid JSON/,
    ],
    [
      'no default variant',
      'variants/x.json',
      '{"name": "B", "isDefault": true}',
      /x\.json:1: .*is the default already/,
    ],
    [
      'a value for no attribute',
      'variants/x.json',
      '{"name": "B",\n"attributeValues": {"Z": "1"}}',
      /x\.json:2: .*attribute Z/,
    ],
    ['another kind of file', 'topics/x.txt', 'A', /topics\/x\.txt:1: .*end in \.md/],
    [
      'a conflict in the lock',
      'colloquy-lock.json',
      '{\n<<<<<<< HEAD\n',
      /colloquy-lock\.json:2: This is a conflict of git/,
    ],
    [
      'a phrase that the agent does not have',
      'response-settings.json',
      '{"greeting": "Hi", "languageCode": "de", "voiceId": null, "modelId": null,\n"phrases": {"de": {\n"unkown": "Wie bitte?"}}}',
      /response-settings\.json:[23]: .*unkown/,
    ],
    ['a lock of another format', 'colloquy-lock.json', '{"format": 2}', /colloquy-lock\.json:1: /],
  ])('CL23 %s is named by file and line, and nothing is written', async (_, path, text, message) => {
    const { dir, run, platform, agent, branch } = await setUp()
    await run('pull', ...ofBranch)
    writeFileSync(join(dir, 'behavior.md'), 'Edited.\n')
    writeFileSync(join(dir, path), text)
    const [files, version] = [snapshot(dir), (await platform.agents.branch(agent.id, branch.id)).version]
    for (const command of ['push', 'pull', 'diff'])
      expect(await run(command)).toMatchObject({ code: 1, err: expect.stringMatching(message) })
    expect(snapshot(dir)).toEqual(files)
    expect((await platform.agents.branch(agent.id, branch.id)).version).toBe(version)
  })

  test('CL23 links, other encodings, a folder without a lock, and HTTP are refused in words', async () => {
    const { dir, run } = await setUp()
    mkdirSync(join(dir, 'topics'), { recursive: true })
    expect(await run('push', '--agent', 'PROJECT-DESK')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/behavior\.md:1: .*missing/),
    })
    expect(await run('pull')).toMatchObject({ code: 2, err: expect.stringMatching(/--agent/) })
    await run('pull', ...ofBranch)
    symlinkSync('/etc/hostname', join(dir, 'topics/link.md'))
    expect(await run('push')).toMatchObject({ code: 1, err: expect.stringMatching(/link\.md is not a file/) })
    rmSync(join(dir, 'topics/link.md'))
    writeFileSync(join(dir, 'topics/latin.md'), Buffer.from([0xe9, 0x0a]))
    expect(await run('push')).toMatchObject({ code: 1, err: expect.stringMatching(/latin\.md is not UTF-8/) })
    rmSync(join(dir, 'topics/latin.md'))
    rmSync(join(dir, 'colloquy-lock.json'))
    expect(await run('pull', ...ofBranch)).toMatchObject({ code: 1, err: expect.stringMatching(/--replace/) })
    const http = await admin([
      '--url',
      'http://127.0.0.1:1',
      '--operator-key',
      'k',
      'pull',
      ...ofBranch,
      '--dir',
      dir,
    ])
    expect(http).toMatchObject({ code: 2, err: expect.stringMatching(/use --database/) })
  })
})

describe('over PostgreSQL', async () => {
  const schemas = postgresSchemas(await useServer('postgres'))
  afterAll(() => schemas.remove())

  test('CL1 a store in PostgreSQL is pulled from and pushed to', async () => {
    const schema = schemas.fresh()
    const store = await createPostgresStore({ url: schemas.url, schema })
    const platform = createPlatform({ store, runtime: silent, workers: false })
    onTestFinished(() => platform.close())
    const { topics } = await seed(platform)
    const dir = join(dirname(temporaryFile()), 'agent')
    const place = ['--database', schemas.url, '--schema', schema]
    expect(await admin([...place, 'pull', ...ofBranch, '--dir', dir])).toMatchObject({ code: 0, err: '' })
    writeFileSync(join(dir, 'topics/new.md'), '---\nname: Parking\n---\nBehind the house.\n')
    expect(await admin([...place, 'push', '--dir', dir])).toMatchObject({ code: 0, err: '' })
    expect((await topics()).map(({ name }) => name)).toEqual(['Opening hours', 'Parking'])
  })
})
