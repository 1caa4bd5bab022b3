import { type Resource, type ResourceChange, resourceKey } from '../../../domain/agent/content.ts'
import { type ResourceOf, removal } from '../../../domain/agent/tree.ts'
import type { AgentId, BranchId } from '../../../domain/ids.ts'
import { withoutUndefined } from '../../../domain/without-undefined.ts'
import { type ErrorCode, PlatformError } from '../../../errors.ts'
import { type BranchView, nameTaken, resourceIn, resourcesIn, viewBranch } from '../branches/branch-view.ts'
import type { AgentsDeps } from '../deps.ts'
import { editBranch } from './edit-branch.ts'
import { type Expecting, refuseChanged } from './refuse-changed.ts'
import { storedName } from './stored-name.ts'

/** A kind of resource of which a branch has any number, each with a unique name. */
export type NamedResource = ResourceOf<'topics' | 'attributes' | 'variants' | 'test_cases'>

/** A resource's value with its id. */
export type NamedRecord<R extends NamedResource> = R['value'] & { readonly id: string }

/** The fields of a new one. The id is that of one that was removed. */
type NewNamed<R extends NamedResource> = Pick<R['value'], 'name'> &
  Partial<R['value']> & { readonly id?: string }

/** The differences between the kinds of named resources. */
export interface NamedResourceKind<R extends NamedResource> {
  readonly kind: R['kind']
  /** The noun of the kind in error messages. */
  readonly noun: string
  /** The prefix of ids, before a hyphen. */
  readonly idPrefix: string
  /** The optional fields of a new one. */
  readonly defaults: Partial<R['value']>
  /** The most of them in a branch. @default any number */
  readonly most?: number
  readonly notFound: ErrorCode
  readonly nameTaken: ErrorCode
  is(resource: Resource): resource is R
  /** @throws SCHEMA_VALIDATION_FAILED when the value does not fit the kind */
  make(id: string, value: unknown): R
  /**
   * Refuses a value that does not fit the branch, or says what else changes with it. `before` is null for a new one.
   */
  onWrite?(deps: AgentsDeps, view: BranchView, after: R, before: R | null): Promise<readonly ResourceChange[]>
  /** Refuses a removal, or says what else changes with it. */
  onDelete?(deps: AgentsDeps, view: BranchView, before: R): Promise<readonly ResourceChange[]>
}

/** The calls for the named resources of a branch: the same for topics, attributes, variants and test cases. */
export interface NamedResources<R extends NamedResource> {
  /** Lists the resources of a branch, by name, then by id. @throws PROJECT_NOT_FOUND, BRANCH_NOT_FOUND */
  list(deps: AgentsDeps, agentId: AgentId, branchId: BranchId): Promise<readonly NamedRecord<R>[]>
  /** @throws the kind's `notFound` */
  read(deps: AgentsDeps, agentId: AgentId, branchId: BranchId, id: string): Promise<NamedRecord<R>>
  /**
   * Creates a resource. Missing fields get the kind's defaults. The id of one that was removed from the branch restores
   * that one (AG76). @throws SCHEMA_VALIDATION_FAILED, the kind's `nameTaken`, and `notFound` for another id
   */
  create(deps: AgentsDeps, agentId: AgentId, branchId: BranchId, input: NewNamed<R>): Promise<NamedRecord<R>>
  /**
   * Changes the given fields, where those that are expected are as expected (AG121).
   * @throws SCHEMA_VALIDATION_FAILED, CONTENT_CHANGED, the kind's `notFound` and `nameTaken`
   */
  update(
    deps: AgentsDeps,
    agentId: AgentId,
    branchId: BranchId,
    edit: { readonly id: string; readonly change: Expecting<Partial<R['value']>> },
  ): Promise<NamedRecord<R>>
  /** @throws the kind's `notFound` */
  delete(deps: AgentsDeps, agentId: AgentId, branchId: BranchId, id: string): Promise<void>
}

const named = (input: object): object =>
  'name' in input ? { ...input, name: storedName(input.name) } : input

const nothingElse = async (): Promise<readonly ResourceChange[]> => []

/** Returns a resource of the branch. @throws the kind's `notFound` */
async function find<R extends NamedResource>(
  about: NamedResourceKind<R>,
  deps: AgentsDeps,
  view: BranchView,
  id: string,
): Promise<R> {
  const resource = await resourceIn(deps, view, about.kind, id)
  if (resource && about.is(resource)) return resource
  throw new PlatformError(about.notFound, `There is no ${about.noun} ${id} on this branch.`)
}

