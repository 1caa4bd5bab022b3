import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useResource } from '../../data/resource.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { Failure } from '../../ui/failure.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { say } from './texts.ts'

/** Stands for a branch that is yet to be made. */
const NEW = ''

/** A branch to work on: one that is open, the one changed last first, or a new one. */
export interface BranchChoice {
  readonly isKnown: boolean
  readonly error: unknown
  /** The ones to choose from. */
  readonly options: readonly (readonly [string, string])[]
  /** The chosen one; {@link NEW} for a new one. */
  readonly branchId: string
  readonly name: string
  choose(branchId: string): void
  call(name: string): void
  /** The branch; a new one is made by it. */
  provide(): Promise<{ readonly branchId: string; readonly branchName: string }>
}

/**
 * @param suggested what a new branch is called unless somebody calls it otherwise
 * @param first the branch that is offered first, if there is one of that id
 */
export function useBranchChoice(agentId: string, suggested: string, first?: string): BranchChoice {
  const { value, error } = useResource(signal => api.listBranches({ agentId }, { signal }), [agentId])
  const open = (value?.branches ?? [])
    .filter(({ isMain }) => !isMain)
    .toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt))
  const [chosen, choose] = useState<string | null>(null)
  const [name, call] = useState(suggested)
  const offered = open.find(one => one.branchId === first) ?? open[0]
  const branchId = chosen ?? offered?.branchId ?? NEW
  return {
    isKnown: value !== undefined && (branchId !== NEW || name.trim() !== ''),
    error,
    options: [...open.map(one => [one.branchId, one.branchName] as const), [NEW, say('branch.new')] as const],
    branchId,
    name,
    choose,
    call,
    async provide() {
      const known = open.find(one => one.branchId === branchId)
      if (known !== undefined) return known
      const made = await api.createBranch({ agentId, body: { branchName: name } })
      return { branchId: made.branchId, branchName: name }
    },
  }
}

export function BranchFields({ choice }: { readonly choice: BranchChoice }) {
  return (
    <>
      <Failure error={choice.error} />
      <Select
        label={say('case.on')}
        value={choice.branchId}
        onChange={choice.choose}
        options={choice.options}
      />
      {choice.branchId === NEW && (
        <TextField label={sayCommon('name')} value={choice.name} onChange={choice.call} required />
      )}
    </>
  )
}
