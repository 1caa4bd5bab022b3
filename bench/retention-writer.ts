/**
 * A process of its own that appends to one conversation of a file until it is told to stop, and then says how long its
 * appends took.
 */
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { aConversation, anAppend } from '@colloquy/core/testing'

const [filename = ''] = process.argv.slice(2)
const store = createSqliteStore({ filename })
const created = aConversation(`WRITER-${process.pid}`)
await store.conversations.create(created)
let going = true
process.on('message', () => {
  going = false
})
process.send?.('ready')
const took: number[] = []
for (let version = 1; going; version++) {
  const began = performance.now()
  const { status } = await store.conversations.append(anAppend(created, version))
  if (status !== 'appended') throw new Error(`append ${version} was ${status}`)
  took.push(performance.now() - began)
  // A visitor's message now and then: this is about waiting, not about throughput.
  await new Promise(resolve => setTimeout(resolve, 2))
}
process.send?.(took)
process.disconnect()
await store.close()
