import { startHost } from '../../src/host.ts'
import { createTestPlatform, openSession, REPORT_SECRET } from './road.ts'

/** A host as a program of its own, so that it can be killed. */
const { DATABASE = '', HELP_DESK = '', PORT = '0', NEW_SESSION } = process.env

const host = await startHost({ port: Number(PORT), reportSecret: REPORT_SECRET })
// A short lease: what the killed process had not confirmed is made again soon.
const platform = createTestPlatform(DATABASE, HELP_DESK, { turnLease: 4_000, wakeInterval: 50 })
host.serve(platform)
const session = NEW_SESSION === undefined ? null : await openSession(platform)
process.stdout.write(`${JSON.stringify({ reportUrl: host.reportUrl, session })}\n`)
