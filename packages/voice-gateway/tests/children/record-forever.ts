/** Begins a call, says whose it is, and records it until it is killed: a line for each part that was kept. */
import { MARK, platformIn } from '../support/kept-on-disk.ts'

const [folder = ''] = process.argv.slice(2)
const platform = platformIn(folder)
const { id: accountId } = await platform.access.createAccount({ slug: 'hotel', name: 'The hotel' })
const { id: agentId } = await platform.agents.create({ accountId, name: 'Front desk', greeting: 'Welcome.' })
await platform.agents.publish(agentId, { environment: 'live' })
const { token: connectorToken } = await platform.access.createConnector({
  ...{ accountId, agentId, environment: 'live', hosts: ['localhost'] },
  handoff: { mode: 'client' },
})
const where = { host: 'http://localhost', remoteAddress: '127.0.0.1' }
const { accessToken } = await platform.messaging.issueAccessToken({ connectorToken, ...where })
const { sessionId } = await platform.messaging.createSession({
  authorization: `Bearer ${accessToken}`,
  streaming: true,
})
const handshake = await platform.messaging.handshake({ sessionId, accessToken, cursor: null })
if ('status' in handshake) throw new Error(handshake.message)
const call = handshake.openCall({ send: () => {}, close: () => {}, drained: () => Promise.resolve() })
const at = Date.now()
const consent = { by: 'visitor', how: 'button', at } as const
const kept = await call.recorder?.begin({ call: '0-call', at, consent })
if (!kept) throw new Error('Nothing is recorded.')
process.stdout.write(`${JSON.stringify({ accountId, agentId, sessionId })}\n`)
const sound = Buffer.alloc(960_000, MARK)
for (;;) {
  if ((await kept.keep(sound)) !== 'kept') throw new Error('A part was not kept.')
  process.stdout.write('kept\n')
}
