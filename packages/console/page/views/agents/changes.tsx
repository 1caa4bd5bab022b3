import { isApiError } from '@colloquy/client/http'
import { useEffect, useRef, useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { type Change, type MergePreview, type Resolution, useMergePreview } from '../../data/merge-preview.ts'
import { useResource } from '../../data/resource.ts'
import { useWritten } from '../../data/written.ts'
import { may } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { TextField } from '../../ui/field.tsx'
import { Empty, Pending } from '../../ui/parts.tsx'
import { ChangeOf } from './change-of.tsx'
import { type Choice, Conflict } from './conflict.tsx'
import { Lanes } from './lanes.tsx'
import { Replays } from './replays.tsx'
import { RunTests } from './run-tests.tsx'
import { say } from './texts.ts'

const keyOf = (path: readonly string[]): string => path.join('\u0000')

/** Returns a conflict as it was seen: what was chosen for other values does not count. */
const seenAs = ({ path, oursValue, theirsValue }: Change): string =>
  JSON.stringify([path, oursValue, theirsValue])

const resolutionOf = ({ path }: Change, choice: Choice): Resolution =>
  choice.take === 'own' ? { path, strategy: 'theirs', value: choice.text } : { path, strategy: choice.take }

interface MergeProps {
  readonly agentId: string
  readonly branchId: string
  readonly resolutions: readonly Resolution[]
  /** Preview that was shown when it was opened: nothing else is merged. */
  readonly shown: MergePreview
  readonly onClose: () => void
  readonly onMerged: (version: string) => void
  /** The branch or main is not what was shown. */
  readonly onChanged: (error: unknown) => void
}

function MergeDialog({ agentId, branchId, resolutions, shown, onClose, onMerged, onChanged }: MergeProps) {
  const written = useWritten(`${agentId} ${branchId} merge`, { deploymentMessage: '' })
  const { deploymentMessage } = written.value
  const { branchVersion, mainRevision } = shown
  const merge = useAction(async () => {
    try {
      const { sequence } = await api.mergeBranch({
        agentId,
        branchId,
        body: {
          deploymentMessage,
          conflictResolutions: resolutions,
          expected: { branchVersion, mainRevision },
        },
      })
      written.sent()
      onMerged(sequence)
    } catch (error) {
      if (isApiError(error) && error.status < 500 && error.status > 0) onChanged(error)
      else throw error
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
      <p>
        {say('merge.result.count', { count: shown.changes.length })} {say('merge.why')}
      </p>
      <TextField
        label={say('message')}
        hint={say('message.hint')}
        value={deploymentMessage}
        onChange={text => written.change({ deploymentMessage: text })}
      />
    </FormDialog>
  )
}

/**
 * Conflicts in the order in which they showed: settling some may bring up others, and those that are settled stay in
 * sight.
 */
function shownConflicts(
  first: readonly Change[],
  settled: ReadonlyMap<string, Settled>,
  open: readonly Change[],
) {
  const all = [...first, ...[...settled.values()].map(({ change }) => change), ...open]
  return [...new Map(all.map(change => [seenAs(change), change])).values()]
}

interface Settled {
  readonly change: Change
  readonly choice: Choice
}

/** Chosen resolutions, by branch. They stay while somebody looks something up on another tab. */
const chosen = new Map<string, ReadonlyMap<string, Settled>>()

interface ChangesProps {
  readonly agentId: string
  readonly branchId: string
  /** Grows when somebody else has changed something. */
  readonly changes: number
}

/**
 * Shows the differences between a branch and main. Conflicts are resolved in place, the result is shown, and the branch
 * is merged.
 */
export function Changes({ agentId, branchId, changes: others }: ChangesProps) {
  const { value, error, reload } = useResource(
    signal => api.diffBranch({ agentId, branchId }, { signal }),
    [agentId, branchId],
  )
  const place = `${agentId} ${branchId}`
  const [settled, setSettled] = useState<ReadonlyMap<string, Settled>>(chosen.get(place) ?? new Map())
  useEffect(() => void chosen.set(place, settled), [settled])
  const resolutions = [...settled.values()].map(({ change, choice }) => resolutionOf(change, choice))
  const result = useMergePreview(agentId, branchId, resolutions)
  const [merging, setMerging] = useState<MergePreview | null>(null)
  const [refused, setRefused] = useState<unknown>(null)
  const [merged, setMerged] = useState<string | null>(null)
  // The preview stays until the next one has arrived.
  const last = useRef<MergePreview | undefined>(undefined)
  last.current = result.value ?? last.current
  const preview = last.current
  useEffect(() => {
    if (others === 0) return
    reload()
    result.reload()
  }, [others])
  // Choices apply only to the values that were seen.
  useEffect(() => {
    if (value === undefined) return
    const still = new Set(value.conflicts.map(seenAs))
    setSettled(before =>
      before.size === 0 ? before : new Map([...before].filter(([key]) => still.has(key))),
    )
  }, [value])
  if (merged !== null)
    return (
      <>
        <Empty icon="branch" title={say('merged', { version: merged })}>
          <p>{say('merged.next')}</p>
        </Empty>
        <Lanes agentId={agentId} />
      </>
    )
  if (value === undefined || (preview === undefined && result.error === null))
    return error === null ? <Pending /> : <Failure error={error} again={reload} />
  const again = (): void => {
    reload()
    result.reload()
  }
  if (value.changes.length === 0)
    return (
      <Empty icon="branch" title={say('changes.none')}>
        <p>{say('changes.none.why')}</p>
      </Empty>
    )
  const conflicts = shownConflicts(value.conflicts, settled, preview?.conflicts ?? [])
  const open = conflicts.filter(change => !settled.has(seenAs(change))).length
  const isKnown = result.value !== undefined && !result.pending
  const begin = (shown: MergePreview | undefined): void => {
    setRefused(null)
    setMerging(shown ?? null)
  }
  const choose = (change: Change, choice: Choice): void =>
    setSettled(before => new Map(before).set(seenAs(change), { change, choice }))
  return (
    <section class="stack">
      {conflicts.length > 0 && <h2>{say('merge.conflicts', { count: conflicts.length })}</h2>}
      {conflicts.map(change => (
        <Conflict
          key={seenAs(change)}
          change={change}
          sides={[say('changes.before'), say('changes.after')]}
          choice={settled.get(seenAs(change))?.choice}
          onChoose={choice => choose(change, choice)}
        />
      ))}
      <Failure error={refused} />
      <Failure error={result.error} again={again} />
      <section class="stack" aria-labelledby="result" aria-busy={!isKnown}>
        <h2 id="result">{say('merge.result')}</h2>
        {open > 0 && <p class="quiet">{say('merge.result.open')}</p>}
        {preview?.changes.length === 0 && <p class="quiet">{say('merge.result.none')}</p>}
        {preview?.changes.map(change => (
          <ChangeOf
            key={keyOf(change.path)}
            change={change}
            sides={[say('merge.result.before'), say('merge.result.after')]}
          />
        ))}
      </section>
      <RunTests agentId={agentId} tested={{ branchId }} />
      <Replays agentId={agentId} target={{ branchId }} />
      {may('releaser') && (
        <div class="actions merge-bar">
          <Button
            icon="merge"
            kind="main"
            disabled={open > 0 || !isKnown || result.error !== null}
            onClick={() => begin(preview)}
          >
            {say('merge')}
          </Button>
          <span class={open > 0 ? 'fault' : 'quiet'} role="status">
            {open > 0
              ? say('merge.open', { count: open })
              : say('merge.result.count', { count: preview?.changes.length ?? 0 })}
          </span>
        </div>
      )}
      {merging !== null && (
        <MergeDialog
          agentId={agentId}
          branchId={branchId}
          resolutions={resolutions}
          shown={merging}
          onClose={() => setMerging(null)}
          onMerged={setMerged}
          onChanged={error => {
            setMerging(null)
            setRefused(error)
            again()
          }}
        />
      )}
    </section>
  )
}
