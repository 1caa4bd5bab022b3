import { type ContentTree, isWrite, nameOf, type ResourceChange, resourceKey } from '@colloquy/core/domain'
import type { Command } from 'commander'
import { createTwoFilesPatch } from 'diff'
import { z } from 'zod'
import { type AgentFile, filesOf } from '../agent-files/render.ts'
import type { ShownConflict } from '../agent-files/sync.ts'
import { ConflictFailure, type FolderOptions, type Planned, plan, pull, push } from '../agent-files/work.ts'
import { Failure } from '../failure.ts'
import { json as jsonText, plain, type Terminal } from '../terminal.ts'
import { action, needStore, showDone } from './command.ts'

const optionsSchema = z
  .object({
    dir: z.string().min(1).default('.'),
    agent: z.string().exactOptional(),
    branch: z.string().exactOptional(),
    newBranch: z.string().exactOptional(),
    replace: z.boolean().default(false),
    markers: z.boolean().default(false),
    exitCode: z.boolean().default(false),
  })
  .readonly()

/** A change as it is shown. */
interface ShownChange {
  readonly file: string
  readonly kind: string
  readonly id: string
  readonly name: string | null
  readonly type: 'add' | 'modify' | 'delete'
}

const unitOf = (change: ResourceChange): string =>
  change.kind === 'attributes' ? 'attributes' : resourceKey(change)

function shownChanges({ changes, content, tree }: Planned): readonly ShownChange[] {
  const [before, after] = [pathsByUnit(content.tree), pathsByUnit(tree)]
  return changes
    .map((change): ShownChange => {
      const old = content.tree.get(resourceKey(change))
      const resource = isWrite(change) ? change : old
      const file = after.get(unitOf(change)) ?? before.get(unitOf(change)) ?? change.kind
      const type = !isWrite(change) ? 'delete' : old === undefined ? 'add' : 'modify'
      return { file, kind: change.kind, id: change.id, name: resource ? nameOf(resource) : null, type }
    })
    .sort((a, b) => (a.file < b.file ? -1 : 1))
}

const pathsByUnit = (tree: ContentTree): ReadonlyMap<string, string> =>
  new Map(filesOf(tree).map(({ unit, path }) => [unit, path]))

const SIGNS = { add: '+', modify: '~', delete: '-' } as const

const changeLine = ({ type, file, name }: ShownChange): string =>
  `${SIGNS[type]} ${file}${name === null ? '' : ` (${name})`}`

/** Returns the lines that a push would change, as `git diff` shows them. */
function patches({ content, tree }: Planned): readonly string[] {
  const byUnit = (files: readonly AgentFile[]) => new Map(files.map(file => [file.unit, file]))
  const [before, after] = [byUnit(filesOf(content.tree)), byUnit(filesOf(tree))]
  return [...new Set([...before.keys(), ...after.keys()])].flatMap(unit => {
    const [old, now] = [before.get(unit), after.get(unit)]
    if (old?.text === now?.text) return []
    const names = [old?.path ?? '/dev/null', now?.path ?? '/dev/null'] as const
    const patch = createTwoFilesPatch(...names, old?.text ?? '', now?.text ?? '', 'branch', 'files')
    return patch
      .split('\n')
      .filter(line => !line.startsWith('===='))
      .map(line => plain(line.replaceAll('\t', '  ')))
  })
}

