import { join } from 'node:path'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { type Clock, createPlatform, silentLog, systemClock } from '@colloquy/core'
import { createScriptedRuntime } from '@colloquy/core/testing'
import { createFolderFiles } from '@colloquy/integrations/files'

/** Every part of a recording in these tests is full of it. */
export const MARK = 'sound-of-a-caller.'

/** A platform whose store and recordings are in a folder. */
export const platformIn = (folder: string, clock: Clock = systemClock) =>
  createPlatform({
    store: createSqliteStore({ filename: join(folder, 'store.db') }),
    runtime: createScriptedRuntime({ greeting: 'Hello.', messages: {}, otherwise: 'Well.' }, systemClock),
    recordings: { keep: createFolderFiles({ folder: join(folder, 'sound') }) },
    clock,
    log: silentLog,
    onError: () => {},
  })
