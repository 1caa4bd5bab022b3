/**
 * `npm run transcript -- questions.txt` asks the demo agent the questions of a file through debug chat, one a line, and prints what it
 * answers. An empty line begins a new conversation; a line that begins with `#` is printed as it is.
 */
import { readFile } from 'node:fs/promises'
import { createDemoPlatform } from '../examples/standalone/src/demo-platform.ts'
import { DEMO_AGENT_ID, seedDemo } from '../examples/standalone/src/seed.ts'

const [file] = process.argv.slice(2)
if (file === undefined) {
  console.error('Name a file of questions, one a line.')
  process.exit(1)
}
const lines = (await readFile(file, 'utf8')).split('\n').map(line => line.replaceAll('\\n', '\n'))

const platform = createDemoPlatform(':memory:', { rateLimits: null })
await seedDemo(platform)
const agent = await platform.agents.find(DEMO_AGENT_ID)
if (agent === null) throw new Error('The demo agent is not there.')
const environment = 'live'

let chat: string | null = null
for (const line of lines) {
  if (line === '' || line.startsWith('#')) {
    chat = null
    console.log(line)
    continue
  }
  chat ??= (await platform.debugChat.start(agent, { environment })).state.id
  try {
    const { turn, ended } = await platform.debugChat.send(agent, chat, { environment, message: line })
    const { record, details } = turn
    const state = details.state
    const memory =
      typeof state === 'object' && state !== null && 'retrieval' in state ? state.retrieval : null
    console.log(`> ${line}\n  ${record.agent_response}`)
    console.log(
      `  [${[details.cited_topic, JSON.stringify(details.node_trace), JSON.stringify(memory)].join(' ')}${record.is_ood ? ' ood' : ''}${ended ? ' ENDED' : ''}${details.handoff_destination === '' ? '' : ` -> ${details.handoff_destination}`}${details.delayed ? ' delayed' : ''}]`,
    )
    if (ended) chat = null
  } catch (error) {
    console.log(`> ${line}\n  !! ${String(error)}`)
    chat = null
  }
}
await platform.close()
