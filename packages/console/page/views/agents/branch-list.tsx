import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { useResource } from '../../data/resource.ts'
import { useWritten } from '../../data/written.ts'
import { go, href, route, setQuery } from '../../router.ts'
import { may } from '../../session.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { TextField } from '../../ui/field.tsx'
import { Badge, Pending, Table, Time } from '../../ui/parts.tsx'
import { say } from './texts.ts'

function NewBranch({ agentId, onClose }: { readonly agentId: string; readonly onClose: () => void }) {
  const written = useWritten(`${agentId} new branch`, { branchName: '' })
  const { branchName } = written.value
  const create = useAction(async () => {
    const { branchId } = await api.createBranch({ agentId, body: { branchName } })
    written.sent()
    go(['agents', agentId, 'branches', branchId])
  })
  return (
    <FormDialog
      title={say('branch.new')}
      action={sayCommon('create')}
      onClose={onClose}
      onSend={() => void create.start()}
      pending={create.pending}
      error={create.error}
      isIncomplete={branchName.trim() === ''}
    >
      <TextField
        label={sayCommon('name')}
        hint={say('branch.hint')}
        value={branchName}
        onChange={text => written.change({ branchName: text })}
        autofocus
        required
      />
    </FormDialog>
  )
}

/** Shows the branches of an agent, main first. */
export function BranchList({ agentId }: { readonly agentId: string }) {
  const { value, error, reload } = useResource(signal => api.listBranches({ agentId }, { signal }), [agentId])
  const [isMaking, setMaking] = useState(false)
  // A person who comes to change the agent starts its first branch at once, or continues with an existing one.
  const isFirst = may('author') && route.value.query.new === 'first' && value?.branches.length === 1
  const close = (): void => {
    setQuery({ new: undefined })
    setMaking(false)
  }
  const branches = value?.branches.toSorted(
    (one, other) => Number(other.isMain) - Number(one.isMain) || other.updatedAt.localeCompare(one.updatedAt),
  )
  return (
    <section class="stack">
      {may('author') && (
        <div class="actions">
          <Button icon="branch" kind="main" onClick={() => setMaking(true)}>
            {say('branch.new')}
          </Button>
          <span class="quiet">{say('branch.hint')}</span>
        </div>
      )}
      <Failure error={error} again={reload} />
      {branches === undefined && error === null && <Pending />}
      {branches !== undefined && (
        <Table
          caption={say('branches')}
          rows={branches}
          keyOf={({ branchId }) => branchId}
          columns={[
            {
              title: say('branch'),
              cell: ({ branchId, branchName, isMain }) => (
                <>
                  <a href={href(['agents', agentId, 'branches', branchId])}>{branchName}</a>{' '}
                  {isMain && <Badge tone="accent">{say('branch.main')}</Badge>}
                </>
              ),
            },
            { title: say('changed'), cell: ({ updatedAt }) => <Time at={updatedAt} /> },
            { title: say('created'), cell: ({ createdAt }) => <Time at={createdAt} /> },
          ]}
        />
      )}
      {(isMaking || isFirst) && <NewBranch agentId={agentId} onClose={close} />}
    </section>
  )
}
