import { z } from 'zod'
import { answerParent } from '../child.ts'
import { callOver, createHearing } from './call.ts'
import { ROUND } from './rates.ts'
import { openSocketLine } from './socket-line.ts'
import { openWebrtcLine } from './webrtc-line.ts'

const webrtc = z.object({ url: z.string(), token: z.string() })
const questions = z.union([
  z.object({ addresses: z.array(z.union([z.string(), webrtc])) }),
  z.object({ seconds: z.number() }),
])

const calls: ReturnType<typeof callOver>[] = []
let spokenMs = 0

/** Opens calls at this moment. */
async function openCalls(addresses: readonly (string | z.output<typeof webrtc>)[]) {
  const open = async (address: (typeof addresses)[number], at: number) => {
    const hearing = createHearing()
    const opening =
      typeof address === 'string' ? openSocketLine(address, hearing) : openWebrtcLine(address, hearing)
    return callOver(await opening, hearing, spokenMs, (at * ROUND.allMs) / addresses.length)
  }
  calls.push(...(await Promise.all(addresses.map(open))))
  return calls.length
}

/** Speaks in all calls for some seconds. */
async function speak(seconds: number) {
  for (const call of calls) call.forget()
  const begun = performance.now()
  const base = spokenMs
  while (performance.now() - begun < seconds * 1_000) {
    spokenMs = base + performance.now() - begun
    for (const call of calls) call.hear(spokenMs)
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  return calls.map(call => call.found())
}

await answerParent('ready', question => {
  const asked = questions.parse(question)
  return 'seconds' in asked ? speak(asked.seconds) : openCalls(asked.addresses)
})
for (const call of calls) call.close()
process.exit(0)
