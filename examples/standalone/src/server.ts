import type { Server } from 'node:http'
import {
  type DeskAssistant,
  eachPage,
  isPlatformError,
  type Log,
  type Platform,
  type SharedLimits,
  type Telemetry,
} from '@colloquy/core'
import type { AgentRuntime } from '@colloquy/core/runtime'
import type { Store } from '@colloquy/core/store'
import { createDispatcher, routes } from '@colloquy/core/transport'
import { attachErrorAnswers, createRequestListener } from '@colloquy/http-express'
import { createFolderFiles } from '@colloquy/integrations/files'
import { createWebhookSender } from '@colloquy/integrations/outbound-http'
import { createPrometheus, type PrometheusTelemetry } from '@colloquy/integrations/prometheus'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { attachDesk, attachMessaging } from '@colloquy/ws-transport'
import { millisecondsInDay } from 'date-fns/constants'
import { type OpenBus, openBus } from './bus.ts'
import { mountConsole } from './console/mount-console.ts'
import { noFile, openSessionFile } from './console/session-file.ts'
import { openDatabase } from './database.ts'
import { withDemoPage } from './demo-page.ts'
import { createDemoPlatform } from './demo-platform.ts'
import { provideDemoToken } from './demo-token.ts'
import { withDocsPage } from './docs-page.ts'
import { withFrontPage } from './front-page.ts'
import { type HostRules, type Listener, onHosts, servesHosts } from './hosts.ts'
import { type KeyOptions, provideKeys } from './keys.ts'
import { openLimits } from './limits.ts'
import { withProbes } from './probes.ts'
import { type ReservedPort, reservePort } from './reserve-port.ts'
import { startRetention } from './retention.ts'
import { seedDemo } from './seed.ts'
import type { StandaloneSettings } from './settings.ts'
import { StartError } from './start-error.ts'
import { policyOfFrame, withWidgetFiles } from './widget-files.ts'

/** Time limit for requests in progress when the server closes, milliseconds. */
const DRAIN = 5_000

/** A server that listens. */
export interface StandaloneServer {
  /** Its URL, without a trailing slash. */
  readonly url: string
  /** A link that signs in to the console, once (SS33). Null without the console. */
  readonly signInUrl: string | null
  /**
   * Drains: accepts no new connections, closes sockets with 1001, answers the requests in progress, finishes writes
   * (SS12).
   */
  close(): Promise<void>
}

/**
 * Starts everything on one port over one database, the demo data in it (SS1). The port comes first (SS24).
 * @throws StartError
 */
export async function startServer(settings: StandaloneSettings, options: Omit<KeyOptions, 'settings'>) {
  const { log } = options
  for (const name of settings.unknown) log.warn(`${name} is not a variable of this server and is ignored`)
  const reserved = await reservePort(settings)
  try {
    return await startAt(reserved, settings, options)
  } catch (error) {
    reserved.server.close()
    reserved.server.closeAllConnections()
    throw error
  }
}

async function startAt(
  reserved: ReservedPort,
  settings: StandaloneSettings,
  options: Omit<KeyOptions, 'settings'>,
) {
  const { log } = options
  const minds = await mindsOf(settings, log)
  const between = await openBetween(settings.busUrl, log)
  try {
    const store = await openStore(settings, log)
    const telemetry = createPrometheus()
    const platform = createStandalonePlatform(settings, { store, between, log, minds, telemetry })
    try {
      await refuseWrongKey(platform)
      await warnOfUnusedKeys(store, settings, log)
      const demoToken = await provideAll(platform, settings, options)
      return await serve(platform, settings, { reserved, between, log, demoToken, telemetry })
    } catch (error) {
      await platform.close()
      throw error
    }
  } catch (error) {
    await between.close()
    throw error
  }
}

/** Connections between the servers of one database. */
interface Between {
  readonly bus: OpenBus | null
  readonly sharedLimits: SharedLimits | null
  close(): Promise<void>
}

/** The bus at an address, and the limits that go with it. */
async function openBetween(url: string | null, log: Log): Promise<Between> {
  const bus = url === null ? null : await openBus(url, log)
  const sharedLimits = await openLimits(url)
  return {
    bus,
    sharedLimits,
    async close() {
      await Promise.all([bus?.close(), sharedLimits?.close()])
    },
  }
}

