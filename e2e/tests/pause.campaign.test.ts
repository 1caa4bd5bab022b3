import { setTimeout } from 'node:timers/promises'
import { createApi, withKey } from '@colloquy/test-support/api'
import { openSession } from '@colloquy/test-support/demo'
import { run } from '@colloquy/test-support/program'
import { openWire, type WireClient } from '@colloquy/test-support/wire-client'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { textAt } from '../../examples/quickstart/src/json.ts'
import { programAt } from '../../scripts/programs/program.ts'

const PROGRAM = programAt('e2e/tests/support/impatient-host.ts')

/** How often clients send a heartbeat, milliseconds; the host gives them six seconds. */
const BEAT = 500

const named = (name: string) => (event: { readonly type: string }) => event.type === `EVENT_TYPE_${name}`

/** Waits for the answers to heartbeats that are sent from now on. */
async function beats(client: WireClient, count: number): Promise<void> {
  const mark = String(Math.random())
  client.send('HEARTBEAT', {}, { mark })
  await client.next(({ metadata }) => JSON.stringify(metadata).includes(mark))
  for (let beat = 0; beat < count; beat++) await client.next(named('HEARTBEAT'))
}

test('TM6 a process that was stopped for longer than visitors and live agents have ends neither, once it goes on', async () => {
  const program = run(process.execPath, PROGRAM)
  const told: unknown = JSON.parse(await program.line(/^\{/))
  const { port } = Object(told)
  const api = createApi(`http://localhost:${port}`)
  const open = async (): Promise<WireClient> => {
    const session = await openSession(
      `http://localhost:${port}`,
      textAt(told, 'connectorToken'),
      'http://localhost',
    )
    const query = `session_id=${session.sessionId}&access_token=${session.accessToken}`
    const client = await openWire(`ws://localhost:${port}/ws?${query}`)
    const beating = setInterval(() => client.send('HEARTBEAT'), BEAT)
    onTestFinished(() => clearInterval(beating))
    client.send('REQUEST_AI_AGENT_JOIN')
    await client.next(named('AI_AGENT_MESSAGE'))
    return client
  }
  const [withAgent, withAda] = [await open(), await open()]
  const deskKey = textAt(told, 'deskKey')
  const desk = new WebSocket(`ws://localhost:${port}/desk/v1/ws?api_key=${deskKey}&agent_id=ada`)
  onTestFinished(() => desk.terminate())
  await new Promise(resolve => desk.once('open', resolve))
  withAda.send('USER_MESSAGE', { text: 'person' })
  await withAda.next(named('HANDOFF_ACCEPTED'))
  const { handoffs } = Object(await api('/desk/v1/handoffs', { headers: withKey(deskKey), status: 200 }))
  const path = `/desk/v1/handoffs/${encodeURIComponent(textAt(handoffs[0], 'handoff_id'))}/accept`
  const body = { agent: { id: 'ada', name: 'Ada' } }
  await api(path, { method: 'POST', headers: withKey(deskKey), body, status: 200 })
  await withAda.next(named('LIVE_AGENT_JOINED'))

  program.kill('SIGSTOP')
  // What is tested is that time passes.
  await setTimeout(12_000)
  program.kill('SIGCONT')

  // For longer than the grace and all that either of them has.
  const clients = [withAgent, withAda]
  await Promise.all(clients.map(client => Promise.race([beats(client, 12_000 / BEAT), client.closed])))
  for (const { events } of clients) expect(events.filter(named('SESSION_END'))).toEqual([])
  withAgent.send('USER_MESSAGE', { text: 'still here' })
  await withAgent.next(({ payload }) => payload.text === 'Heard: still here')
})
