import { isApiError } from '@colloquy/client/http'
import { wordsOf } from '../api.ts'
import { say } from '../texts/common.ts'
import { Button } from './button.tsx'

const sentenceOf = (error: unknown): string => {
  if (!isApiError(error)) return error instanceof Error ? error.message : say('failed')
  if (error.status === 403) return say('failed.role')
  return error.status === 0 ? say('failed.network') : (wordsOf(error) ?? say('failed'))
}

/** What went wrong, in the server's words where it has some, and what to do. */
export function Failure({ error, again }: { readonly error: unknown; readonly again?: () => void }) {
  if (error === null || error === undefined) return null
  const reference = isApiError(error) ? error.correlationId : null
  return (
    <div class="failure" role="alert">
      <p>{sentenceOf(error)}</p>
      {reference !== null && <p class="quiet small">{say('reference', { id: reference })}</p>}
      {again !== undefined && <Button onClick={again}>{say('again')}</Button>}
    </div>
  )
}