/** The store of the settings. What PostgreSQL needs is loaded where it is used alone. */
async function openStore({ postgres, database }: StandaloneSettings, log: Log): Promise<Store> {
  if (postgres === null) return openDatabase(database)
  const { openPostgres } = await import('./postgres.ts')
  return openPostgres(postgres, log)
}

/**
 * The demo data and the keys; of servers that share a database, one after the other. Returns the token of the
 * demo page; null without it.
 */
async function provideAll(
  platform: Platform,
  settings: StandaloneSettings,
  options: Omit<KeyOptions, 'settings'>,
): Promise<string | null> {
  const provide = async (): Promise<string | null> => {
    await seed(platform, settings, options.log)
    await provideKeys(platform, { ...options, settings })
    return settings.demoPage ? provideDemoToken(platform, settings.handoffTimeoutSeconds) : null
  }
  if (settings.postgres === null) return provide()
  const { inTurn } = await import('./postgres.ts')
  return inTurn(settings.postgres, provide)
}

/** The agent of the server, and the assistant of its live agents. */
interface Minds {
  readonly runtime: AgentRuntime
  /** Null without a language model. */
  readonly deskAssistant: DeskAssistant | null
}

/** Makes both. The AI SDK is loaded where it is used alone: it takes longer to load than all the rest. */
async function mindsOf({ languageModel, linkPreviews }: StandaloneSettings, log: Log): Promise<Minds> {
  const minds =
    languageModel === null
      ? { runtime: createRetrievalRuntime(), deskAssistant: null }
      : (await import('./language-model.ts')).createModelParts(languageModel, log)
  if (linkPreviews === 'off') return minds
  const { withLinkPreviews } = await import('@colloquy/integrations/link-previews')
  return { ...minds, runtime: withLinkPreviews(minds.runtime, { pictures: linkPreviews === 'pictures' }) }
}

function createStandalonePlatform(
  settings: StandaloneSettings,
  {
    store,
    between: { bus, sharedLimits },
    log,
    minds: { deskAssistant, runtime },
    telemetry,
  }: {
    readonly store: Store
    readonly between: Between
    readonly log: Log
    readonly minds: Minds
    readonly telemetry: Telemetry
  },
): Platform {
  const { handoffTimeoutSeconds, webhooksAllowPrivate } = settings
  return createDemoPlatform(store, {
    runtime,
    telemetry,
    ...(deskAssistant === null ? {} : { deskAssistant }),
    ...(bus === null ? {} : { bus }),
    ...(sharedLimits === null ? {} : { sharedLimits }),
    ...(settings.files === null ? {} : { files: createFolderFiles({ folder: settings.files }) }),
    webhookSender: createWebhookSender({
      allowPrivateAddresses: webhooksAllowPrivate !== 'off',
      allowInsecure: webhooksAllowPrivate !== 'off',
      keepPrivateAnswers: webhooksAllowPrivate === 'answers',
    }),
    log,
    brand: settings.brand,
    hosts: settings.hosts,
    tokenSecret: settings.tokenSecret,
    secretsKey: settings.secretsKey,
    sessionIdle: settings.sessionIdleSeconds * 1_000,
    requirePassingTests: settings.requirePassingTests,
    requireReplay: settings.requireReplay,
    turnRecording: settings.turnRecording,
    turnRecordingRetention:
      settings.turnRecordingDays === null ? null : settings.turnRecordingDays * millisecondsInDay,
    ...(settings.rateLimits ? {} : { rateLimits: null }),
    listDebugChats: settings.listDebugChats,
    ...(handoffTimeoutSeconds === null ? {} : { handoffTimeoutSeconds }),
  })
}

/** A key that does not open what the database holds ends the start, also where none is given (CR91). */
async function refuseWrongKey(platform: Platform): Promise<void> {
  try {
    await platform.access.tokenKeys()
    await platform.access.connectors()
    for await (const { accounts } of eachPage(platform.access.accounts))
      for (const { id } of accounts) await platform.webhooks.endpoints(id)
  } catch (error) {
    if (isPlatformError(error) && error.code === 'INTERNAL')
      throw new StartError(error.message.replaceAll('secretsKey', 'COLLOQUY_SECRETS_KEY'))
    throw error
  }
}

/**
 * Unused keys are easily mistaken for those that sign, and rotated in their place (SS11). With a secret, the platform
 * lists none.
 */
