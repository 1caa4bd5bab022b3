import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { z } from 'zod'

const { SERVER = 'http://localhost:8080', DESK_KEY = '' } = process.env
const ADA = { id: 'ada', name: 'Ada' }

const eventSchema = z.object({
  type: z.string(),
  handoff_id: z.string().optional(),
  handoff: z.object({ handoff_id: z.string() }).optional(),
  message: z.object({ text: z.string() }).optional(),
})

/** Asks the desk for something, until there is an answer. */
async function post(handoffId: string, action: string, body: object): Promise<Response> {
  const headers = { 'x-api-key': DESK_KEY, 'content-type': 'application/json' }
  const request = { method: 'POST', headers, body: JSON.stringify(body) }
  for (;;) {
    try {
      return await fetch(`${SERVER}/desk/v1/handoffs/${handoffId}/${action}`, request)
    } catch {
      await setTimeout(1_000)
    }
  }
}

/** Says something once: however often it has to be sent, its id stays the same. */
const say = (handoffId: string, text: string) =>
  post(handoffId, 'messages', { text, message_id: randomUUID() })

async function take(handoffId: string): Promise<void> {
  const response = await post(handoffId, 'accept', { agent: ADA })
  // 409: another live agent was first, or the visitor has gone.
  if (response.status !== 200) return
  const { transcript } = z.object({ transcript: z.array(z.unknown()) }).parse(await response.json())
  console.log('Accepted, after lines:', transcript.length)
  await say(handoffId, 'Ada here. What can I do for you?')
}

async function answer(handoffId: string, text: string): Promise<void> {
  console.log('The visitor says:', text)
  if (text !== 'Bye') await say(handoffId, 'I will see to it.')
  else await post(handoffId, 'leave', {})
}

function watch(): void {
  const address = new URL('/desk/v1/ws', SERVER.replace(/^http/, 'ws'))
  address.searchParams.set('api_key', DESK_KEY)
  address.searchParams.set('agent_id', ADA.id)
  const socket = new WebSocket(address)
  socket.on('message', async data => {
    const { type, handoff_id = '', handoff, message } = eventSchema.parse(JSON.parse(data.toString()))
    if (type === 'handoff.waiting' && handoff !== undefined) await take(handoff.handoff_id)
    if (type === 'handoff.visitor_message' && message !== undefined) await answer(handoff_id, message.text)
    if (type === 'handoff.ended') console.log('Ended:', handoff_id)
  })
  socket.on('error', error => console.error(error.message))
  // After a reconnect the desk sends all waiting and active handoffs again.
  socket.on('close', () => setTimeout(1_000).then(watch))
}

watch()
