import type { Draft } from '../../data/autosave.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { say } from './texts.ts'

type Shown = Pick<Draft<unknown>, 'state' | 'error' | 'flush'>

/** Whether what was written is saved, of all drafts together; it holds its place, so that nothing jumps. */
export function SaveState({ drafts }: { readonly drafts: readonly Shown[] }) {
  const failed = drafts.find(({ error }) => error !== null)
  const states = drafts.map(({ state }) => state)
  const state = states.includes('unsaved') ? 'unsaved' : states.includes('saving') ? 'saving' : 'saved'
  return (
    <div class="save-state">
      <p class="quiet small" role="status">
        {say(state === 'unsaved' && failed === undefined ? 'saving' : state)}
      </p>
      {failed !== undefined && (
        <>
          <Failure error={failed.error} />
          <Button
            onClick={() => {
              for (const { flush } of drafts) flush()
            }}
          >
            {sayCommon('again')}
          </Button>
        </>
      )}
    </div>
  )
}