/** Returns the verbs of one kind. Names are unique within the kind and the branch (AG30). */
export function namedResources<R extends NamedResource>(about: NamedResourceKind<R>): NamedResources<R> {
  const { kind, noun, onWrite = nothingElse, onDelete = nothingElse } = about
  const record = ({ id, value }: R): NamedRecord<R> => ({ ...value, id })
  /** Changes of the branch stay in memory, so callers get a copy; everything else was read for this caller. */
  const own = (resource: R): NamedRecord<R> => structuredClone(record(resource))
  const recordIn =
    ({ changes }: BranchView) =>
    (resource: R): NamedRecord<R> =>
      changes.has(resourceKey(resource)) ? own(resource) : record(resource)

  /**
   * Refuses more resources than a branch may get. A merge may still exceed this on main: it refuses nothing that is on
   * a branch.
   */
  async function refuseMore(deps: AgentsDeps, view: BranchView): Promise<void> {
    if (about.most === undefined || (await resourcesIn(deps, view, kind)).length < about.most) return
    const message = `A branch has room for ${about.most} ${kind}; remove one first.`
    throw new PlatformError('SCHEMA_VALIDATION_FAILED', message)
  }

  /**
   * Refuses an id that was not removed. Only a removed resource comes back with its id: the platform chooses all
   * others.
   */
  async function refuseOther(deps: AgentsDeps, view: BranchView, id: string): Promise<void> {
    if ((await resourceIn(deps, view, kind, id)) !== null)
      throw new PlatformError(about.nameTaken, `The ${noun} ${id} is on this branch already.`)
    if (view.changes.has(resourceKey({ kind, id }))) return
    throw new PlatformError(about.notFound, `No ${noun} ${id} was removed from this branch.`)
  }

  async function write(deps: AgentsDeps, view: BranchView, after: R, before: R | null) {
    if (await nameTaken(deps, view, { kind, name: after.value.name, exceptId: before?.id ?? null })) {
      const message = `Another ${noun} on this branch is named "${after.value.name}"; choose another name.`
      throw new PlatformError(about.nameTaken, message)
    }
    const others = await onWrite(deps, view, after, before)
    return { changes: [...others, after], result: own(after) }
  }

  return {
    async list(deps, agentId, branchId) {
      const view = await viewBranch(deps, agentId, branchId)
      const resources: readonly Resource[] = await resourcesIn(deps, view, kind)
      return resources.filter(about.is).map(recordIn(view))
    },
    async read(deps, agentId, branchId, id) {
      const view = await viewBranch(deps, agentId, branchId)
      return recordIn(view)(await find(about, deps, view, id))
    },
    async create(deps, agentId, branchId, { id: removed, ...input }) {
      const id = removed ?? `${about.idPrefix}-${deps.context.ids.short()}`
      const resource = about.make(id, { ...about.defaults, ...named(withoutUndefined(input)) })
      return editBranch(deps, agentId, branchId, async view => {
        if (removed !== undefined) await refuseOther(deps, view, removed)
        await refuseMore(deps, view)
        return write(deps, view, resource, null)
      })
    },
    async update(deps, agentId, branchId, { id, change: { expected, ...change } }) {
      return editBranch(deps, agentId, branchId, async view => {
        const before = await find(about, deps, view, id)
        refuseChanged(before.value, expected)
        const after = about.make(id, { ...before.value, ...named(withoutUndefined(change)) })
        return write(deps, view, after, before)
      })
    },
    async delete(deps, agentId, branchId, id) {
      return editBranch(deps, agentId, branchId, async view => {
        const others = await onDelete(deps, view, await find(about, deps, view, id))
        return { changes: [...others, removal({ kind, id })], result: undefined }
      })
    },
  }
}

/** Adapts an update to the form of the library's calls. */
export const updating =
  <R extends NamedResource>(resources: NamedResources<R>) =>
  (
    deps: AgentsDeps,
    agentId: AgentId,
    branchId: BranchId,
    ...[id, change]: readonly [id: string, change: Expecting<Partial<R['value']>>]
  ): Promise<NamedRecord<R>> =>
    resources.update(deps, agentId, branchId, { id, change })
