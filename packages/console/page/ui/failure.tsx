import { isApiError } from '@colloquy/client/http'
import { wordsOf } from '../api.ts'
import { reasonOf } from '../data/reason.ts'
import { say } from '../texts/common.ts'
import { say as sayFailure } from '../texts/failures.ts'
import { Button } from './button.tsx'

/** What the server said, in its own words, for who looks into it; open where it is about a schema of the author's. */
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
      <Details error={error} isOpen={reason === 'not-in-schema' || reason === 'no-schema'} />
      {again !== undefined && <Button onClick={again}>{say('again')}</Button>}
    </div>
  )
}
