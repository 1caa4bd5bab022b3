import type { RolloutReport } from '@colloquy/core'
import type { Command } from 'commander'
import { z } from 'zod'
import type { Shown } from '../administration.ts'
import { WORKSPACE_KEY } from '../connection.ts'
import { Failure } from '../failure.ts'
import { plain, type Terminal, table } from '../terminal.ts'
import { actionOver, showDone, showList, wholeNumber } from './command.ts'
import {
  basisPointsOf,
  type DeclaredRollout,
  type RolloutStep,
  readDeclaredRollout,
  stepTo,
} from './declared-rollout.ts'
import { openRollouts, type RolloutCalls, type ShownReport, type ShownRollout } from './rollout-calls.ts'

const action = actionOver(openRollouts)

type Estimate = RolloutReport['figures']['base']['contained']

const percent = z
  .string()
  .refine(
    text => /^\d{1,3}(\.\d{1,2})?$/.test(text) && Number(text) <= 100,
    'expected a percentage from 0 to 100, with two decimals at most',
  )
  .transform(text => basisPointsOf(Number(text)))

const agent = z.string().min(1)

const percentOf = (basisPoints: number): string => `${basisPoints / 100} %`

const shareOf = ({ shares }: Pick<ShownRollout, 'shares'>): string =>
  percentOf(shares.at(-1)?.basisPoints ?? 0)

const rowOf = (rollout: ShownRollout): Shown => ({
  ...{ id: rollout.id, environment: rollout.environment, share: shareOf(rollout), key: rollout.key },
  ...{ base: rollout.base.deploymentId, candidate: rollout.candidate.deploymentId },
  started: new Date(rollout.startedAt).toISOString(),
  winner: rollout.end?.winner ?? null,
  early: rollout.end?.early ?? null,
})

const ENVIRONMENT_BEFORE = { live: 'pre-release', 'pre-release': 'sandbox' } as const

/** Returns the deployment to try: the environment before it runs it. @throws Failure if that runs nothing */
async function candidateFor(
  admin: RolloutCalls,
  agentId: string,
  environment: keyof typeof ENVIRONMENT_BEFORE,
): Promise<string> {
  const before = ENVIRONMENT_BEFORE[environment]
  const candidate = await admin.active(agentId, before)
  if (candidate !== null) return candidate
  throw new Failure(`Nothing is deployed in ${before}. Name the deployment to try with --deployment.`)
}

const rounded = (share: number): number => Math.round(1_000 * share) / 10

/** Returns a share with the ends of its interval; null where nothing counts. */
const shown = ({ high, low, of, share }: Estimate): string | null =>
  of === 0 ? null : `${rounded(share)} % (${rounded(low)} to ${rounded(high)})`

/** Prints both sides of a rollout, a measure a row. */
function showSides(terminal: Terminal, { figures }: ShownReport): void {
  const rows = (['contained', 'understood', 'satisfied', 'engaged'] as const).map(measure => ({
    measure,
    base: shown(figures.base[measure]),
    candidate: shown(figures.candidate[measure]),
    verdict: figures.differences[measure].verdict,
  }))
  const { base, candidate } = figures
  terminal.out(
    `\n${base.conversations} conversations ran the base, ${candidate.conversations} the candidate.\n`,
  )
  terminal.out(table(rows, ['measure', 'base', 'candidate', 'verdict']))
}

function addStart(rollouts: Command, terminal: Terminal): void {
  const start = rollouts
    .command('start')
    .description('let a version answer a share of the visitors')
    .requiredOption('--agent <id>', 'PROJECT-…')
    .requiredOption('--percent <share>', '0 to 100, such as 2.5')
    .option('--environment <name>', 'live or pre-release (default: live)')
    .option('--deployment <id>', 'the version to try (default: what the environment before it runs)')
    .option('--key <key>', 'who stays on a side: visitor or conversation (default: visitor)')
    .option('--guard <rules...>', 'alert rules that take the share away when they fire')
  const options = z.object({
    ...{ agent, percent, deployment: agent.exactOptional() },
    environment: z.enum(['live', 'pre-release']).default('live'),
    key: z.enum(['visitor', 'conversation']).default('visitor'),
    guard: z.array(agent).default([]),
  })
  action(start, terminal, options, async ({ admin, json, options: given }) => {
    const { agent: agentId, environment, guard: guards, key, percent: basisPoints } = given
    const deploymentId = given.deployment ?? (await candidateFor(admin, agentId, environment))
    const input = { deploymentId, environment, basisPoints, key, guards }
    const rollout = await admin.start(agentId, input)
    const sentence = `${rollout.id} gives ${shareOf(rollout)} of ${environment} to ${deploymentId}.`
    showDone(terminal, json, { ...rollout }, sentence)
  })
}

function addReading(rollouts: Command, terminal: Terminal): void {
  const list = rollouts
    .command('list')
    .description('list rollouts, newest first')
    .requiredOption('--agent <id>', 'PROJECT-…')
    .option('--environment <name>', 'live or pre-release (default: both)')
    .option('--limit <count>', '1 to 100 (default: 20)')
  const listOptions = z.object({
    ...{ agent, limit: wholeNumber(1, 100).exactOptional() },
    environment: z.enum(['live', 'pre-release']).exactOptional(),
  })
  action(list, terminal, listOptions, async ({ admin, json, options: { agent: agentId, ...query } }) => {
    const found = await admin.list(agentId, query)
    const columns = ['id', 'environment', 'share', 'base', 'candidate', 'started', 'winner']
    showList(terminal, json, json ? found.map(one => ({ ...one })) : found.map(rowOf), columns)
  })

  const show = rollouts
    .command('show')
    .description('show a rollout with the figures of both versions')
    .argument('<rollout>', 'ROLLOUT-…')
    .requiredOption('--agent <id>', 'PROJECT-…')
  action(show, terminal, z.object({ agent }), async ({ admin, args: [id = ''], json, options }) => {
    const report = await admin.read(options.agent, id)
    const row = rowOf(report.rollout)
    showList(terminal, json, json ? [{ ...report }] : [row], Object.keys(row))
    if (!json) showSides(terminal, report)
  })
}

