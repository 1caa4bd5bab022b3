/**
 * `npm run transcript -- questions.txt` asks the demo agent the questions of a file through debug chat, one a line, and
 * prints what it answers. An empty line begins a new conversation; a line that begins with `#` is printed as it is.
 */
import { readFile } from 'node:fs/promises'
import { eventsOf } from '@colloquy/test-support/stored'
import { z } from 'zod'
import { createDemoPlatform } from '../examples/standalone/src/demo-platform.ts'
import { DEMO_AGENT_ID, seedDemo } from '../examples/standalone/src/seed.ts'
import { contextOf } from '../packages/core/src/platform-context.ts'

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

type Said = Awaited<ReturnType<typeof platform.debugChat.send>>

/** The suggestions of the newest message. */
async function suggestions({ state }: Said): Promise<readonly string[]> {
  const [event] = await eventsOf(contextOf(platform).store.conversations, state.id, state.sequence - 1)
  const told = z.array(z.object({ message_text: z.string() })).safeParse(event?.payload.response_suggestions)
  return told.success ? told.data.map(({ message_text }) => message_text) : []
}

/** Describes a turn: its topic, the runtime's confidence, its steps, suggestions, and outcome. */
async function happened(said: Said): Promise<readonly string[]> {
  const { record, details } = said.turn
  const memory = z.object({ retrieval: z.object({ confidence: z.number() }) }).safeParse(details.state)
  const suggested = await suggestions(said)
  return [
    String(details.cited_topic || 'no topic'),
    ...(memory.success ? [`confidence ${memory.data.retrieval.confidence.toFixed(2)}`] : []),
    z.array(z.string()).parse(details.node_trace).join(' > '),
    ...(suggested.length === 0 ? [] : [`suggests ${suggested.join(', ')}`]),
    ...(record.is_ood ? ['not known'] : []),
    ...(details.handoff_destination === '' ? [] : [`handed off to ${details.handoff_destination}`]),
    ...(details.delayed ? ['delayed'] : []),
    ...(said.ended ? ['ended'] : []),
  ]
}

let chat: string | null = null
for (const line of lines) {
  if (line === '' || line.startsWith('#')) {
    chat = null
    console.log(line)
    continue
  }
  chat ??= (await platform.debugChat.start(agent, { environment })).state.id
  try {
    const said = await platform.debugChat.send(agent, chat, { environment, message: line })
    console.log(`> ${line}\n  ${String(said.turn.record.agent_response).replaceAll('\n', '\n  ')}`)
    console.log(`  [${(await happened(said)).join('; ')}]`)
    if (said.ended) chat = null
  } catch (error) {
    console.log(`> ${line}\n  !! ${String(error)}`)
    chat = null
  }
}
await platform.close()
