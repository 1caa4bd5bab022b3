import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { CLIENTS, ownPrefix } from '@colloquy/test-support/redis'
import { useServer } from '@colloquy/test-support/servers'
import { talkAcrossPlatforms } from '@colloquy/test-support/two-platforms'
import { onTestFinished, test } from 'vitest'
import { openBus } from './support.ts'

const url = await useServer('redis')

test.each(CLIENTS)(
  'what is said in one of two platforms over one file reaches the other, over %s',
  async (_name, clientOf) => {
    const folder = await mkdtemp(join(tmpdir(), 'colloquy-bus-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const prefix = ownPrefix()
    await talkAcrossPlatforms({
      store: () => createSqliteStore({ filename: join(folder, 'a.db') }),
      bus: () => openBus({ client: clientOf(url), prefix }),
    })
  },
)
