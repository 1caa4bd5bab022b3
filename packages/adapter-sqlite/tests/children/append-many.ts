import { aConversation, anAppend, anEvent } from '@colloquy/core/testing'
import { createSqliteStore } from '../../src/store.ts'

const [filename = '', id = '', writer = '', times = ''] = process.argv.slice(2)
const store = createSqliteStore({ filename })

async function append(number: number): Promise<void> {
  for (;;) {
    const stored = await store.conversations.load(id)
    if (stored === null) throw new Error(`${id} is not there`)
    const base = { ...aConversation(id), state: stored.state }
    const events = [anEvent({ id: `${writer}-${number}` })]
    const { status } = await store.conversations.append(anAppend(base, stored.version, { events }))
    if (status === 'appended') return
  }
}

for (let number = 0; number < Number(times); number++) await append(number)
await store.close()
