/** Holds a conversation, removes it, says `removed`, and waits for nothing more. */
import { join } from 'node:path'
import { ACCOUNT, AGENT, aConversation, anAppend, anEvent, START } from '@colloquy/core/testing'
import { createSqliteStore } from '../../src/store.ts'
import { SECRET, STORE, TOLD } from '../power-cut/places.ts'
import { createTeller } from './told.ts'

const [folder = ''] = process.argv.slice(2)
const tell = createTeller(join(folder, TOLD))
const { conversations } = createSqliteStore({ filename: join(folder, STORE) })
const begun = aConversation('AS-1', { events: [] })
await conversations.create(begun)
await conversations.append(
  anAppend(begun, 1, {
    events: [anEvent({ payload: { text: `${SECRET} `.repeat(900) } })],
    index: { finishedAt: START + 1 },
  }),
)
await conversations.removals.remove(ACCOUNT, AGENT, begun.conversationId)
tell('removed')
process.exit()
