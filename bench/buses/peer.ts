/** One of two processes that talk over a bus, as `buses.ts` asks: it sends, or it listens. */
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod'
import { answerParent } from '../child.ts'
import { busSchema, openBus } from './kinds.ts'

/** Conversations that notices go round. */
const TOPICS = 100

/** Notices of which none is counted as lost yet. */
const OUTSTANDING = 500

/** Notices after which the listener reports its count, so that the sender goes on. */
const EVERY = 50

/** Time that the sender waits for a report of the listener, milliseconds. */
const PATIENCE = 2_000

const jobSchema = busSchema.extend({ role: z.enum(['sender', 'listener']) })
const questionSchema = z
  .object({
    notices: z.enum(['as many as possible', 'at a rate']),
    seconds: z.number(),
    perSecond: z.number(),
  })
  .or(z.enum(['cpu', 'heard']))

const { role, ...kind } = jobSchema.parse(JSON.parse(process.argv[2] ?? '{}'))
const bus = openBus(kind)

/** Fields of a message, as long as real ones. */
const fields = { number: 1_000, at: Date.now(), signature: '0'.repeat(32) }

/** Sent with the moment of a clock that all processes of a machine share, nanoseconds. */
const say = (number: number): void =>
  bus.publish(`conversation:C-${number % TOPICS}`, {
    from: String(process.hrtime.bigint()),
    notice: { sequence: number, events: [], transients: [] },
    ...fields,
  })

let heard = 0
let told = 0
let latencies: number[] = []
let onTold = (): void => {}
const noGap = (): void => {}
if (role === 'listener')
  for (let topic = 0; topic < TOPICS; topic++)
    bus.subscribe(`conversation:C-${topic}`, {
      message({ from }) {
        latencies.push(Number(process.hrtime.bigint() - BigInt(from)) / 1e6)
        heard += 1
        if (heard % EVERY === 0)
          bus.publish('conversation:told', {
            from: 'listener',
            notice: { sequence: heard, events: [], transients: [] },
            ...fields,
          })
      },
      gap: noGap,
    })
else
  bus.subscribe('conversation:told', {
    message({ notice }) {
      if ('sequence' in notice) told = Math.max(told, notice.sequence)
      onTold()
    },
    gap: noGap,
  })

let sent = 0

/** Keeps as many on the way as the listener is behind by at most; how many were sent, and in what time. */
async function flood(seconds: number) {
  const began = performance.now()
  const before = sent
  while (performance.now() - began < seconds * 1_000) {
    for (; sent - told < OUTSTANDING; sent++) say(sent)
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('The listener hears nothing.')), PATIENCE)
      onTold = () => {
        clearTimeout(late)
        resolve()
      }
    })
  }
  return { sent: sent - before, milliseconds: performance.now() - began }
}

async function trickle(perSecond: number, seconds: number) {
  const began = performance.now()
  const before = sent
  for (let now = began; now - began < seconds * 1_000; now = performance.now()) {
    for (; sent - before < ((now - began) * perSecond) / 1_000; sent++) say(sent)
    await pause(1)
  }
  return { sent: sent - before, milliseconds: performance.now() - began }
}

await answerParent(null, question => {
  const asked = questionSchema.parse(question)
  if (asked === 'cpu') {
    const { user, system } = process.cpuUsage()
    return user + system
  }
  if (asked === 'heard') {
    const found = { heard, latencies }
    latencies = []
    return found
  }
  return asked.notices === 'at a rate' ? trickle(asked.perSecond, asked.seconds) : flood(asked.seconds)
})
await bus.close()
process.exit(0)
