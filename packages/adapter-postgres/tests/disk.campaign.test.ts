import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aConversation, anAppend, anEvent } from '@colloquy/core/testing'
import { ownPostgres } from '@colloquy/test-support/own-postgres'
import { requireProgram } from '@colloquy/test-support/servers'
import { eventsOf } from '@colloquy/test-support/stored'
import pg from 'pg'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createPostgresStore } from '../src/store.ts'

const program = requireProgram('postgres', 'postgresql')

/** Bytes; a new database takes some 8 MB of them. */
const DISK = '24m'
const BALLAST = 10 * 2 ** 20

/** A small disk of its own; undefined where none can be mounted. */
function smallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK},mode=0777`, 'tmpfs', folder], {
      stdio: 'ignore',
    })
  } catch {
    rmSync(folder, { recursive: true })
    return undefined
  }
  onTestFinished(() => {
    execFileSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true })
  })
  return folder
}

it('SQ101 on a full disk writes are refused in the words of the server, nothing acknowledged is lost, and they go on when there is room', async context => {
  const disk = smallDisk()
  if (disk === undefined) return context.skip('only root can mount a small disk')
  const server = await ownPostgres(program)
  await server.start()
  const url = `postgres://postgres@127.0.0.1:${server.port}`
  const admin = new pg.Client({ connectionString: `${url}/postgres` })
  admin.on('error', () => undefined)
  await admin.connect()
  const space = join(disk, 'space')
  mkdirSync(space)
  chmodSync(space, 0o700)
  if (process.getuid?.() === 0) execFileSync('chown', ['postgres', space])
  await admin.query(`create tablespace small location '${space}'`)
  await admin.query('create database small tablespace small')
  const store = await createPostgresStore({ url: `${url}/small` })
  // What the server holds in memory only would have no room later, and it could not even read.
  await admin.query('checkpoint')
  await admin.end()
  // What is removed later makes room.
  const ballast = join(disk, 'ballast')
  writeFileSync(ballast, Buffer.alloc(BALLAST))
  const created = aConversation('AS-1', { events: [] })
  await store.conversations.create(created)
  let acknowledged = 0
  const say = async (): Promise<void> => {
    // Random: texts that repeat themselves would be packed.
    const text = randomBytes(15_000).toString('base64')
    const events = [anEvent({ payload: { text } })]
    const { status } = await store.conversations.append(anAppend(created, acknowledged + 1, { events }))
    expect(status).toBe('appended')
    acknowledged++
  }
  const untilFull = async (): Promise<unknown> => {
    for (let tries = 0; tries < 5_000; tries++) {
      try {
        await say()
      } catch (error) {
        return error
      }
    }
    return 'never full'
  }
  const full = {
    message: expect.stringMatching(
      /^PostgreSQL could not write documents: could not .*No space left on device/,
    ),
    cause: expect.objectContaining({ code: '53100' }),
  }
  expect(await untilFull()).toMatchObject(full)
  const kept = async () => (await eventsOf(store.conversations, 'AS-1', 0)).length
  expect(acknowledged).toBeGreaterThan(10)
  expect(await kept()).toBe(acknowledged)
  // Where a page had room left, a few more are taken.
  expect(await untilFull()).toMatchObject(full)
  expect(await kept()).toBe(acknowledged)

  rmSync(ballast)
  await vi.waitFor(say)
  expect(await kept()).toBe(acknowledged)
  await store.close()
})
