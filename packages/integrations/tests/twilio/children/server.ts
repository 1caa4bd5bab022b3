/** A server with an agent at one number, whose texts go over the Twilio at the given address; prints `ready` when it listens. */
import { createServer } from 'node:http'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform, silentLog } from '@colloquy/core'
import { createTwilioCarrier, createTwilioHandler } from '../../../src/twilio/index.ts'
import { ACCOUNT_SID, AUTH_TOKEN, OURS } from '../local-twilio.ts'

const [filename = '', baseUrl = '', port = '', url = ''] = process.argv.slice(2)
const store = createSqliteStore({ filename })
const platform = createPlatform({
  store,
  log: silentLog,
  rateLimits: null,
  textCarrier: createTwilioCarrier({
    ...{ accountSid: ACCOUNT_SID, authToken: AUTH_TOKEN, baseUrl, statusCallback: `${url}/status` },
  }),
  runtime: {
    async *respond({ input }) {
      if (input.type === 'message') yield { type: 'text', text: `Answer to ${input.text}` }
    },
  },
  ...{ wakeInterval: 50, resumeGrace: 0, turnLease: 1_000, textDeadline: 500 },
})

if ((await store.access.accounts.find('ws-one')) === null) {
  const { access, agents } = platform
  await access.createAccount({ accountId: 'ws-one', slug: 'one', name: 'One' })
  const agent = await agents.create({ accountId: 'ws-one', name: 'Desk', greeting: 'Hello' })
  await agents.publish(agent.id, { environment: 'live', deploymentMessage: 'First' })
  const of = { accountId: 'ws-one', agentId: agent.id, environment: 'live' as const }
  const connector = await access.createTelephonyConnector({ ...of, name: 'Line' })
  const number = { ...of, number: OURS, connectorId: connector.id, createdAt: 0 }
  await store.access.phoneNumbers.add([number], 10)
}

const handle = createTwilioHandler({ platform, authToken: AUTH_TOKEN, url })
createServer(async (incoming, outgoing) => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk))
  const headers = new Headers({ 'x-twilio-signature': String(incoming.headers['x-twilio-signature']) })
  const request = new Request(`http://inside${incoming.url}`, {
    method: 'POST',
    headers,
    body: Buffer.concat(chunks),
  })
  const answer = await handle(request)
  outgoing.writeHead(answer.status).end(await answer.text())
}).listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'))
