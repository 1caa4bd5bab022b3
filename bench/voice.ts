import { z } from 'zod'
import { buildWhatIsOld } from '../scripts/build.ts'
import { CORE, startChild, withScripts } from './child.ts'

const CALLS = 100
/** Those after whose warm-up memory is read first: code is loaded and made then, which is no cost of a call. */
const FIRST = 20
/** Seconds before anything is measured, so that the code is warm and every caller has spoken. */
const WARM = 8

const measured = z.object({ bytes: z.number(), cpuMs: z.number() })
const heard = z.array(z.object({ frames: z.number(), late: z.number(), open: z.boolean() }))

/** Returns the value below which 95 of 100 are. */
const p95 = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * 0.95) - 1] ?? Number.NaN

const row = (name: string, value: string, goal: string): void =>
  console.log(`  ${name.padEnd(58)} ${value.padStart(10)}   ${goal}`)

/**
 * Opens calls with scripted ports on one core, and prints how long the gateway takes for each turn, the share of late
 * frames, and the cost of a call. The callers run on another core.
 */
export async function benchVoice({ seconds = 20 }: { readonly seconds?: number } = {}): Promise<void> {
  await buildWhatIsOld()
  await withScripts(['voice/server.ts', 'voice/load.ts'], async madeOf => {
    const server = await startChild(madeOf('voice/server.ts'), null, CORE.server)
    const load = await startChild(madeOf('voice/load.ts'), null, CORE.load)
    const { port } = z.object({ port: z.number() }).parse(server.ready)
    const measure = async () => measured.parse(await server.ask('measure'))
    const queries = z.array(z.string()).parse(await server.ask(CALLS))
    const urls = queries.map(query => `ws://127.0.0.1:${port}/voice${query}`)
    await load.ask({ urls: urls.slice(0, FIRST) })
    await load.ask({ seconds: WARM })
    const few = await measure()
    await load.ask({ urls: urls.slice(FIRST) })
    await load.ask({ seconds: WARM })
    await server.ask('turns')
    const before = await measure()
    const calls = heard.parse(await load.ask({ seconds }))
    const after = await measure()
    const turns = z.array(z.number()).parse(await server.ask('turns'))
    await load.stop()
    await server.stop()
    const shares = calls.map(({ frames, late }) => (frames === 0 ? 1 : late / frames))
    console.log(`\nVoice: ${CALLS} calls on one core, ${turns.length} turns in ${seconds} s`)
    row('calls that are still open', `${calls.filter(({ open }) => open).length}`, `${CALLS}`)
    row('end of a turn to its first audio frame, p95', `${p95(turns).toFixed(0)} ms`, '≤ 60 ms')
    row(
      'frames of a call that are late by more than 20 ms, p95',
      `${(p95(shares) * 100).toFixed(1)} %`,
      '≤ 1 %',
    )
    row(
      'memory of a call',
      `${((after.bytes - few.bytes) / (CALLS - FIRST) / 1_000).toFixed(0)} kB`,
      '≤ 300 kB',
    )
    row(
      'CPU of a second of a call',
      `${((after.cpuMs - before.cpuMs) / (CALLS * seconds)).toFixed(2)} ms`,
      '',
    )
  })
}
