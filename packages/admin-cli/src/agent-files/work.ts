import { type BranchTree, isPlatformError, MAIN_BRANCH_ID, systemIds } from '@colloquy/core'
import { type ContentTree, contentHash, type ResourceChange } from '@colloquy/core/domain'
import type { StoreAdministration } from '../administration.ts'
import { Failure, UsageError } from '../failure.ts'
import { type Folder, readFolder, writeFolder } from './folder.ts'
import { LOCK_FILE } from './layout.ts'
import { baseOf, type Lock, lockText, parseLock } from './lock.ts'
import { parseFiles } from './parse.ts'
import { filesOf } from './render.ts'
import type { Problem } from './source.ts'
import { conflictFiles, type ShownConflict, type Sides, shownConflicts, sync } from './sync.ts'

/** Options of the three commands. */
export interface FolderOptions {
  readonly dir: string
  readonly agent?: string
  /** An id or a name. */
  readonly branch?: string
  readonly newBranch?: string
  readonly replace: boolean
  readonly markers: boolean
}

/** Sides that cannot be brought together; nothing was written, or the folder has markers. */
export class ConflictFailure extends Failure {
  readonly conflicts: readonly ShownConflict[]
  constructor(conflicts: readonly ShownConflict[], advice: string) {
    const count = conflicts.length === 1 ? 'One conflict' : `${conflicts.length} conflicts`
    super(`${count} between the branch and the files. ${advice}`)
    this.conflicts = conflicts
  }
}

type Agents = StoreAdministration['agents']

/** A folder with what it is of. */
interface Opened {
  readonly folder: Folder
  readonly lock: Lock | null
  readonly agentId: string
}

const refusal = (problems: readonly Problem[]): Failure => {
  const lines = problems.map(({ file, line, message }) => `${file}:${line}: ${message}`)
  return new Failure(`${lines.join('\n')}\nNothing was written.`)
}

async function open(options: FolderOptions): Promise<Opened> {
  const folder = await readFolder(options.dir)
  const lock = folder.lock === null || options.replace ? null : parseLock(folder.lock)
  if (lock !== null && 'message' in lock) throw refusal([lock])
  const named = options.agent ?? (lock ?? agentOfLock(folder))?.agentId
  if (named === undefined) throw new UsageError('Name the agent: --agent <id>.')
  if (lock !== null && lock.agentId !== named)
    throw new Failure(
      `${LOCK_FILE} is of the agent ${lock.agentId}, not of ${named}. Name another folder, or give --replace.`,
    )
  return { folder, lock, agentId: named }
}

/**
 * Returns the lock that `--replace` does not compare with, for its agent and branch. Null if it is missing or invalid.
 */
function agentOfLock({ lock }: Folder): Lock | null {
  const parsed = lock === null ? null : parseLock(lock)
  return parsed === null || 'message' in parsed ? null : parsed
}

async function branchIdOf(agents: Agents, agentId: string, named: string): Promise<string> {
  const all = await agents.branches(agentId)
  if (all.some(({ id }) => id === named)) return named
  const [found, ...others] = all.filter(({ name }) => name === named)
  if (found === undefined) throw new Failure(`There is no branch ${named}.`)
  if (others.length > 0) throw new Failure(`Several branches are named ${named}; give the id.`)
  return found.id
}

/** Parses the content of a folder. @throws Failure naming files and lines */
function contentOf({ files }: Folder) {
  const parsed = parseFiles(files, prefix => `${prefix}-${systemIds.short()}`)
  if (parsed.status === 'invalid') throw refusal(parsed.problems)
  return parsed
}

/** Returns the content of which the folder was made. @throws Failure */
async function readBase(agents: Agents, lock: Lock | null): Promise<ContentTree> {
  if (lock === null)
    throw new Failure(
      `There are files and no ${LOCK_FILE}, so nothing says what they were made of. Give --replace: what is there counts no more.`,
    )
  const revision = await agents.content(lock.agentId, lock.revision).catch((error: unknown) => {
    if (isPlatformError(error) && error.code === 'PROJECT_NOT_FOUND') return null
    throw error
  })
  const base = revision === null ? null : baseOf(lock, revision.tree)
  if (base === null)
    throw new Failure(
      `${LOCK_FILE} is not of a state that this agent had: it was changed, or is of another store. Give --replace: what is there counts no more.`,
    )
  return base
}

const lockOf = ({ branch, changes, tree }: BranchTree): Lock => ({
  ...{ agentId: branch.agentId, branchId: branch.id, branchVersion: branch.version },
  ...{ revision: branch.baseRevision, contentHash: contentHash(tree), changes },
})

