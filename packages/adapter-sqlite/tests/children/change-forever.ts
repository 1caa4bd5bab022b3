/** Issues keys and revokes them until it is killed, several at once, and prints the id of each whose revocation was acknowledged. */
import { createPlatform } from '@colloquy/core'
import type { AgentRuntime } from '@colloquy/core/runtime'
import { createSqliteStore } from '../../src/store.ts'

const [filename = ''] = process.argv.slice(2)
const silent: AgentRuntime = { async *respond() {} }
const { access } = createPlatform({ store: createSqliteStore({ filename }), runtime: silent })
const account = await access.createAccount({ slug: 'one', name: 'One' })

async function changeForever(): Promise<never> {
  for (;;) {
    const { key } = await access.createApiKey({ kind: 'workspace', accountId: account.id })
    await access.revokeApiKey(key.id)
    process.stdout.write(`${key.id}\n`)
  }
}

await Promise.all([changeForever(), changeForever(), changeForever()])
