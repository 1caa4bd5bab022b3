/** Opens the store of a schema, says so, creates a conversation of its own, says so, and ends. */
import { aConversation } from '@colloquy/core/testing'
import { createPostgresStore } from '../../src/store.ts'

const [url = '', schema = '', id = ''] = process.argv.slice(2)
const store = await createPostgresStore({ url, schema, maxConnections: 2 })
process.stdout.write(`opened ${await store.conversations.create(aConversation(id))}\n`)
await store.close()
