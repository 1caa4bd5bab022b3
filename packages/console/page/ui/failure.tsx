import { isApiError } from '@colloquy/client/http'
import { wordsOf } from '../api.ts'
import { reasonOf } from '../data/reason.ts'
import { say } from '../texts/common.ts'
import { type Reason, say as sayFailure } from '../texts/failures.ts'
import { Button } from './button.tsx'

/** Where only what the server said names which of many values it is about. */
const NAMES_WHAT: readonly Reason[] = ['not-in-schema', 'no-schema', 'number-format', 'number-taken']

/** What the server said, in its own words, for who looks into it. */
function Details({ error, isOpen }: { readonly error: unknown; readonly isOpen: boolean }) {
  const words = wordsOf(error)
  if (!isApiError(error) || words === null) return null
  return (
    <details class="quiet small" open={isOpen}>
      <summary>{sayFailure('details')}</summary>
      <p lang="en">
        {error.code}: {words}
      </p>
      {error.correlationId !== null && <p>{sayFailure('reference', { id: error.correlationId })}</p>}
    </details>
  )
}

/** What went wrong and what to do, in the words of the page. */
export function Failure({ error, again }: { readonly error: unknown; readonly again?: () => void }) {
  if (error === null || error === undefined) return null
  const reason = isApiError(error) ? reasonOf(error.code, error.status) : 'failed'
  return (
    <div class="failure" role="alert">
      <p>{sayFailure(reason)}</p>
      <Details error={error} isOpen={NAMES_WHAT.includes(reason)} />
      {again !== undefined && <Button onClick={again}>{say('again')}</Button>}
    </div>
  )
}
