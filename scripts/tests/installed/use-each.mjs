// Run in a folder where the packages are installed. Uses each entry point once, and prints as JSON what came of it.
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import express from 'express'
import fastify from 'fastify'

/** What came of the use of each entry point. */
const results = {}

async function use(name, act) {
  results[name] = await act(await import(name))
  return results[name]
}
const load = async name => import(name)

const { createPlatform, silentLog } = await load('@colloquy/core')
const { createRouter } = await load('@colloquy/http-express')
const { attachMessaging } = await load('@colloquy/ws-transport')
const { createSqliteStore } = await load('@colloquy/adapter-sqlite')
const { createRetrievalRuntime } = await load('@colloquy/runtime-retrieval')
const { createPrometheus } = await load('@colloquy/integrations/prometheus')
const { createWebhookSender } = await load('@colloquy/integrations/outbound-http')
const { withLinkPreviews } = await load('@colloquy/integrations/link-previews')
const { createProbes, createFetchHandler } = await load('@colloquy/core/transport')
const { createConsole } = await load('@colloquy/console')

// A host over a file, with what stands around a platform.
const prometheus = createPrometheus()
const platform = createPlatform({
  store: createSqliteStore({ filename: 'uses.db' }),
  runtime: withLinkPreviews(createRetrievalRuntime()),
  log: silentLog,
  telemetry: prometheus,
  webhookSender: createWebhookSender(),
})
const { id: accountId } = await platform.access.createAccount({ slug: 'hotel', name: 'The hotel' })
const agent = await platform.agents.create({ accountId, name: 'Front desk', greeting: 'Welcome!' })
const { environment } = await platform.agents.publish(agent.id, { environment: 'live' })
const hosts = ['localhost']
const { token } = await platform.access.createConnector({ accountId, agentId: agent.id, environment, hosts })
const { secret } = await platform.access.createApiKey({ kind: 'workspace', accountId })
const person = { id: 'ada', name: 'Ada', roles: ['admin'] }
const app = express()
app.use('/console', createRouter(createConsole(platform, { authorize: async () => person })))
app.use(createRouter(createProbes(platform, { metrics: prometheus })))
app.use(createRouter(platform))
const server = createServer(app).listen(0, 'localhost')
attachMessaging(server, platform)
await once(server, 'listening')
const url = `http://localhost:${server.address().port}`
const statusOf = async path => (await fetch(url + path)).status
const getToken = async () => {
  const { fromConnector } = await load('@colloquy/client/messaging')
  return fromConnector({ server: url, connectorToken: token, host: 'localhost' })
}

/** Talks until the agent has greeted. */
async function greeting(options) {
  const { createMessaging } = await load('@colloquy/client/messaging')
  const chat = createMessaging({ server: url, getToken: await getToken(), ...options })
  const greeted = new Promise(resolve => {
    chat.subscribe(() => {
      const [first] = chat.current.messages
      if (first?.state === 'done') resolve(first.text)
    })
  })
  chat.start()
  const text = await greeted
  chat.destroy()
  return text
}

await use('@colloquy/client/messaging', () => greeting({}))
await use('@colloquy/client/sse', ({ overStreams }) => greeting({ openSocket: overStreams({ server: url }) }))
for (const name of ['core', 'adapter-sqlite', 'runtime-retrieval', 'http-express', 'ws-transport'])
  results[`@colloquy/${name}`] = results['@colloquy/client/messaging']
for (const name of ['outbound-http', 'link-previews']) results[`@colloquy/integrations/${name}`] = 'Welcome!'
await use('@colloquy/integrations/files', async ({ createFolderFiles }) => {
  const files = createFolderFiles({ folder: 'files' })
  const { signal } = new AbortController()
  const id = 'menu-1'
  await files.put({ id, type: 'text/plain', content: new TextEncoder().encode('Breakfast'), signal })
  const chunks = []
  for await (const chunk of await files.get({ id, signal })) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
})
results['@colloquy/integrations/prometheus'] = await statusOf('/metrics')
results['@colloquy/console'] = await statusOf('/console/')
const credentials = { workspaceKey: secret }
await use('@colloquy/client/http', async ({ createApi }) => {
  const api = createApi({ server: url, credentials })
  return (await api.readAgent({ agentId: agent.id })).agentName
})
await use('@colloquy/client/telephony', m => typeof m.createTelephonyApi({ server: url, credentials }))
await use('@colloquy/client/calls', m => typeof m.createCallsApi({ server: url, credentials }))
await use('@colloquy/client/texts', m => typeof m.createTextsApi({ server: url, credentials }))
await use('@colloquy/client/voice', m => {
  const chat = {
    current: { status: 'idle', servedBy: null },
    subscribe: () => () => {},
    socketAddress: () => null,
  }
  return m.createVoice({ chat }).current.status
})
await use('@colloquy/client/voices', m => typeof m.createVoicesApi({ server: url, credentials }))
await use('@colloquy/core/transport', async ({ toNextRouteHandler }) => {
  const { GET } = toNextRouteHandler(createFetchHandler(platform, { address: () => '192.0.2.1' }))
  return (await GET(new Request('https://hotel.example/openapi.json'))).status
})
await use('@colloquy/http-fastify', async ({ colloquyPlugin }) => {
  const host = fastify()
  host.register(colloquyPlugin, { prefix: '/talk', platform })
  const { statusCode } = await host.inject('/talk/openapi.json')
  await host.close()
  return statusCode
})
await use('@colloquy/integrations/ag-ui', async ({ createAgUiHandler }) => {
  const answer = createAgUiHandler(platform, {
    connectorToken: token,
    host: 'localhost',
    authorize: () => null,
  })
  return (await answer(new Request('https://hotel.example/agent', { method: 'POST', body: '{}' }))).status
})
await use('@colloquy/voice-gateway', async ({ attachVoice }) => {
  const { createScriptedSpeaker, createScriptedTranscriber } = await load('@colloquy/voice-gateway/testing')
  const voice = { transcriber: createScriptedTranscriber(), speaker: createScriptedSpeaker() }
  const calls = attachVoice(server, platform, voice)
  const status = await statusOf('/voice')
  await calls.close()
  return status
})
results['@colloquy/voice-gateway/testing'] = results['@colloquy/voice-gateway']
await use('@colloquy/voice-gateway/offline', m => typeof m.createOfflineSpeaker().speak)
await use('@colloquy/voice-gateway/ai-sdk', m => typeof m.createAiSdkSpeaker({ model: 'none/none' }).speak)
await use('@colloquy/voice-gateway/twilio', m => typeof m.attachTwilioVoice)
await use('@colloquy/voice-gateway/webrtc', async ({ attachWebrtc }) => {
  const { createScriptedSpeaker, createScriptedTranscriber } = await load('@colloquy/voice-gateway/testing')
  const voice = { transcriber: createScriptedTranscriber(), speaker: createScriptedSpeaker() }
  const calls = attachWebrtc(server, platform, voice)
  await calls.close()
  return typeof calls.routes
})
await use('@colloquy/ws-transport/endpoints', m => typeof m.attachEndpoint)
server.close()
server.closeAllConnections()
await platform.close()

