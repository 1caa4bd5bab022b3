/** Visitors with a socket on each of two nodes: they speak on the first, and listen on both. */
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod'
import { answerParent } from '../child.ts'
import { dialectOf, serverSchema } from '../messaging/dialect.ts'
import { openSocket, type RawSocket } from '../messaging/raw-socket.ts'

const jobSchema = serverSchema.extend({ otherPort: z.number(), sessions: z.number() })
const talkSchema = z.object({ perSecond: z.number(), seconds: z.number() })

/** Time limit for a message to arrive, milliseconds. */
const PATIENCE = 5_000

/** The last message of a session, and the times of its arrivals, milliseconds. */
interface Said {
  at: number
  own: number | null
  other: number | null
}

const { otherPort, sessions, ...server } = jobSchema.parse(JSON.parse(process.argv[2] ?? '{}'))
const dialect = await dialectOf(server)

/** A session with a socket on each node. */
class Session {
  #own: RawSocket | null = null
  said: Said | null = null
  #greeted = 0
  #replied = 0
  #spoken = 0

  get rests(): boolean {
    return this.#greeted === 2 && this.#replied === this.#spoken * 2
  }

  async arrive(): Promise<void> {
    const path = await dialect.open()
    this.#own = await openSocket({ port: server.port, path }, this.#hear('own'), closed)
    await openSocket({ port: otherPort, path }, this.#hear('other'), closed)
    this.#own.send(dialect.join)
    const end = performance.now() + PATIENCE
    while (!this.rests) {
      if (performance.now() > end) throw new Error('A greeting did not come on both nodes.')
      await pause(5)
    }
  }

  #hear(which: 'own' | 'other') {
    return (text: string, socket: RawSocket): void => {
      const heard = dialect.hear(text, socket)
      const { said } = this
      const types = heard === null ? [] : [heard, ...heard.events].map(({ type }) => type)
      for (const type of types) {
        if (type === 'USER_MESSAGE' && said !== null) said[which] ??= performance.now()
        if (type !== 'AI_AGENT_MESSAGE') continue
        if (this.#greeted < 2 && this.#spoken === 0) this.#greeted += 1
        else this.#replied += 1
      }
    }
  }

  speak(): Said {
    this.said = { at: performance.now(), own: null, other: null }
    this.#spoken += 1
    this.#own?.send(dialect.message)
    return this.said
  }
}

const closed = (): void => {
  throw new Error('A node closed a socket.')
}

const all = Array.from({ length: sessions }, () => new Session())
for (const one of all) await one.arrive()

/** Speaks in one session after the other that has its answer; what was said, and what did not come. */
async function talk({ perSecond, seconds }: z.output<typeof talkSchema>) {
  const said: Said[] = []
  const began = performance.now()
  for (let now = began; now - began < seconds * 1_000; now = performance.now()) {
    while (said.length < ((now - began) * perSecond) / 1_000) {
      const next = all[said.length % all.length]
      if (next === undefined || !next.rests) break
      said.push(next.speak())
    }
    await pause(1)
  }
  const end = performance.now() + PATIENCE
  while (said.some(({ own, other }) => own === null || other === null) && performance.now() < end)
    await pause(5)
  const come = said.flatMap(({ at, own, other }) =>
    own === null || other === null ? [] : [{ send: other - at, echo: other - own, own: own - at }],
  )
  return { come, lost: said.length - come.length }
}

await answerParent(null, question => talk(talkSchema.parse(question)))
process.exit(0)
