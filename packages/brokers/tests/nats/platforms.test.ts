import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { useServer } from '@colloquy/test-support/servers'
import { talkAcrossPlatforms } from '@colloquy/test-support/two-platforms'
import { onTestFinished, test } from 'vitest'
import { openBus, ownPrefix } from './support.ts'

const url = await useServer('nats')

test('what is said in one of two platforms over one file reaches the other', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-bus-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const prefix = ownPrefix()
  await talkAcrossPlatforms({
    store: () => createSqliteStore({ filename: join(folder, 'a.db') }),
    bus: () => openBus({ url, prefix }),
  })
})