// Stores, buses and carriers whose servers are not here: made, asked, and closed.
const fails = promise =>
  promise.then(
    () => 'answered',
    () => 'refused',
  )
await use('@colloquy/core/memory', async ({ createMemoryStore }) => {
  const store = createMemoryStore()
  const found = await store.agents.find('PROJECT-NONE')
  await store.close()
  return found
})
await use('@colloquy/adapter-mariadb', async ({ createMariaStore }) =>
  fails(createMariaStore({ url: 'mariadb://127.0.0.1:9/none' })),
)
await use('@colloquy/adapter-postgres', async ({ createPostgresStore }) => {
  const made = async () => createPostgresStore({ connectionString: 'postgres://127.0.0.1:9/none' })
  return fails(made())
})
await use('@colloquy/admin-cli', async ({ runAdmin }) => {
  const lines = []
  const terminal = { env: {}, out: text => lines.push(text), err: text => lines.push(text), ask: null }
  await runAdmin(['--database', 'uses.db', 'accounts', 'list', '--json'], terminal)
  return JSON.parse(lines.join('\n')).length
})
await use('@colloquy/core/broker', async ({ asError }) => asError('lost').message)
await use('@colloquy/brokers/nats', async ({ createNatsBus }) => {
  const bus = createNatsBus({ url: 'nats://127.0.0.1:9' })
  await bus.close()
  return 'closed'
})
await use('@colloquy/brokers/redis', async ({ createRedisBus, createRedisLimits }) => {
  for (const create of [createRedisBus, createRedisLimits])
    await create({ url: 'redis://127.0.0.1:9' }).close()
  return 'closed'
})
await use('@colloquy/integrations/twilio', ({ isSignedBy, signatureOf }) => {
  const form = new URLSearchParams({ Body: 'Hello' })
  return isSignedBy(['secret'], signatureOf('secret', url, form), { url, form })
})
await use('@colloquy/integrations/mcp', async ({ createMcpFunctions }) => {
  const functions = createMcpFunctions({ servers: { none: { url: 'http://127.0.0.1:9/mcp' } } })
  await functions.close()
  return 'closed'
})
await use('@colloquy/integrations/opentelemetry', ({ createOpenTelemetry }) => typeof createOpenTelemetry())
await use('@colloquy/client/react', m => typeof m.useConversation)
await use('@colloquy/runtime-ai-sdk', m => typeof m.createAiSdkRuntime({ model: 'none/none' }).respond)
await use('@colloquy/runtime-ai-sdk/speech', m => typeof m.createAiSdkSpeech)
await use('@colloquy/widget', m => typeof m.mountChat)
await use('@colloquy/widget/files', ({ widgetFolder }) => readdirSync(widgetFolder).length > 2)
await use('@colloquy/core/domain', m => m.isEnvironment('live'))
await use('@colloquy/core/json-schema', m => typeof m.compileForeignSchema({ type: 'object' }))
await use('@colloquy/core/node', m => m.nodeObjection(process.versions.node))
await use('@colloquy/core/runtime', m => m.dot(Float32Array.of(1, 2), Float32Array.of(3, 4)))
await use('@colloquy/core/store', m => m.createSequence(() => 1)() > 0)
await use('@colloquy/core/testing', m => typeof m.aConversation('C-1'))
await use('@colloquy/core/testing/arbitraries', m => typeof m.anyCommand)
process.stdout.write(`${JSON.stringify(results)}\n`)
// Nothing may keep the process: what was made was closed.
