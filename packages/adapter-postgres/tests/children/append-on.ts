/** Appends to its conversations until it is told to stop, and prints `<id> <version>` for each append that was acknowledged. */
import { aConversation, anAppend, anEvent, aTurn } from '@colloquy/core/testing'
import { createPostgresStore } from '../../src/store.ts'

const [url = '', schema = ''] = process.argv.slice(2)
const store = await createPostgresStore({ url, schema, maxConnections: 4 })
let stopped = false

async function appendOn(id: string): Promise<void> {
  let written = aConversation(id, { events: [] })
  await store.conversations.create(written)
  for (let version = 1; !stopped; version++) {
    const event = anEvent({ id: `${id}-${version}`, clientEventId: `c-${version}` })
    const append = anAppend(written, version, { events: [event], turns: [aTurn(`${version}`)] })
    const { status } = await store.conversations.append(append)
    if (status !== 'appended') throw new Error(`append ${version} of ${id} was ${status}`)
    process.stdout.write(`${id} ${version}\n`)
    written = append
  }
}

process.on('SIGTERM', () => {
  stopped = true
})
await Promise.all(['RUNNING-0', 'RUNNING-1', 'RUNNING-2', 'RUNNING-3'].map(appendOn))
await store.close()
process.stdout.write('done\n')
