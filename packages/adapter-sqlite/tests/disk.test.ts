import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Store } from '@colloquy/core/store'
import { aConversation, anAppend, anEvent } from '@colloquy/core/testing'
import { eventsOf } from '@colloquy/test-support/stored'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSqliteStore } from '../src/store.ts'
import { openStore, temporaryFile } from './files.ts'

const NODE_MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url))

/** Appends one event, and says how many there are once it was acknowledged. */
function speaker(store: Store, id: string, text = '') {
  const created = aConversation(id, { events: [] })
  let acknowledged = 0
  return {
    id: created.conversationId,
    begin: () => store.conversations.create(created),
    acknowledged: () => acknowledged,
    async say() {
      const events = [anEvent({ payload: { text } })]
      const { status } = await store.conversations.append(anAppend(created, acknowledged + 1, { events }))
      expect(status).toBe('appended')
      acknowledged++
    },
  }
}

function integrityOf(filename: string): unknown {
  const database = new BetterSqlite3(filename, { readonly: true })
  try {
    return database.pragma('integrity_check', { simple: true })
  } finally {
    database.close()
  }
}

describe('a copy while the server runs', () => {
  it('SQ100 the command of the page copies the file at one instant, while a hundred sessions write', async () => {
    const page = readFileSync(new URL('../../../docs/guides/backups.md', import.meta.url), 'utf8')
    const command = /```sh\n(.+)\n```/.exec(page)?.[1] ?? ''
    const folder = dirname(temporaryFile())
    const store = openStore({ filename: join(folder, '.colloquy/colloquy.db') })
    const speakers = Array.from({ length: 100 }, (_, at) => speaker(store, `AS-${at}`))
    await Promise.all(speakers.map(({ begin }) => begin()))
    await Promise.all(speakers.map(({ say }) => say()))
    const before = speakers.map(({ acknowledged }) => acknowledged())
    const child = spawn('sh', ['-c', command], {
      cwd: folder,
      env: { ...process.env, NODE_PATH: NODE_MODULES },
      stdio: 'inherit',
    })
    let over = false
    const closed = once(child, 'close').finally(() => {
      over = true
    })
    while (!over) await Promise.all(speakers.map(({ say }) => say()))
    expect(await closed).toEqual([0, null])
    const after = speakers.map(({ acknowledged }) => acknowledged())
    expect(after[0]).toBeGreaterThan(before[0] ?? 0)

    const copy = join(folder, 'colloquy-backup.db')
    expect(statSync(copy).mode & 0o777).toBe(0o600)
    expect(integrityOf(copy)).toBe('ok')
    const { conversations } = openStore({ filename: copy })
    for (const [at, { id }] of speakers.entries()) {
      const events = await eventsOf(conversations, id, 0)
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1))
      expect((await conversations.load(id))?.version).toBe(events.length + 1)
      expect(events.length).toBeGreaterThanOrEqual(before[at] ?? 0)
      expect(events.length).toBeLessThanOrEqual(after[at] ?? 0)
    }
  })
})

/** A small disk of its own; undefined where none can be mounted. */
function smallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    rmSync(folder, { recursive: true })
    return undefined
  }
  onTestFinished(() => {
    execFileSync('umount', [folder])
    rmSync(folder, { recursive: true })
  })
  return folder
}

describe('what happens to a file', () => {
  it('SQ101 on a full disk writes are refused, nothing acknowledged is lost, and they go on when there is room', async context => {
    const folder = smallDisk()
    if (folder === undefined) return context.skip('only root can mount a small disk')
    const filename = join(folder, 'store.db')
    writeFileSync(join(folder, 'ballast'), Buffer.alloc(2 ** 22))
    const store = createSqliteStore({ filename })
    const one = speaker(store, 'AS-1', 'x'.repeat(100_000))
    await one.begin()
    let refusal: unknown
    while (refusal === undefined) {
      refusal = await one.say().then(
        () => undefined,
        error => error,
      )
    }
    expect(refusal).toMatchObject({
      message: expect.stringContaining('could not write the step: database or disk is full'),
      cause: { code: 'SQLITE_FULL' },
    })
    await expect(one.say()).rejects.toThrow('full')
    expect(one.acknowledged()).toBeGreaterThan(5)
    expect(await eventsOf(store.conversations, one.id, 0)).toHaveLength(one.acknowledged())
    unlinkSync(join(folder, 'ballast'))
    await one.say()
    await one.say()
    await store.close()
    expect(integrityOf(filename)).toBe('ok')
    const again = createSqliteStore({ filename })
    expect(await eventsOf(again.conversations, one.id, 0)).toHaveLength(one.acknowledged())
    await again.close()
  })

  it.each(['', '-wal'])(
    'SQ101 while the file%s is gone from its name nothing is acknowledged, and when it is back all goes on',
    async suffix => {
      const filename = temporaryFile()
      const store = openStore({ filename })
      const one = speaker(store, 'AS-1')
      await one.begin()
      await one.say()
      const elsewhere = join(dirname(filename), 'elsewhere')
      renameSync(`${filename}${suffix}`, elsewhere)
      await expect(one.say()).rejects.toThrow(/store\.db.* was removed or replaced while it was open/)
      renameSync(elsewhere, `${filename}${suffix}`)
      await one.say()
      expect(await eventsOf(store.conversations, 'AS-1', 0)).toHaveLength(2)
    },
  )

  it('SQ101 a file that was replaced is not written', async () => {
    const filename = temporaryFile()
    const store = openStore({ filename })
    const one = speaker(store, 'AS-1')
    await one.begin()
    unlinkSync(filename)
    writeFileSync(filename, '')
    await expect(one.say()).rejects.toThrow('was removed or replaced')
    expect(readFileSync(filename)).toHaveLength(0)
  })

  it('a file whose mode turns read-only while it is open is written to the end', async () => {
    const folder = join(dirname(temporaryFile()), 'kept')
    mkdirSync(folder)
    const filename = join(folder, 'store.db')
    const store = createSqliteStore({ filename })
    const one = speaker(store, 'AS-1')
    await one.begin()
    for (const file of [filename, `${filename}-wal`, `${filename}-shm`]) chmodSync(file, 0o400)
    await one.say()
    await store.close()
    const copy = new BetterSqlite3(filename, { readonly: true })
    expect(copy.prepare('SELECT count(*) FROM step').pluck().get()).toBe(1)
    copy.close()
  })
})

describe('the write-ahead log', () => {
  it('shrinks again after somebody has read for long', async () => {
    const filename = temporaryFile()
    const store = openStore({ filename })
    const { begin, say } = speaker(store, 'long', 'x'.repeat(100_000))
    await begin()
    const reader = new BetterSqlite3(filename, { readonly: true })
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM sqlite_schema').get()
    for (let n = 0; n < 300; n++) await say()
    const grown = statSync(`${filename}-wal`).size
    expect(grown).toBeGreaterThan(24 * 1_024 * 1_024)
    reader.exec('COMMIT')
    reader.close()
    for (let n = 0; n < 90; n++) await say()
    for (let n = 0; n < 5; n++) await say()
    expect(statSync(`${filename}-wal`).size).toBeLessThan(12 * 1_024 * 1_024)
    await store.close()
  })
})