function addChanges(rollouts: Command, terminal: Terminal): void {
  const share = rollouts
    .command('share')
    .description('give the tried version another share')
    .argument('<rollout>', 'ROLLOUT-…')
    .requiredOption('--agent <id>', 'PROJECT-…')
    .requiredOption('--percent <share>', '0 to 100, such as 2.5')
  action(share, terminal, z.object({ agent, percent }), async ({ admin, args: [id = ''], json, options }) => {
    const { agent: agentId, percent: basisPoints } = options
    const rollout = await admin.setShare(agentId, id, basisPoints)
    showDone(terminal, json, { ...rollout }, `${id} gives ${shareOf(rollout)} to the candidate.`)
  })

  const end = rollouts
    .command('end')
    .description('give the whole environment to one of the two versions')
    .argument('<rollout>', 'ROLLOUT-…')
    .requiredOption('--agent <id>', 'PROJECT-…')
    .requiredOption('--winner <side>', 'candidate, or base: all stays as it was')
    .option('--message <text>', 'the purpose of the deployment')
  const ending = z.object({
    ...{ agent, winner: z.enum(['candidate', 'base']), message: z.string().default('') },
  })
  action(end, terminal, ending, async ({ admin, args: [id = ''], json, options }) => {
    const { agent: agentId, message: deploymentMessage, winner } = options
    const rollout = await admin.end(agentId, id, { winner, deploymentMessage })
    showDone(
      terminal,
      json,
      { ...rollout },
      plain(`${id} has ended; ${rollout.environment} runs the ${winner}.`),
    )
  })
}

/** Returns the sentence that tells of a step, whether or not it was taken. */
function told(
  isDry: boolean,
  step: RolloutStep['type'],
  { environment, id, share, winner }: Readonly<Record<'environment' | 'id' | 'share' | 'winner', string>>,
): string {
  if (step === 'nothing') return `Nothing to do: ${id} is as the file says.`
  if (step === 'end') return `${id} ${isDry ? 'would end' : 'has ended'}; ${environment} runs the ${winner}.`
  const who = id === '' ? 'A rollout' : id
  return `${who} ${isDry ? 'would give' : 'gives'} ${share} of ${environment} to the candidate.`
}

/** Makes a rollout what a file declares, or says what would be done. */
async function applyRollout(
  admin: RolloutCalls,
  agentId: string,
  declared: DeclaredRollout,
  isDry: boolean,
): Promise<{ readonly sentence: string; readonly shown: Shown }> {
  const { environment, guards, key, percent: share, winner = '' } = declared
  // One that is in progress is among the newest.
  const newest = await admin.list(agentId, { environment, limit: 100 })
  const runs = newest.some(({ end }) => end === null)
  const deploymentId = declared.deploymentId ?? (runs ? '' : await candidateFor(admin, agentId, environment))
  const tried = runs ? [] : await admin.list(agentId, { environment, deploymentId, limit: 1 })
  const step = stepTo(declared, deploymentId, runs ? newest : tried)
  const basisPoints = basisPointsOf(share)
  const take = (): Promise<ShownRollout> => {
    if (step.type === 'start')
      return admin.start(agentId, { deploymentId, environment, basisPoints, key, guards })
    const { id } = step.rollout
    return step.type === 'end'
      ? admin.end(agentId, id, { winner: step.winner })
      : admin.setShare(agentId, id, basisPoints)
  }
  const before = step.type === 'start' ? null : step.rollout
  const rollout = isDry || step.type === 'nothing' ? before : await take()
  const named = { id: rollout?.id ?? '', share: percentOf(basisPoints), environment, winner }
  return { sentence: told(isDry, step.type, named), shown: { step: step.type, rollout } }
}

function addApply(rollouts: Command, terminal: Terminal): void {
  const apply = rollouts
    .command('apply')
    .description('make a rollout what a file of JSON says; a second time changes nothing')
    .argument('<file>', 'environment, deploymentId, percent, key, guards, winner')
    .requiredOption('--agent <id>', 'PROJECT-…')
    .option('--dry-run', 'say what would be done')
  const options = z.object({ agent, dryRun: z.boolean().default(false) })
  action(apply, terminal, options, async ({ admin, args: [file = ''], json, options: given }) => {
    const declared = await readDeclaredRollout(file)
    const { sentence, shown } = await applyRollout(admin, given.agent, declared, given.dryRun)
    showDone(terminal, json, shown, sentence)
  })
}

/** `rollout start|list|show|share|end|apply` */
export function addRolloutCommands(program: Command, terminal: Terminal): void {
  const rollouts = program
    .command('rollout')
    .description('two versions of an agent in one environment')
    .addHelpText('after', `\nWith --url the key of a workspace comes from ${WORKSPACE_KEY}.`)
  addStart(rollouts, terminal)
  addReading(rollouts, terminal)
  addChanges(rollouts, terminal)
  addApply(rollouts, terminal)
}
