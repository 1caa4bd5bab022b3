import { createDemoPlatform, DEMO_ACCOUNT_ID } from '@colloquy/example-standalone'
import { openDeskSeat } from './desk-seat.ts'
import { openDemoSession } from './open-session.ts'
import { runTerminal } from './terminal.ts'

const ADA = { id: 'ada', name: 'Ada', avatarUrl: '' }

const platform = createDemoPlatform(process.env.DATABASE ?? ':memory:')
try {
  await runTerminal({
    platform,
    session: await openDemoSession(platform),
    input: process.stdin,
    output: process.stdout,
    openSeat: tell => openDeskSeat(platform, DEMO_ACCOUNT_ID, ADA, tell),
    interactive: process.stdin.isTTY === true,
  })
} finally {
  // A terminal that is waited for would keep the process alive.
  process.stdin.destroy()
  await platform.close()
}