/** Brings both together. @throws ConflictFailure, after it has written markers where they are wanted */
async function merged(
  folder: Folder,
  sides: Sides,
  places: ReadonlyMap<string, string>,
  { content, markers }: { readonly content: BranchTree; readonly markers: boolean },
) {
  const result = sync(sides)
  if (result.status === 'merged') return result
  if (result.status === 'invalid') throw new Failure(result.reason)
  const shown = shownConflicts(result.conflicts, sides, places)
  if (!markers)
    throw new ConflictFailure(shown, 'Nothing was written. With --markers they are written into the files.')
  const files = conflictFiles(sides)
  if (files === null)
    throw new ConflictFailure(
      shown,
      'Nothing was written: these cannot be shown with markers. Edit the files.',
    )
  await writeFolder(folder, files, lockText(lockOf(content)))
  throw new ConflictFailure(shown, 'The files hold markers; keep what is right, and push.')
}

/** Result of `pull`. */
export interface Pulled {
  readonly agentId: string
  readonly branchId: string
  readonly files: number
  /** Whether the folder has edits that are not on the branch. */
  readonly edited: boolean
}

/** Brings a folder up to date with a branch; edits of the folder stay (CL22). @throws Failure, UsageError */
export async function pull(agents: Agents, options: FolderOptions): Promise<Pulled> {
  const { folder, lock, agentId } = await open(options)
  const branchId = await branchIdOf(agents, agentId, options.branch ?? lock?.branchId ?? MAIN_BRANCH_ID)
  const content = await agents.branchTree(agentId, branchId)
  const done = { agentId, branchId }
  if (options.replace || (folder.files.size === 0 && lock === null)) {
    const files = filesOf(content.tree)
    await writeFolder(folder, files, lockText(lockOf(content)))
    return { ...done, files: files.length, edited: false }
  }
  const base = await readBase(agents, lock)
  const { tree, places } = contentOf(folder)
  const sides = { base, branch: content.tree, files: tree }
  const result = await merged(folder, sides, places, { content, markers: options.markers })
  const files = filesOf(result.tree)
  await writeFolder(folder, files, lockText(lockOf(content)))
  return { ...done, files: files.length, edited: result.changes.length > 0 }
}

/** Plan of a push. */
export interface Planned {
  readonly agentId: string
  readonly branchId: string
  readonly content: BranchTree
  readonly tree: ContentTree
  readonly changes: readonly ResourceChange[]
  readonly folder: Folder
}

/** Compares a folder with a branch (CL22). @throws Failure, UsageError */
export async function plan(agents: Agents, options: FolderOptions): Promise<Planned> {
  const { folder, lock, agentId } = await open(options)
  const named = options.branch ?? (lock ?? agentOfLock(folder))?.branchId ?? MAIN_BRANCH_ID
  const branchId = await branchIdOf(agents, agentId, named)
  const { tree, places } = contentOf(folder)
  const content = await agents.branchTree(agentId, branchId)
  const base = options.replace ? content.tree : await readBase(agents, lock)
  const sides = { base, branch: content.tree, files: tree }
  const result = await merged(folder, sides, places, { content, markers: options.markers })
  return { agentId, branchId, content, ...result, folder }
}

/** Most attempts of a push. It retries if the branch was written to meanwhile. */
const ATTEMPTS = 5

/** Writes to the branch, then writes the result back to the folder. */
async function pushOnce(agents: Agents, options: FolderOptions): Promise<Planned> {
  const planned = await plan(agents, options)
  const { agentId, branchId, content, changes, folder } = planned
  if (branchId === MAIN_BRANCH_ID)
    throw new Failure(
      'Main changes by merges alone. Push to a branch: --branch <id>, or --new-branch <name>.',
    )
  if (changes.length > 0)
    await agents.writeBranchTree(agentId, branchId, { expectedVersion: content.branch.version, changes })
  const after = await agents.branchTree(agentId, branchId)
  await writeFolder(folder, filesOf(after.tree), lockText(lockOf(after)))
  return planned
}

async function pushAgain(agents: Agents, options: FolderOptions): Promise<Planned> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await pushOnce(agents, options)
    } catch (error) {
      const faster = isPlatformError(error) && error.code === 'WRITE_CONFLICT'
      if (!faster || attempt === ATTEMPTS) throw error
    }
  }
}

/** Brings a branch up to date with a folder, and the folder with the branch (CL22). @throws Failure, UsageError */
export async function push(agents: Agents, options: FolderOptions): Promise<Planned> {
  const { newBranch, ...others } = options
  if (newBranch === undefined) return pushAgain(agents, options)
  if (options.branch !== undefined) throw new UsageError('Give --branch or --new-branch, not both.')
  // First without a branch, so that files that are refused leave none.
  const { agentId } = await plan(agents, { ...others, branch: MAIN_BRANCH_ID })
  const branch = await agents.createBranch(agentId, { branchName: newBranch })
  try {
    return await pushAgain(agents, { ...others, agent: agentId, branch: branch.id })
  } catch (error) {
    await agents.deleteBranch(agentId, branch.id)
    throw error
  }
}
