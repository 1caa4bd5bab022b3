/** Appends to its conversations until it is killed, and prints `<id> <sequence>` for each append that was acknowledged. */
import { aConversation, anAppend, anEvent, aTurn } from '@colloquy/core/testing'
import { createSqliteStore } from '../../src/store.ts'

const [filename = ''] = process.argv.slice(2)
const { conversations } = createSqliteStore({ filename })

async function appendForever(id: string): Promise<never> {
  let written = aConversation(id, { events: [] })
  await conversations.create(written)
  for (let version = 1; ; version++) {
    const event = anEvent({ id: `${id}-${version}`, clientEventId: `c-${version}` })
    const append = anAppend(written, version, { events: [event], turns: [aTurn(`${version}`)] })
    const { status } = await conversations.append(append)
    if (status !== 'appended') throw new Error(`append ${version} of ${id} was ${status}`)
    process.stdout.write(`${id} ${version}\n`)
    written = append
  }
}

await Promise.all(['AS-0', 'AS-1', 'AS-2', 'AS-3', 'AS-4'].map(appendForever))
