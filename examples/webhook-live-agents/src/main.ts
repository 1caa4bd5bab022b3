import { randomBytes } from 'node:crypto'
import { createDemoPlatform } from '@colloquy/example-standalone'
import { openDemoSession, runTerminal } from '@colloquy/example-terminal-transport'
import { startHelpDesk } from './help-desk/help-desk.ts'
import { createHelpDeskSeat, newsOf } from './help-desk/terminal-seat.ts'
import { startHost } from './host.ts'
import { viaWebhooks } from './via-webhooks.ts'

const PAT = { id: 'pat', name: 'Pat', avatar_url: '' }

/** One for each direction. In two real systems they stand in the settings of both. */
const secret = (): string => `whsec_${randomBytes(32).toString('base64')}`
const callSecret = secret()
const reportSecret = secret()

const show = (line: string): boolean => process.stdout.write(`${line}\n`)

const host = await startHost({ port: 0, reportSecret })
const helpDesk = await startHelpDesk({
  port: 0,
  file: process.env.TICKETS ?? null,
  callSecret,
  reports: { url: host.reportUrl, secret: reportSecret },
  onChange: (before, after) => newsOf(before, after).forEach(show),
  onTyping: ({ number }) => show(`[help desk] Ticket ${number}: the visitor types …`),
  onTrouble: text => show(`[help desk] ! ${text}`),
})
const platform = createDemoPlatform(process.env.DATABASE ?? ':memory:', {
  liveAgents: viaWebhooks({
    url: helpDesk.url,
    secret: callSecret,
    transcript: async ({ accountId, handoffId }) =>
      (await platform.desk.handoff(accountId, handoffId)).transcript,
  }),
})
host.serve(platform)
show(`The platform takes reports at ${host.reportUrl}, the help desk takes calls at ${helpDesk.url}.`)
try {
  await runTerminal({
    platform,
    session: await openDemoSession(platform),
    input: process.stdin,
    output: process.stdout,
    openSeat: async () => createHelpDeskSeat(helpDesk, PAT),
    interactive: process.stdin.isTTY === true,
  })
  await helpDesk.idle()
} finally {
  process.stdin.destroy()
  await host.close()
  await helpDesk.close()
}
