import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { buildWhatIsOld } from '../scripts/build.ts'
import { areasOf } from './messaging/areas.ts'
import { Pair, withMessagingScripts } from './messaging/pair.ts'
import type { BenchOptions } from './table/options.ts'
import { type Result, resultOf } from './table/result.ts'
import { withFolder } from './with-folder.ts'

const SESSIONS = 1_000
const ROW = 'profile, 1,000 sessions'

/** Microseconds a turn by area, of one round. */
async function profileOnce(seconds: number): Promise<ReadonlyMap<string, number>> {
  let areas: ReadonlyMap<string, number> = new Map()
  await withFolder(folder =>
    withMessagingScripts(async ({ project, load }) => {
      const file = join(folder, 'profile.json')
      const pair = await Pair.start({ server: project, load }, null, SESSIONS)
      await pair.setUp()
      const { turns } = await pair.talk(3, seconds, async () => {
        await pair.server.ask('profile')
        await pause(seconds * 1_000)
        await pair.server.ask(file)
      })
      await pair.stop()
      const found = [...areasOf(JSON.parse(await readFile(file, 'utf8')))]
      areas = new Map(found.map(([area, microseconds]) => [area, microseconds / turns]))
    }),
  )
  return areas
}

/** Measures the server process's time while visitors talk, by the part of the code that runs. */
export async function measureProfile({ rounds = 3, seconds = 5 }: BenchOptions): Promise<readonly Result[]> {
  await buildWhatIsOld()
  const found: ReadonlyMap<string, number>[] = []
  for (let round = 0; round < rounds; round++) found.push(await profileOnce(seconds))
  const areas = [...new Set(found.flatMap(one => [...one.keys()]))]
  const unit = 'µs/turn'
  const results = areas.map(variant =>
    resultOf(
      { row: ROW, variant, unit },
      found.map(one => one.get(variant) ?? 0),
    ),
  )
  const totals = found.map(one => [...one.values()].reduce((sum, value) => sum + value, 0))
  return [
    ...results.sort((a, b) => b.median - a.median),
    resultOf({ row: ROW, variant: 'all together', unit }, totals),
  ]
}
