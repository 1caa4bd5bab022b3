import { z } from 'zod'
import { buildWhatIsOld } from '../scripts/build.ts'
import { CORE, startChild, withScripts } from './child.ts'
import type { BenchOptions } from './table/options.ts'
import { type Result, resultOf } from './table/result.ts'
import { VOICE_CALLS, VOICE_FIGURES, VOICE_ROWS, VOICE_UNITS } from './table/voice-rows.ts'

/** Those after whose warm-up memory is read first: code is loaded and made then, which is no cost of a call. */
const FIRST = 20
/** Seconds before anything is measured, so that the code is warm and every caller has spoken. */
const WARM = 8

const measured = z.object({ bytes: z.number(), cpuMs: z.number() })
const heard = z.array(z.object({ frames: z.number(), late: z.number(), open: z.boolean() }))

const shares = z.array(z.number())

type Way = keyof typeof VOICE_ROWS
type Figures = Readonly<Record<keyof typeof VOICE_UNITS, number>>

/** Returns the value below which 95 of 100 are. */
const p95 = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * 0.95) - 1] ?? Number.NaN

async function measureWay(over: Way, seconds: number, madeOf: (source: string) => string): Promise<Figures> {
  const all = VOICE_CALLS[over]
  const server = await startChild(madeOf('voice/server.ts'), null, CORE.server)
  const load = await startChild(madeOf('voice/load.ts'), null, CORE.load)
  const measure = async () => measured.parse(await server.ask('measure'))
  const open = async (calls: number): Promise<void> => {
    await load.ask({ addresses: await server.ask({ calls, over }) })
    await load.ask({ seconds: WARM })
  }
  await open(FIRST)
  const few = await measure()
  await open(all - FIRST)
  await server.ask('turns')
  const before = await measure()
  // Beside `measure`, which stops the process to count.
  await server.ask('late')
  const calls = heard.parse(await load.ask({ seconds }))
  const sent = shares.parse(await server.ask('late'))
  const after = await measure()
  const turns = z.array(z.number()).parse(await server.ask('turns'))
  await load.stop()
  await server.stop()
  return {
    ended: calls.filter(call => !call.open).length,
    turn: p95(turns),
    sent: p95(sent) * 100,
    late: p95(calls.map(({ frames, late }) => (frames === 0 ? 1 : late / frames))) * 100,
    memory: (after.bytes - few.bytes) / (all - FIRST) / 1_000,
    cpu: (after.cpuMs - before.cpuMs) / (all * seconds),
  }
}

/**
 * Opens calls with scripted ports on one core. Measures how long the gateway takes for a turn, the share of late
 * frames, and the cost of a call. The callers run on another core.
 */
export async function measureVoice({ rounds = 3, seconds = 20 }: BenchOptions): Promise<readonly Result[]> {
  await buildWhatIsOld()
  const found: Record<Way, Figures[]> = { sockets: [], webrtc: [] }
  await withScripts(['voice/server.ts', 'voice/load.ts'], async madeOf => {
    for (let round = 0; round < rounds; round++)
      for (const way of ['sockets', 'webrtc'] as const)
        found[way].push(await measureWay(way, seconds, madeOf))
  })
  return (['sockets', 'webrtc'] as const).flatMap(way =>
    VOICE_FIGURES[way].map(figure =>
      resultOf(
        { row: VOICE_ROWS[way], variant: 'Colloquy', unit: VOICE_UNITS[figure] },
        found[way].map(figures => figures[figure]),
      ),
    ),
  )
}
