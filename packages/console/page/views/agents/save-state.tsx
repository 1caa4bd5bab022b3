import type { Draft, DraftActs, DraftStatus } from '../../data/autosave.ts'
import type { Fields } from '../../data/rebase.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Sides } from './change-of.tsx'
import { say } from './texts.ts'

/** A draft as the display of its save state needs it. */
export interface SavingDraft {
  readonly status: DraftStatus
  readonly acts: DraftActs
  /** Returns the label of a field. */
  readonly label: (field: string) => string
  /** Returns the value that a field shows. */
  readonly mine: (field: string) => string | boolean
  /** A value of a field as people read it. @default as it is */
  readonly inWords?: (field: string, value: string | boolean) => string | boolean
}

/** Returns a draft as a list of them has it. */
export function savingDraft<Value extends Fields>(
  draft: Draft<Value>,
  label: (field: string) => string,
): SavingDraft {
  return { status: draft, acts: draft, label, mine: field => draft.value[field] ?? '' }
}

const ORDER = ['unsaved', 'saving', 'clash', 'saved'] as const

function Clash({ draft, field }: { readonly draft: SavingDraft; readonly field: string }) {
  const { acts, label, mine, inWords = (_field, value) => value } = draft
  return (
    <div class="change conflict" role="alert">
      <h3>{say('clash.of', { field: label(field) })}</h3>
      <Sides
        before={inWords(field, acts.theirs(field))}
        after={inWords(field, mine(field))}
        names={[say('clash.theirs'), say('clash.mine')]}
      />
      <div class="actions">
        <Button onClick={() => acts.settle(field, 'theirs')}>{say('clash.take')}</Button>
        <Button onClick={() => acts.settle(field, 'mine')}>{say('clash.keep')}</Button>
      </div>
    </div>
  )
}

interface SaveStateProps {
  readonly drafts: readonly SavingDraft[]
}

/**
 * Shows whether all drafts together are saved, with buttons to resolve a problem. It keeps its place, so that nothing
 * jumps.
 */
export function SaveState({ drafts }: SaveStateProps) {
  const failed = drafts.find(({ status }) => status.error !== null)
  const state = ORDER.find(one => drafts.some(({ status }) => status.state === one)) ?? 'saved'
  const last = drafts
    .filter(({ status }) => status.undoable !== null)
    .toSorted((one, other) => (other.status.undoable ?? 0) - (one.status.undoable ?? 0))[0]
  return (
    <div class="save-state">
      <div class="actions">
        <p class="quiet small" role="status">
          {say(state === 'unsaved' && failed === undefined ? 'saving' : state)}
        </p>
        {last !== undefined && (
          <Button icon="undo" kind="bare" onClick={() => last.acts.undo()} label={say('undo.last')}>
            {sayCommon('undo')}
          </Button>
        )}
      </div>
      {failed !== undefined && (
        <>
          <Failure error={failed.status.error} />
          <Button
            icon="refresh"
            onClick={() => {
              for (const { acts } of drafts) acts.flush()
            }}
          >
            {sayCommon('again')}
          </Button>
        </>
      )}
      {drafts.flatMap(draft =>
        draft.status.clashes.map(field => <Clash key={field} draft={draft} field={field} />),
      )}
    </div>
  )
}
