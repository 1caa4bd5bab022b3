/**
 * Does one thing to an agent again and again, in a process of its own, while others do the same. Arguments: file, agent, verb,
 * then what the verb works on, one by one. Prints `ready` and begins when something comes in. Prints a line for each
 * subject: the id of what came of it, or the code of the refusal.
 */
import { once } from 'node:events'
import { createPlatform, isPlatformError } from '@colloquy/core'
import type { AgentRuntime } from '@colloquy/core/runtime'
import { createSqliteStore } from '../../src/store.ts'

const [filename = '', agent = '', verb = '', ...subjects] = process.argv.slice(2)
const silent: AgentRuntime = { async *respond() {} }
const platform = createPlatform({ store: createSqliteStore({ filename }), runtime: silent, rateLimits: null })
const { agents } = platform

async function change(subject: string): Promise<string> {
  switch (verb) {
    case 'merge':
      return (await agents.merge(agent, subject)).deployment.id
    case 'promote':
      return (await agents.promote(agent, subject, { targetEnvironment: 'live' })).id
    case 'roll back':
      return (await agents.rollback(agent, subject)).id
    default: {
      const [branch = '', name = ''] = subject.split('=')
      return (await agents.createTopic(agent, branch, { name, content: name })).id
    }
  }
}

process.stdout.write('ready\n')
await once(process.stdin, 'data')
process.stdin.destroy()
for (const subject of subjects) {
  const outcome = await change(subject).catch((error: unknown) => {
    if (!isPlatformError(error)) throw error
    return error.code
  })
  process.stdout.write(`${outcome}\n`)
}
await platform.close()
