import { open, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Api } from '@colloquy/client/http'
import { REPLAY_VERDICTS } from '@colloquy/core'
import type { Command } from 'commander'
import { z } from 'zod'
import { WORKSPACE_KEY, workspaceApi } from '../connection.ts'
import { answerOf, Failure, UsageError } from '../failure.ts'
import {
  counted,
  EXAMPLES,
  type FailOn,
  failures,
  junitOf,
  markdownOf,
  type ReplayReport,
  type ShownReplay,
} from '../replay-report.ts'
import { json as jsonText, plain, type Terminal, table } from '../terminal.ts'
import { actionOver, wholeNumber } from './command.ts'

/** The interval at which a replay in progress is read, milliseconds. */
const AGAIN = 1_000

/** Groups with examples in a report. */
const MOST_GROUPS = 50

/** Replays are on a server: these commands work over HTTP alone. */
const action = actionOver(async (given, { env }) => ({
  api: workspaceApi('replay', given, env),
  close: async () => {},
}))

const optionsSchema = z.object({
  agent: z.string().min(1),
  deployment: z.string().min(1).exactOptional(),
  branch: z.string().min(1).exactOptional(),
  environment: z.enum(['sandbox', 'pre-release', 'live']).exactOptional(),
  last: wholeNumber(1, 1_000).exactOptional(),
  days: wholeNumber(1, 365).exactOptional(),
  mode: z.enum(['recorded_history', 'live_history']).exactOptional(),
  failOn: z.enum(['worse', 'changed']).exactOptional(),
  junit: z.string().min(1).exactOptional(),
  markdown: z.string().min(1).exactOptional(),
  wait: wholeNumber(1, 86_400),
})
type Options = z.output<typeof optionsSchema>

/** Reports whether a group is as the options name it; what they leave out may be any. */
const isNamed = (
  group: ReplayReport['groups'][number],
  { verdict, reason, from, to }: Omit<z.output<typeof acceptSchema>, 'agent' | 'why'>,
): boolean =>
  group.verdict === (verdict ?? group.verdict) &&
  group.reason === (reason ?? group.reason) &&
  group.from === (from ?? group.from) &&
  group.to === (to ?? group.to)

/** Starts a replay, and resolves to its report once it is over. @throws Failure when that takes too long */
async function replay(api: Api, options: Options): Promise<ReplayReport> {
  const { agent: agentId, deployment: deploymentId, branch: branchId, ...more } = options
  const { environment, last, days, mode } = more
  const given = { deploymentId, branchId, environment, last, days, mode }
  const body = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const { id: replayId } = await answerOf(api.startReplay({ agentId, body }))
  const until = performance.now() + options.wait * 1_000
  for (;;) {
    const report = await answerOf(api.readReplay({ agentId, replayId }))
    if (report.status !== 'running') return report
    if (performance.now() >= until)
      throw new Failure(`The replay ${replayId} was not over in ${options.wait} s. It goes on at the server.`)
    await wait(AGAIN)
  }
}

/** Reads some turns of each group that is not as it was. */
async function shown(api: Api, report: ReplayReport): Promise<ShownReplay> {
  const { agentId, id: replayId } = report
  const groups: ShownReplay['groups'][number][] = []
  for (const group of report.groups.slice(0, MOST_GROUPS)) {
    const { verdict, reason, from, to } = group
    const of = { agentId, replayId, verdict, reason, from, to }
    const { turns } = await answerOf(api.listReplayTurns({ ...of, limit: EXAMPLES }))
    groups.push({ ...group, examples: turns })
  }
  return { report, groups }
}

/** @throws Failure if the replay is not what the caller wants */
function judge(report: ReplayReport, failOn: FailOn | null): void {
  if (report.status === 'errored') {
    const why = report.error ?? 'The server gives no reason.'
    throw new Failure(`The replay ${report.id} was given up: ${why}`)
  }
  const found = failures(report.groups, failOn).reduce((sum, { turns }) => sum + turns, 0)
  if (found > 0)
    throw new Failure(
      `${counted(found)} ${found === 1 ? 'is' : 'are'} ${failOn === 'changed' ? 'worse or changed' : 'worse'}, and nobody has accepted that.`,
    )
}

/** Refuses files for reports that cannot be written, before anything is asked. @throws Failure, UsageError */
async function requireFiles({ junit, markdown }: Pick<Options, 'junit' | 'markdown'>): Promise<void> {
  const files = [junit, markdown].filter(file => file !== undefined)
  if (new Set(files.map(file => resolve(file))).size < files.length)
    throw new UsageError('--junit and --markdown must name two files.')
  for (const file of files)
    try {
      await (await open(file, 'a')).close()
    } catch {
      throw new Failure(`${file} cannot be written.`)
    }
}

