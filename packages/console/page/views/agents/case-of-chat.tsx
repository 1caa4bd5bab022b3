import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { useResource } from '../../data/resource.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { say } from './texts.ts'

/** What a turn of a debug chat was, as far as a test case needs it. */
export interface SaidTurn {
  readonly text: string
  readonly reply: string
  readonly citedTopic: string
}

/** Longest text that an answer may be expected to have, characters. */
const LONGEST = 1_000

/** The turns of a test case that passes where the agent does again what it did. */
const turnsOf = (said: readonly SaidTurn[]) =>
  said.map(({ text, reply, citedTopic }) => ({
    text,
    expectations: {
      ...(citedTopic === '' ? {} : { citedTopic }),
      ...(citedTopic === '' && reply !== '' ? { contains: [reply.slice(0, LONGEST)] } : {}),
    },
  }))

interface CaseOfChatProps {
  readonly agentId: string
  /** The branch that is offered first, where there is one of that id. */
  readonly branchId: string
  readonly said: readonly SaidTurn[]
  readonly onClose: () => void
  readonly onMade: (branch: string) => void
}

/** Asks for a name and a branch, and makes a test case of what was said. */
export function CaseOfChat({ agentId, branchId: talked, said, onClose, onMade }: CaseOfChatProps) {
  const { value, error } = useResource(signal => api.listBranches({ agentId }, { signal }), [agentId])
  const branches = value?.branches.filter(({ isMain }) => !isMain) ?? []
  const [name, setName] = useState(said[0]?.text.slice(0, 100) ?? '')
  const [chosen, setChosen] = useState(talked)
  const branch = branches.find(({ branchId }) => branchId === chosen) ?? branches[0]
  const create = useAction(async () => {
    if (branch === undefined) return
    const { branchId, branchName } = branch
    await api.createTestCase({ agentId, branchId, body: { name, turns: turnsOf(said) } })
    onMade(branchName)
  })
  return (
    <FormDialog
      title={say('case.of-chat')}
      action={sayCommon('create')}
      onClose={onClose}
      onSend={() => void create.start()}
      pending={create.pending}
      error={create.error}
      isIncomplete={branch === undefined || name.trim() === ''}
    >
      <Failure error={error} />
      {value !== undefined && branches.length === 0 ? (
        <p>{say('case.no-branch')}</p>
      ) : (
        <>
          <TextField label={sayCommon('name')} value={name} onChange={setName} autofocus required />
          <Select
            label={say('case.on')}
            value={branch?.branchId ?? ''}
            onChange={setChosen}
            options={branches.map(one => [one.branchId, one.branchName] as const)}
          />
        </>
      )}
    </FormDialog>
  )
}
