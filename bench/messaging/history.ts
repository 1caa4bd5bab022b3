/**
 * Turns at the end of conversations of different lengths, over SQLite with synchronous=FULL, in one process without
 * sockets: see `growth.ts`. Asked for a length, it tells the CPU of a turn there, microseconds.
 */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { answerParent } from '../child.ts'
import { openReception, type Visitor } from '../in-process.ts'
import { HISTORY } from '../table/growth-rows.ts'
import { withFolder } from '../with-folder.ts'

/** Conversations of each length, which talk at once. */
const TOGETHER = 10

/** Turns that are measured together: as many before the length as after it. */
const WINDOW = 10

/** Milliseconds in which work beside the turns is done; it counts. */
const AFTERWARDS = 100

const talk = async (visitors: readonly Visitor[], turns: number): Promise<void> => {
  await Promise.all(
    visitors.map(async ({ ask }) => {
      for (let turn = 0; turn < turns; turn++)
        await ask('When will my order of two blue garden chairs arrive?')
    }),
  )
}

async function cpuOf(visitors: readonly Visitor[]): Promise<number> {
  await pause(AFTERWARDS)
  const before = process.cpuUsage()
  await talk(visitors, WINDOW)
  await pause(AFTERWARDS)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / visitors.length / WINDOW
}

await withFolder(async folder => {
  const reception = await openReception(createSqliteStore({ filename: join(folder, 'bench.db') }))
  const open = (): Promise<readonly Visitor[]> =>
    Promise.all(Array.from({ length: TOGETHER }, reception.open))
  const [short, ...long] = HISTORY
  const grown = new Map<number, readonly Visitor[]>()
  for (const turns of long) {
    const visitors = await open()
    await talk(visitors, turns - WINDOW / 2)
    grown.set(turns, visitors)
  }

  /** Conversations of the least length are new each time; the others grow by a window. */
  async function measure(turns: number): Promise<number> {
    const visitors = grown.get(turns)
    if (visitors !== undefined) return cpuOf(visitors)
    const fresh = await open()
    await talk(fresh, short - WINDOW / 2)
    const microseconds = await cpuOf(fresh)
    for (const { leave } of fresh) leave()
    return microseconds
  }

  await answerParent(null, turns => measure(Number(turns)))
  for (const visitors of grown.values()) for (const { leave } of visitors) leave()
  await reception.close()
})
process.exit(0)