/** Prints what a replay has come to, group by group. */
function show(terminal: Terminal, json: boolean, report: ReplayReport): void {
  if (json) {
    terminal.out(jsonText(report, 2))
    return
  }
  const found = Object.entries(report.verdicts).filter(([, turns]) => turns > 0)
  terminal.out(plain(`${report.id}: ${found.map(([verdict, turns]) => `${turns} ${verdict}`).join(', ')}`))
  const rows = report.groups.map(({ accepted, ...group }) => ({ ...group, accepted: accepted?.why ?? null }))
  if (rows.length > 0) terminal.out(table(rows, ['verdict', 'reason', 'from', 'to', 'turns', 'accepted']))
}

async function run(api: Api, options: Options): Promise<ReplayReport> {
  if ((options.deployment === undefined) === (options.branch === undefined))
    throw new UsageError('Name what is asked: --deployment <id> or --branch <id>.')
  await requireFiles(options)
  const report = await replay(api, options)
  const failOn = options.failOn ?? null
  if (options.junit !== undefined || options.markdown !== undefined) {
    const read = await shown(api, report)
    if (options.junit !== undefined) await writeFile(options.junit, junitOf(read, failOn))
    if (options.markdown !== undefined) await writeFile(options.markdown, markdownOf(read))
  }
  return report
}

const acceptSchema = z.object({
  agent: z.string().min(1),
  verdict: z.enum(REPLAY_VERDICTS).exclude(['same']).exactOptional(),
  reason: z.string().min(1).exactOptional(),
  from: z.string().exactOptional(),
  to: z.string().exactOptional(),
  why: z.string().min(1),
})

/** Accepts the one group that the options name. @throws Failure unless there is exactly one */
async function accept(
  api: Api,
  replayId: string,
  { agent: agentId, why, ...named }: z.output<typeof acceptSchema>,
): Promise<ReplayReport> {
  const { groups } = await answerOf(api.readReplay({ agentId, replayId }))
  const [group, ...more] = groups.filter(one => isNamed(one, named))
  if (group === undefined) throw new Failure(`The replay ${replayId} has no such group of turns.`)
  if (more.length > 0)
    throw new Failure(
      `${1 + more.length} groups of ${replayId} are so. Name one with --verdict, --reason, --from and --to.`,
    )
  const { verdict, reason, from, to } = group
  return answerOf(api.acceptReplayGroup({ agentId, replayId, body: { verdict, reason, from, to, why } }))
}

function addStart(replays: Command, terminal: Terminal): void {
  const start = replays
    .command('start', { isDefault: true })
    .description('ask a deployment or a branch, and wait for the end; what replay does without a command')
    .requiredOption('--agent <id>', 'PROJECT-…')
    .option('--deployment <id>', 'DEPLOYMENT-…')
    .option('--branch <id>', 'BRANCH-…, before its merge; main for what main holds')
    .option('--environment <name>', 'whose conversations (default: live)')
    .option('--last <count>', 'the most conversations, 1 to 1000 (default: 50)')
    .option('--days <count>', 'draw them from so many days, rather than the newest')
    .option('--mode <mode>', 'recorded_history (default) or live_history')
    .option('--fail-on <verdict>', 'exit code 1 for turns that are worse, or also for changed ones')
    .option('--junit <file>', 'write a report for CI; it holds words of visitors')
    .option('--markdown <file>', 'write a report to read; it holds words of visitors')
    .option('--wait <seconds>', 'for its end', '600')
  action(start, terminal, optionsSchema, async ({ admin: { api }, json, options }) => {
    const report = await run(api, options)
    show(terminal, json, report)
    judge(report, options.failOn ?? null)
  })
}

function addAccept(replays: Command, terminal: Terminal): void {
  const accepting = replays
    .command('accept')
    .description('accept a group of turns, with a reason; also for later replays of the same content')
    .argument('<replay>', 'REPLAY-…')
    .requiredOption('--agent <id>', 'PROJECT-…')
    .option('--verdict <verdict>', 'of the group; what is left out may be any, as long as one group is so')
    .option('--reason <reason>', 'of its verdict')
    .option('--from <topic>', 'the topic that answered; empty for none')
    .option('--to <topic>', 'the topic that answers now; empty for none')
    .requiredOption('--why <text>', 'why it is meant; kept in the audit log')
  action(accepting, terminal, acceptSchema, async ({ admin: { api }, args: [id = ''], json, options }) =>
    show(terminal, json, await accept(api, id, options)),
  )
}

/** `replay [start]|accept` */
export function addReplayCommands(program: Command, terminal: Terminal): void {
  const replays = program
    .command('replay')
    .description('ask a deployment or a branch what visitors said, and compare the answers; for CI')
    .addHelpText('after', `\nThe key of a workspace comes from ${WORKSPACE_KEY}.`)
  addStart(replays, terminal)
  addAccept(replays, terminal)
}
