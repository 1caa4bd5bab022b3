import { within } from '@colloquy/test-support/program'
import fc from 'fast-check'
import type { Target } from './child.ts'
import { fatalSteps, type Step, stepsOf } from './frames.ts'
import { frameBytes, OPCODES, openRawSocket } from './raw-socket.ts'
import { type VisitFigures, visit } from './visit.ts'
import { openSession, queueVisitor } from './visitors.ts'

/** Visitors who behave badly at a time. */
const AT_ONCE = 6

/** Steps of each visitor in one round. */
const STEPS = 30

/** A desk's socket reads frames up to this length, bytes. */
const DESK_FRAME = 60_000

/** Counts of a run. */
export interface FrameFigures {
  readonly visits: number
  readonly messages: number
  readonly sockets: number
  readonly harmless: number
  readonly fatal: number
  readonly deskSteps: number
  readonly findings: readonly string[]
}

export interface FrameFuzzOptions {
  readonly target: Target
  readonly seed: number
  /** Asked before each round: true to go on. */
  goOn(round: number): boolean
}

/**
 * A live agent's client that sends what it likes: frames that can be read mean nothing, the others close the socket.
 * Who waits is told of all the same, and no one hears of the other account's visitors.
 */
async function fuzzDesk({ world }: Target, steps: readonly Step[]): Promise<readonly string[]> {
  const findings: string[] = []
  const path = `/desk/v1/ws?api_key=${world.own.keys.desk}&agent_id=somebody`
  let socket = await openRawSocket(world.port, path)
  for (const step of steps) {
    // Nothing tells when pings are answered, and many at once are a flood.
    const fits = step.type === 'harmless' && step.bytes.length < DESK_FRAME && step.what !== 'pings'
    if (fits) socket.write(step.bytes)
    if (step.type !== 'fatal') continue
    socket.write(step.bytes)
    const code = await within(socket.closed, `the desk's close after ${step.what}`)
    // Its frames are smaller: what is too much elsewhere is too large here before.
    const asStated = code === null ? step.codes.length === 0 : [...step.codes, 1009].includes(code)
    if (!asStated) findings.push(`desk: ${step.what} closed with ${code}, not ${step.codes.join(' or ')}`)
    socket = await openRawSocket(world.port, path)
  }
  socket.write(frameBytes(OPCODES.text, Buffer.from('still there')))
  const words = `visitor ${Date.now()}`
  await queueVisitor(world, world.other, 'MARKER-OF-THE-OTHER-ACCOUNT')
  const before = socket.texts.length
  await queueVisitor(world, world.own, words)
  const told = await within(
    socket.until(() => socket.texts.slice(before).some(text => text.includes('handoff.'))),
    "the desk's event",
  )
  if (!told) findings.push('desk: the socket closed although every frame could be read')
  const shown = socket.texts.join('\n')
  if (world.other.private.some(one => shown.includes(one)))
    findings.push("desk: a leak of what is another account's")
  socket.end()
  await socket.closed
  return findings
}

/** Handshakes with tokens that were issued for something else. Returns what was let in. */
async function fuzzHandshakes({ world }: Target): Promise<readonly string[]> {
  const own = await openSession(world, world.own)
  const more = await openSession(world, world.own)
  const other = await openSession(world, world.other)
  const attempts: readonly (readonly [string, string, string])[] = [
    ['a session of another account', other.sessionId, own.accessToken],
    ['a session of another visitor', more.sessionId, own.accessToken],
    ['a connector token in place of an access token', own.sessionId, world.own.connectorToken],
    ['an API key in place of an access token', own.sessionId, world.own.keys.workspace],
    ['a token without its signature', own.sessionId, own.accessToken.split('.').slice(0, 2).join('.')],
    ['no session', crypto.randomUUID(), own.accessToken],
  ]
  const findings: string[] = []
  for (const [what, sessionId, token] of attempts) {
    const path = `/ws?session_id=${sessionId}&access_token=${token}`
    const socket = await openRawSocket(world.port, path).catch(() => null)
    if (socket === null) continue
    findings.push(`handshake: ${what} was let in`)
    socket.destroy()
  }
  return findings
}

const sum = (visits: readonly VisitFigures[], of: (visit: VisitFigures) => number): number =>
  visits.reduce((total, one) => total + of(one), 0)

/** Rounds of visitors and live agents whose clients break every rule of the socket (FZ11). */
export async function fuzzFrames({ target, seed, goOn }: FrameFuzzOptions): Promise<FrameFigures> {
  const visits: VisitFigures[] = []
  const findings: string[] = []
  let deskSteps = 0
  for (let round = 0; goOn(round); round++) {
    const scripts = fc.sample(stepsOf(STEPS), { seed: seed * 7_919 + round, numRuns: AT_ONCE + 1 })
    const [desk = [], ...others] = scripts
    // In the first round every way to break a socket is taken once.
    const played = round === 0 ? [[...fatalSteps], ...others.slice(1)] : others
    const run = async (steps: readonly Step[]): Promise<void> => {
      try {
        visits.push(await visit(target.world, steps))
      } catch (error) {
        const script = steps.map(step => ('what' in step ? step.what : step.type)).join(', ')
        findings.push(`${String(error)} in round ${round}: ${script}`)
      }
    }
    await Promise.all(played.map(run))
    findings.push(...(await fuzzDesk(target, round === 0 ? fatalSteps : desk)))
    findings.push(...(await fuzzHandshakes(target)))
    deskSteps += desk.length
    for (const error of await target.errors()) findings.push(`the host was told: ${error}`)
    // A finding may hang: every further round would wait for it as long.
    if (findings.length > 0) break
  }
  findings.push(...visits.flatMap(({ faults }) => faults))
  return {
    visits: visits.length,
    messages: sum(visits, ({ messages }) => messages),
    sockets: sum(visits, ({ sockets }) => sockets),
    harmless: sum(visits, ({ harmless }) => harmless),
    fatal: sum(visits, ({ fatal }) => fatal),
    deskSteps,
    findings,
  }
}
