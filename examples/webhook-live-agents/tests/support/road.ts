import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform, type Platform, type SettingsInput, systemClock } from '@colloquy/core'
import { createScriptedRuntime } from '@colloquy/core/testing'
import { createSignal } from '@colloquy/test-support/signal'
import { onTestFinished } from 'vitest'
import { connectVisitor, type Visitor } from '../../../quickstart/src/visitor.ts'
import { type HelpDesk, startHelpDesk } from '../../src/help-desk/help-desk.ts'
import type { Ticket } from '../../src/help-desk/tickets.ts'
import { startHost } from '../../src/host.ts'
import { viaWebhooks } from '../../src/via-webhooks.ts'
import { type Gate, openGate } from './gate.ts'

export const CALL_SECRET = `whsec_${Buffer.from('calls of the platform, a test').toString('base64')}`
export const REPORT_SECRET = `whsec_${Buffer.from('reports of the help desk, a test').toString('base64')}`
export const PAT = { id: 'pat', name: 'Pat', avatar_url: '' }
const TOKEN = 'connector-token-of-the-tests'

/** A folder that is gone when the test is over. */
export async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-webhooks-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A platform whose agent hands over everybody who says `person`. */
export function createTestPlatform(
  database: string,
  helpDeskUrl: string,
  settings: SettingsInput = {},
): Platform {
  const platform: Platform = createPlatform({
    store: createSqliteStore({ filename: database }),
    runtime: createScriptedRuntime(
      {
        greeting: 'Welcome.',
        messages: { person: ['One moment.', { type: 'handoff', destination: 'reception', reason: 'asked' }] },
        otherwise: 'Yes.',
      },
      systemClock,
    ),
    rateLimits: null,
    onError: () => {},
    ...settings,
    liveAgents: viaWebhooks({
      url: helpDeskUrl,
      secret: CALL_SECRET,
      transcript: async ({ accountId, handoffId }) =>
        (await platform.desk.handoff(accountId, handoffId)).transcript,
      pauses: [10, 20],
      timeout: 10_000,
    }),
  })
  return platform
}

/** A session of an agent that is made for it. */
export async function openSession({ access, agents, messaging }: Platform) {
  const { id: accountId } = await access.createAccount({ slug: 'acme', name: 'Acme' })
  const { id: agentId } = await agents.create({ accountId, name: 'Front desk', greeting: 'Welcome.' })
  await agents.publish(agentId, { environment: 'live' })
  const handoff = { mode: 'server', queueName: 'reception', timeoutSeconds: 300 } as const
  const hosts = ['localhost']
  await access.createConnector({ accountId, agentId, environment: 'live', hosts, token: TOKEN, handoff })
  const { accessToken } = await messaging.issueAccessToken({
    connectorToken: TOKEN,
    host: 'localhost',
    remoteAddress: 'test',
  })
  const authorization = `Bearer ${accessToken}`
  const { sessionId } = await messaging.createSession({ authorization, streaming: false })
  return { accountId, sessionId, accessToken }
}

/** A help desk that says when something has changed. */
export async function openHelpDesk(options: {
  readonly reportUrl: string
  readonly file?: string
  readonly port?: number
}) {
  const signal = createSignal()
  const troubles: string[] = []
  const helpDesk: HelpDesk = await startHelpDesk({
    port: options.port ?? 0,
    file: options.file ?? null,
    callSecret: CALL_SECRET,
    reports: { url: options.reportUrl, secret: REPORT_SECRET },
    pauses: { first: 10, longest: 200 },
    onChange: signal.changed,
    onTrouble(text) {
      troubles.push(text)
      signal.changed()
    },
  })
  onTestFinished(() => helpDesk.close())
  const ticket = (number = 1): Ticket | undefined => helpDesk.tickets().find(one => one.number === number)
  return {
    helpDesk,
    troubles,
    ticket,
    untilTicket: (wanted: (ticket: Ticket) => boolean) => signal.until(() => helpDesk.tickets().some(wanted)),
    untilTrouble: (wanted: RegExp) => signal.until(() => troubles.some(text => wanted.test(text))),
    linesOf: (number = 1) => ticket(number)?.lines.map(({ from, text }) => `${from}: ${text}`),
  }
}

/** A visitor over a real socket. */
export function openVisitor(
  reportUrl: string,
  session: { readonly sessionId: string; readonly accessToken: string },
): Visitor & { text(name: 'AI_AGENT_MESSAGE' | 'LIVE_AGENT_MESSAGE'): Promise<string> } {
  const visitor = connectVisitor({ url: new URL(reportUrl).origin, ...session })
  onTestFinished(() => visitor.stop())
  return {
    ...visitor,
    text: async name => (await visitor.next(name)).payload.text,
  }
}

/** Host, gates in both directions, help desk, and a visitor who has been greeted. */
export async function openRoad(settings: SettingsInput = {}) {
  const host = await startHost({ port: 0, reportSecret: REPORT_SECRET })
  const reports: Gate = await openGate(() => host.reportUrl)
  const folder = await freshFolder()
  const file = join(folder, 'tickets.json')
  const desk = await openHelpDesk({ reportUrl: reports.url, file })
  const calls: Gate = await openGate(() => desk.helpDesk.url)
  const platform = createTestPlatform(join(folder, 'colloquy.db'), calls.url, settings)
  host.serve(platform)
  onTestFinished(() => host.close())
  const session = await openSession(platform)
  const visitor = openVisitor(host.reportUrl, session)
  visitor.join()
  await visitor.text('AI_AGENT_MESSAGE')
  return { host, platform, reports, calls, desk, file, session, visitor }
}
