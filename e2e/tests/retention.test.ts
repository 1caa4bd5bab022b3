import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { asId } from '@colloquy/core'
import { aConversation } from '@colloquy/core/testing'
import { expect, test, vi } from 'vitest'
import { freshDatabase, startStandalone } from './support/standalone.ts'

const DAY = 86_400_000

test('SS14 a server with COLLOQUY_RETENTION_DAYS removes what finished longer ago, says so, and still exits by itself', async () => {
  const filename = await freshDatabase()
  const before = createSqliteStore({ filename })
  for (const days of [3, 1]) {
    const finishedAt = Date.now() - days * DAY
    await before.conversations.create(aConversation(`AS-${days}`, { index: { finishedAt } }))
  }
  await before.close()
  const server = await startStandalone({ COLLOQUY_DATABASE: filename, COLLOQUY_RETENTION_DAYS: '2' })
  await vi.waitFor(() => expect(server.output.stderr).toContain('Old conversations were removed'), 10_000)
  expect(server.output.stderr).toContain('"conversations":1,"retentionDays":2')
  server.kill('SIGTERM')
  expect(await server.exit).toBe(0)
  const after = createSqliteStore({ filename })
  expect(await after.conversations.load(asId('AS-3'))).toBeNull()
  expect(await after.conversations.load(asId('AS-1'))).not.toBeNull()
  await after.close()
})
