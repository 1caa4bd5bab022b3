import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMessaging, fromConnector } from '@colloquy/client/messaging'
import { overStreams } from '@colloquy/client/sse'
import { createPlatform, type Platform, type PlatformOptions, silentLog } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { createRouter } from '@colloquy/http-express'
import { createWebhookSender } from '@colloquy/integrations/outbound-http'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import type { Pages } from '@colloquy/test-support/browser'
import express from 'express'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { onTestFinished, vi } from 'vitest'
import { DEMO_ACCOUNT_ID, DEMO_AGENT_ID, seedDemo } from '../../../examples/standalone/src/seed.ts'
import { createConsole, type Person } from '../src/index.ts'
import { pageFiles } from './support.ts'

const BASE = '/internal/console'

/** People by the cookie of their session. */
const PEOPLE: Readonly<Record<string, Person>> = {
  ada: { id: 'u-ada', name: 'Ada', roles: ['operator'] },
  ben: { id: 'u-ben', name: 'Ben', roles: ['reader'] },
  dora: { id: 'u-dora', name: 'Dora', roles: ['desk'] },
  tess: { id: 'u-tess', name: 'Tess', roles: ['desk'], desk: { talksAtOnce: 1, skills: ['de'] } },
  eve: { id: 'u-eve', name: 'Eve', roles: ['author'] },
  cem: { id: 'u-cem', name: 'Cem', roles: [] },
}

/** What the host says of a visitor when a session begins. */
type VisitorSession = Partial<Parameters<Platform['messaging']['createSession']>[0]>

/** A host with the demo agent, unless it is to be empty, and the console at a path of its own. */
export async function startSite({
  isEmpty = false,
  alerts = {},
  functions = {},
  embedder,
  speechProvider,
  deskAssistant,
  keepPrivateAnswers = true,
  files,
  recordings,
}: {
  /** Where files are kept. @default none are taken */
  readonly files?: NonNullable<PlatformOptions['files']>
  /** Where the sound of calls is kept. @default calls are not recorded */
  readonly recordings?: NonNullable<PlatformOptions['recordings']>
  readonly isEmpty?: boolean
  readonly alerts?: NonNullable<PlatformOptions['alerts']>
  readonly functions?: NonNullable<PlatformOptions['functions']>
  readonly embedder?: NonNullable<PlatformOptions['embedder']>
  readonly speechProvider?: NonNullable<PlatformOptions['speechProvider']>
  readonly deskAssistant?: NonNullable<PlatformOptions['deskAssistant']>
  /** Whether what receivers of webhooks on this machine answer is kept. */
  readonly keepPrivateAnswers?: boolean
} = {}) {
  const store = createMemoryStore()
  const platform = createPlatform({
    store,
    runtime: createRetrievalRuntime(),
    log: silentLog,
    alerts,
    functions,
    ...(files === undefined ? {} : { files }),
    ...(recordings === undefined ? {} : { recordings }),
    ...(embedder === undefined ? {} : { embedder }),
    ...(speechProvider === undefined ? {} : { speechProvider }),
    ...(deskAssistant === undefined ? {} : { deskAssistant }),
    webhookSender: createWebhookSender({
      ...{ allowPrivateAddresses: true, allowInsecure: true, keepPrivateAnswers },
    }),
  })
  if (!isEmpty) await seedDemo(platform)
  const console = createConsole(platform, {
    pageFiles,
    signInUrl: '/login',
    signOutUrl: '/logout',
    authorize: ({ headers }) => PEOPLE[/session=(\w+)/.exec(headers.cookie ?? '')?.[1] ?? ''] ?? null,
  })
  const app = express()
  app.use(BASE, createRouter(console))
  app.use(createRouter(platform))
  const server = createServer(app)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await platform.close()
  })
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`

  /** A page of the console as somebody sees it, with all that is wrong with it. */
  async function open(pages: Pages, who: keyof typeof PEOPLE | null, options: BrowserContextOptions = {}) {
    const profile = await pages.profile({ locale: 'en-GB', ...options })
    if (who !== null) await profile.addCookies([{ name: 'session', value: who, url: origin }])
    const elsewhere: string[] = []
    profile.on('request', request => {
      const url = request.url()
      if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) elsewhere.push(url)
    })
    const page = await pages.open(profile, `${origin}${BASE}/`)
    return Object.assign(page, { elsewhere })
  }

  /** The token of a connector for live conversations. */
  async function connect(): Promise<string> {
    const { token } = await platform.access.createConnector({
      ...{ accountId: DEMO_ACCOUNT_ID, agentId: DEMO_AGENT_ID, environment: 'live', hosts: ['localhost'] },
    })
    return token
  }

  /** A visitor who says something, is answered, and stays. */
  async function visit(text: string, token?: string, session?: VisitorSession) {
    const connectorToken = token ?? (await connect())
    const chat = createMessaging({
      server: origin,
      getToken: fromConnector({ server: origin, connectorToken, host: 'localhost' }),
      openSocket: overStreams({ server: origin }),
      ...(session && {
        async createSession(accessToken: string) {
          const authorization = `Bearer ${accessToken}`
          const made = await platform.messaging.createSession({ authorization, streaming: true, ...session })
          return made.sessionId
        },
      }),
    })
    onTestFinished(() => chat.destroy())
    chat.start()
    const said = (from: string, count: number) => {
      const { messages } = chat.current
      if (messages.filter(one => one.from === from && one.state === 'done').length < count)
        throw new Error(`Not ${count} messages of the ${from}.`)
    }
    await vi.waitFor(() => said('agent', 1))
    chat.send(text)
    await vi.waitFor(() => said('agent', 2))
    return chat
  }

  /** What a visitor who says something is answered. */
  const talk = async (text: string): Promise<string> =>
    (await visit(text)).current.messages.at(-1)?.text ?? ''

  /** Cuts every connection to the server off. */
  const cut = (): void => server.closeAllConnections()

  return { platform, store, origin, open, connect, visit, talk, cut }
}

/** Goes to a place of the console by its address. */
export async function goTo(page: Page, place: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(place)}`)
}