const shortened = (value: unknown): string => {
  const text = value === null ? 'nothing' : JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 200)}… (${text.length} characters)` : text
}

/** Shows conflicts by file and field, with what each side has. */
function showConflicts(terminal: Terminal, json: boolean, conflicts: readonly ShownConflict[]): void {
  if (json) {
    terminal.out(jsonText({ conflicts }, 2))
    return
  }
  for (const { file, field, base, branch, files } of conflicts) {
    terminal.out(plain(`${file}: ${field}`))
    for (const [side, value] of Object.entries({ base, branch, files }))
      terminal.out(plain(`  ${side.padEnd(6)}  ${shortened(value)}`))
  }
}

/** Runs a command whose refusal may be conflicts. */
async function showing<Result>(
  terminal: Terminal,
  json: boolean,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ConflictFailure) showConflicts(terminal, json, error.conflicts)
    throw error
  }
}

const folderCommand = (program: Command, name: string, description: string): Command =>
  program
    .command(name)
    .description(description)
    .option('--agent <id>', 'PROJECT-…; that of the folder unless given')
    .option('--branch <id-or-name>', 'that of the folder unless given')
    .option('--dir <folder>', 'where the files are (default: .)')

const count = (many: number, noun: string): string => `${many} ${noun}${many === 1 ? '' : 's'}`

function addPull(program: Command, terminal: Terminal): void {
  const command = folderCommand(program, 'pull', "write an agent's branch as files; edits of the files stay")
    .option('--replace', 'write over files that are there')
    .option('--markers', 'write conflicts into the files')
  action(command, terminal, optionsSchema, async ({ admin, json, options }) => {
    const { agents } = needStore(admin)
    const done = await showing(terminal, json, () => pull(agents, options))
    const { agentId, branchId, files, edited } = done
    const rest = edited ? ' They hold edits that are not on the branch: push them.' : ''
    const sentence = `${options.dir} holds ${count(files, 'file')} of the branch ${branchId} of ${agentId}.${rest}`
    showDone(terminal, json, { ...done }, sentence)
  })
}

function addPush(program: Command, terminal: Terminal): void {
  const command = folderCommand(
    program,
    'push',
    'write what the files changed to a branch, merged three ways',
  )
    .option('--new-branch <name>', 'make a branch of main for it')
    .option('--replace', 'the branch then holds what the files hold, whatever it held')
    .option('--markers', 'write conflicts into the files')
  action(command, terminal, optionsSchema, async ({ admin, json, options }) => {
    const { agents } = needStore(admin)
    const planned = await showing(terminal, json, () => push(agents, options))
    const { agentId, branchId } = planned
    const changes = shownChanges(planned)
    if (!json) for (const change of changes) terminal.out(plain(changeLine(change)))
    const sentence =
      changes.length === 0
        ? `The branch ${branchId} of ${agentId} has all that the files have.`
        : `Wrote ${count(changes.length, 'change')} to the branch ${branchId} of ${agentId}.`
    showDone(terminal, json, { agentId, branchId, changes }, sentence)
  })
}

/** @throws Failure if there is something to push and the caller asked for an exit code */
function showPlan(terminal: Terminal, json: boolean, planned: Planned, exitCode: boolean): void {
  const { agentId, branchId } = planned
  const changes = shownChanges(planned)
  if (json) terminal.out(jsonText({ agentId, branchId, changes }, 2))
  else if (changes.length === 0)
    terminal.out(plain(`The branch ${branchId} of ${agentId} has all that the files have.`))
  else {
    for (const line of patches(planned)) terminal.out(line)
    for (const change of changes) terminal.out(plain(changeLine(change)))
  }
  if (exitCode && changes.length > 0)
    throw new Failure(`A push would write ${count(changes.length, 'change')} to the branch ${branchId}.`)
}

function addDiff(program: Command, terminal: Terminal): void {
  const command = folderCommand(
    program,
    'diff',
    'show what a push would write, or its conflicts; writes nothing',
  )
    .option('--replace', 'compare with a push --replace')
    .option('--exit-code', 'exit code 1 when there is something to push')
  action(command, terminal, optionsSchema, async ({ admin, json, options: { exitCode, ...options } }) => {
    const { agents } = needStore(admin)
    const wanted: FolderOptions = { ...options, markers: false }
    showPlan(terminal, json, await showing(terminal, json, () => plan(agents, wanted)), exitCode)
  })
}

/** `pull`, `push`, `diff` */
export function addAgentFileCommands(program: Command, terminal: Terminal): void {
  addPull(program, terminal)
  addPush(program, terminal)
  addDiff(program, terminal)
}
