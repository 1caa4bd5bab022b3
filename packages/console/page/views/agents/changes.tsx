import { isApiError } from '@colloquy/client/http'
import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { useResource } from '../../data/resource.ts'
import { href } from '../../router.ts'
import { may } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { TextField } from '../../ui/field.tsx'
import { Empty, Pending } from '../../ui/parts.tsx'
import { type Change, ChangeOf } from './change-of.tsx'
import { say } from './texts.ts'

type Strategy = 'ours' | 'theirs'

const keyOf = (path: readonly string[]): string => path.join('\u0000')

/** A conflict as it was seen: what was chosen for other values does not count. */
const seenAs = ({ path, oursValue, theirsValue }: Change): string =>
  JSON.stringify([path, oursValue, theirsValue])

interface MergeProps {
  readonly agentId: string
  readonly branchId: string
  readonly resolutions: readonly { readonly path: readonly string[]; readonly strategy: Strategy }[]
  readonly onClose: () => void
  readonly onMerged: (version: string) => void
  readonly onConflicts: () => void
}

function MergeDialog({ agentId, branchId, resolutions, onClose, onMerged, onConflicts }: MergeProps) {
  const [deploymentMessage, setMessage] = useState('')
  const merge = useAction(async () => {
    try {
      const { sequence } = await api.mergeBranch({
        agentId,
        branchId,
        body: { deploymentMessage, conflictResolutions: resolutions },
      })
      onMerged(sequence)
    } catch (error) {
      // main was changed meanwhile: what is shown is read again.
      if (isApiError(error) && error.status === 409) onConflicts()
      throw error
    }
  })
  return (
    <FormDialog
      title={say('merge.title')}
      action={say('merge')}
      onClose={onClose}
      onSend={() => void merge.start()}
      pending={merge.pending}
      error={merge.error}
    >
      <p>{say('merge.why')}</p>
      <TextField
        label={say('message')}
        hint={say('message.hint')}
        value={deploymentMessage}
        onChange={setMessage}
      />
    </FormDialog>
  )
}

/** How a branch differs from main; conflicts are resolved where they stand, and it is merged. */
export function Changes({ agentId, branchId }: { readonly agentId: string; readonly branchId: string }) {
  const { value, error, reload } = useResource(
    signal => api.diffBranch({ agentId, branchId }, { signal }),
    [agentId, branchId],
  )
  const [taken, setTaken] = useState<ReadonlyMap<string, Strategy>>(new Map())
  const [isMerging, setMerging] = useState(false)
  const [merged, setMerged] = useState<string | null>(null)
  if (value === undefined) return error === null ? <Pending /> : <Failure error={error} again={reload} />
  const { changes, conflicts } = value
  const inConflict = new Set(conflicts.map(({ path }) => keyOf(path)))
  const resolutions = conflicts.flatMap(conflict => {
    const strategy = taken.get(seenAs(conflict))
    return strategy === undefined ? [] : [{ path: conflict.path, strategy }]
  })
  const open = conflicts.length - resolutions.length
  const sides = [say('changes.before'), say('changes.after')] as const
  if (merged !== null)
    return (
      <Empty title={say('merged', { version: merged })}>
        <a class="button" href={href(['agents', agentId])}>
          {say('releases')}
        </a>
      </Empty>
    )
  if (changes.length === 0)
    return (
      <Empty title={say('changes.none')}>
        <p>{say('changes.none.why')}</p>
      </Empty>
    )
  return (
    <section class="stack">
      {may('releaser') && (
        <div class="actions">
          <Button kind="main" disabled={open > 0} onClick={() => setMerging(true)}>
            {say('merge')}
          </Button>
          {open > 0 && (
            <span class="fault" role="status">
              {say('merge.open', { count: open })}
            </span>
          )}
        </div>
      )}
      {conflicts.length > 0 && <h2>{say('merge.conflicts', { count: conflicts.length })}</h2>}
      {conflicts.map(change => (
        <ChangeOf
          key={keyOf(change.path)}
          change={change}
          sides={sides}
          conflict={(['ours', 'theirs'] as const).map(strategy => (
            <Button
              key={strategy}
              pressed={taken.get(seenAs(change)) === strategy}
              onClick={() => setTaken(before => new Map(before).set(seenAs(change), strategy))}
            >
              {say(strategy === 'ours' ? 'take.main' : 'take.branch')}
            </Button>
          ))}
        />
      ))}
      {changes
        .filter(({ path }) => !inConflict.has(keyOf(path)))
        .map(change => (
          <ChangeOf key={keyOf(change.path)} change={change} sides={sides} />
        ))}
      {isMerging && (
        <MergeDialog
          agentId={agentId}
          branchId={branchId}
          resolutions={resolutions}
          onClose={() => setMerging(false)}
          onMerged={setMerged}
          onConflicts={reload}
        />
      )}
    </section>
  )
}
