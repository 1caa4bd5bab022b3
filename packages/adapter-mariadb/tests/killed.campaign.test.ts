import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { aVoice } from '@colloquy/core/testing'
import { ownServer } from '@colloquy/test-support/own-server'
import { requireProgram } from '@colloquy/test-support/servers'
import { createConnection } from 'mariadb'
import { expect, it } from 'vitest'
import { createMariaStore } from '../src/store.ts'

// Slow: it makes a server of its own, which recovers each time it was killed.

const program = requireProgram('mariadbd', 'mariadb-server')
const AS = process.getuid?.() === 0 ? ['--user=mysql'] : []
const { accountId } = aVoice('V')

it('MA10 what was acknowledged is there once a server that was killed in the middle of writes is back', async () => {
  const root = (port: number) => ({ host: '127.0.0.1', port, user: 'root' })
  const answers = (port: number) =>
    createConnection({ ...root(port), connectTimeout: 500 }).then(
      connection => connection.end().then(() => true),
      () => false,
    )
  const where = (folder: string) => ['--no-defaults', ...AS, `--datadir=${folder}`]
  const server = await ownServer(
    program,
    (port, folder) => [
      ...where(folder),
      `--socket=${folder}/socket`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
    ],
    {
      prepare: async folder => {
        if (AS.length > 0) await promisify(execFile)('chown', ['mysql', folder])
        const how = '--auth-root-authentication-method=normal'
        await promisify(execFile)('mariadb-install-db', [...where(folder), how])
      },
      works: answers,
    },
  )
  await server.start()
  const url = `mariadb://root@127.0.0.1:${server.port}/test`
  const stores = await Promise.all([1, 2].map(() => createMariaStore({ url, maxConnections: 4 })))
  const acknowledged: string[] = []
  let isOver = false
  const writing = stores.flatMap((store, of) =>
    [0, 1, 2].map(async lane => {
      for (let at = 0; !isOver; at++) {
        const id = `V-${of}-${lane}-${at}`
        const answer = await store.access.voices.create(aVoice(id), 1_000_000).catch(error => error.code)
        if (answer === 'created') acknowledged.push(id)
        else expect(answer).toBe('STORE_BUSY')
      }
    }),
  )
  const there = async () => (await stores[0]?.access.voices.list(accountId))?.map(({ id }) => id) ?? []
  for (let kill = 0; kill < 3; kill++) {
    const before = acknowledged.length
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 50)
    await server.kill()
    const known = [...acknowledged]
    await server.start()
    const found = new Set(await there())
    expect(known.filter(id => !found.has(id))).toEqual([])
  }
  isOver = true
  await Promise.all(writing)
  expect((await there()).length).toBeGreaterThanOrEqual(acknowledged.length)
  for (const store of stores) await store.close()
})