async function warnOfUnusedKeys(store: Store, settings: StandaloneSettings, log: Log): Promise<void> {
  const kept = settings.tokenSecret === null ? 0 : (await store.access.tokenKeys.list()).length
  if (kept > 0)
    log.warn(
      `COLLOQUY_TOKEN_SECRET signs access tokens. The database keeps token keys as well (${kept}), which sign and verify nothing: rotating them ends no token`,
    )
}

/** Seeds the demo agent. If passing tests are required, it is deployed as far as they allow. */
async function seed(platform: Platform, settings: StandaloneSettings, log: Log): Promise<void> {
  const { languageModel, requirePassingTests } = settings
  try {
    await seedDemo(platform, {
      tested: languageModel === null,
      ...(requirePassingTests.length === 0 ? {} : { awaitTests: platform.idle }),
    })
  } catch (error) {
    if (!isPlatformError(error) || error.code !== 'DEPLOYMENTS_TESTS_NOT_PASSED') throw error
    log.warn(`The demo agent goes no further. ${error.message}`)
  }
}

async function serve(
  platform: Platform,
  settings: StandaloneSettings,
  {
    reserved,
    between,
    log,
    demoToken,
    telemetry,
  }: {
    readonly reserved: ReservedPort
    readonly between: Between
    readonly log: Log
    readonly demoToken: string | null
    readonly telemetry: PrometheusTelemetry
  },
): Promise<StandaloneServer> {
  // Nothing but the platform is served here, so no framework stands before it: see `createRouter` for hosts with one.
  const requestTimeout = settings.requestTimeoutSeconds * 1_000
  const { allowInsecure, trustProxy } = settings
  const way = { allowInsecure, trustProxy }
  const dispatcher = createDispatcher(platform, routes, { allowInsecure })
  const serves = servesHosts(settings.hosts, settings.host)
  const tellOfSessions = (error: unknown): void =>
    log.warn(`Sessions of the console end with this process: ${String(error)}`)
  // Servers that share a database would need one place for all: their proxy keeps a browser with its server.
  const sessions = settings.postgres === null ? openSessionFile(settings.database, tellOfSessions) : noFile
  const console = settings.console ? mountConsole(platform, dispatcher, { serves, sessions }) : null
  const listener = createRequestListener(console?.dispatcher ?? dispatcher, { requestTimeout, trustProxy })
  const rules = { serves, trustProxy }
  const demo = demoToken === null ? null : { token: demoToken, brand: settings.brand.events }
  const { server } = reserved
  attachErrorAnswers(server, listener)
  const sockets = [attachMessaging(server, platform, way), attachDesk(server, platform, way)]
  const pages = withPages(listener, { demo, atRoot: console === null, rules, platform })
  reserved.serve(withProbes(pages, platform, telemetry, { trustProxy }))
  const retention =
    settings.retentionDays === null ? null : startRetention(platform, settings.retentionDays, { log })
  const url = urlOf(server, settings.host)
  return {
    url,
    signInUrl: console === null ? null : `${url}${console.signIn.link}`,
    async close() {
      console?.signIn.close()
      const closed = Promise.all([stopServer(server), retention?.stop()])
      await Promise.all([...sockets.map(endpoint => endpoint.close()), platform.messaging.endStreams()])
      await closed
      await platform.close()
      await between.close()
    },
  }
}

/** The pages for people before the listener, each on its hosts. */
function withPages(
  listener: Listener,
  {
    demo,
    atRoot,
    rules,
    platform,
  }: {
    readonly demo: Parameters<typeof withDemoPage>[1] | null
    readonly atRoot: boolean
    readonly rules: HostRules
    readonly platform: Platform
  },
): Listener {
  const withWidget = withWidgetFiles(listener, query => policyOfFrame(platform, query))
  const forVisitors = demo === null ? withWidget : withDemoPage(withWidget, demo)
  const afterDemo = onHosts('demo', forVisitors, listener, rules)
  return onHosts('console', withFrontPage(withDocsPage(afterDemo), atRoot), afterDemo, rules)
}

/**
 * Stops listening; resolves when the last request is answered. Connections that idle are closed at once, others when
 * they do.
 */
function stopServer(server: Server): Promise<void> {
  return new Promise(resolve => {
    const late = setTimeout(() => server.closeAllConnections(), DRAIN)
    const idle = setInterval(() => server.closeIdleConnections(), 50)
    server.close(() => {
      clearTimeout(late)
      clearInterval(idle)
      resolve()
    })
  })
}

/** The address to reach the server at from its own machine. */
function urlOf(server: Server, host: string): string {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
