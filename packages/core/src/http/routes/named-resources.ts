import type * as z from 'zod'
import type { AgentId, BranchId } from '../../domain/ids.ts'
import type { Agents } from '../../usecases/agents/agents.ts'
import { describeRoute, type Route, type RouteResult } from '../route.ts'
import { BRANCH_PATH, ofBranch } from './agents-api.ts'
import { listAnswer } from './list-answer.ts'

/** The calls behind the routes of one kind. */
interface Calls<Shown, New, Change> {
  list(agentId: AgentId, branchId: BranchId): Promise<readonly Shown[]>
  read(agentId: AgentId, branchId: BranchId, id: string): Promise<Shown>
  create(agentId: AgentId, branchId: BranchId, input: New): Promise<Shown>
  update(agentId: AgentId, branchId: BranchId, id: string, change: Change): Promise<Shown>
  delete(agentId: AgentId, branchId: BranchId, id: string): Promise<void>
}

/** The differences between the routes of one kind of named resource and those of another. */
interface NamedResourceRoutes<
  Params extends z.ZodType<z.output<typeof ofBranch.params>>,
  Shown,
  New extends z.ZodType,
  Change extends z.ZodType,
> {
  /** The path of the collection below the branch, for example `/attributes`. */
  readonly path: string
  /** The path of one item below that, for example `/:attributeId`. */
  readonly idPath: string
  /** Parameters of the path of one of them. */
  readonly params: Params
  idOf(params: z.output<Params>): string
  /** One of the kind, in the words of the documents. */
  readonly noun: string
  /** The ends of its operations' names: for one of them, and for many. */
  readonly names: readonly [one: string, many: string]
  readonly newBody: New
  readonly changeBody: Change
  /** Whether a change is answered with the resource, and a deletion with its id; otherwise both with nothing. */
  readonly writesShow: boolean
  /** The field that holds a list, for example `attributes`; without it a list is a bare array. */
  readonly listField?: string
  onWire(shown: Shown): unknown
  calls(agents: Agents): Calls<Shown, z.output<New>, z.output<Change>>
}

/**
 * Returns the routes of one kind of named resource of a branch: list, create, read, change and delete
 * (contract/agents.md, Content). Five routes as data, so it is long.
 */
export function namedResourceRoutes<
  Params extends z.ZodType<z.output<typeof ofBranch.params>>,
  Shown,
  New extends z.ZodType,
  Change extends z.ZodType,
>(about: NamedResourceRoutes<Params, Shown, New, Change>): readonly Route[] {
  const { noun, calls, idOf, listField, onWire, writesShow } = about
  const [name, many] = about.names
  const all = { ...ofBranch, path: `${BRANCH_PATH}${about.path}` }
  const one = { ...all, path: `${all.path}${about.idPath}`, params: about.params }
  const show = async (status: number, shown: Promise<Shown>): Promise<RouteResult> => ({
    status,
    json: onWire(await shown),
  })
  return [
    describeRoute({
      ...all,
      method: 'GET',
      operation: `list${many}`,
      summary: `List the ${noun}s of a branch, by name`,
      async handle({ platform, params: { agentId, branchId } }) {
        const list = await calls(platform.agents).list(agentId, branchId)
        const shown = list.map(onWire)
        const { sliceBytes } = platform.settings.limits
        return listAnswer(listField === undefined ? shown : { [listField]: shown }, sliceBytes)
      },
    }),
    describeRoute({
      ...all,
      method: 'POST',
      operation: `create${name}`,
      summary: `Add a ${noun} to a branch`,
      body: about.newBody,
      handle: ({ platform, params: { agentId, branchId }, body }) =>
        show(201, calls(platform.agents).create(agentId, branchId, body)),
    }),
    describeRoute({
      ...one,
      method: 'GET',
      operation: `read${name}`,
      summary: `Read a ${noun}`,
      handle: ({ platform, params }) =>
        show(200, calls(platform.agents).read(params.agentId, params.branchId, idOf(params))),
    }),
    describeRoute({
      ...one,
      method: 'PATCH',
      operation: `update${name}`,
      summary: `Change the given fields of a ${noun}`,
      body: about.changeBody,
      async handle({ platform, params, body }) {
        const { agentId, branchId } = params
        const changed = calls(platform.agents).update(agentId, branchId, idOf(params), body)
        if (writesShow) return show(200, changed)
        await changed
        return { status: 204 }
      },
    }),
    describeRoute({
      ...one,
      method: 'DELETE',
      operation: `delete${name}`,
      summary: `Remove a ${noun} from a branch`,
      async handle({ platform, params }) {
        const id = idOf(params)
        await calls(platform.agents).delete(params.agentId, params.branchId, id)
        return writesShow ? { status: 200, json: { id } } : { status: 204 }
      },
    }),
  ]
}
