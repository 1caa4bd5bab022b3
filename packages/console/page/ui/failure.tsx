import { isApiError } from '@colloquy/client/http'
import { reasonOf } from '../data/reason.ts'
import { say } from '../texts/common.ts'
import { say as sayFailure } from '../texts/failures.ts'
import { Button } from './button.tsx'

/** Shows the inputs that a failure is about, if the server names them. */
function About({ body }: { readonly body: unknown }) {
  const about: unknown = Object(body).about
  if (!Array.isArray(about) || about.length === 0) return null
  return (
    <ul>
      {about.map(String).map(one => (
        <li key={one}>
          <code>{one}</code>
        </li>
      ))}
    </ul>
  )
}

/** Shows the code and reference for troubleshooting. */
function Details({ code, correlationId }: { readonly code: string; readonly correlationId: string | null }) {
  return (
    <details class="quiet small">
      <summary>{sayFailure('details')}</summary>
      <p>{sayFailure('code', { code })}</p>
      {correlationId !== null && <p>{sayFailure('reference', { id: correlationId })}</p>}
    </details>
  )
}

/** Shows a failure and its remedy, in the words of the page. */
export function Failure({ error, again }: { readonly error: unknown; readonly again?: () => void }) {
  if (error === null || error === undefined) return null
  const told = isApiError(error) ? error : null
  return (
    <div class="failure" role="alert">
      <p>{sayFailure(told === null ? 'failed' : reasonOf(told.code, told.status))}</p>
      {told !== null && <About body={told.body} />}
      {told !== null && told.status > 0 && <Details {...told} />}
      {again !== undefined && (
        <Button icon="refresh" onClick={again}>
          {say('again')}
        </Button>
      )}
    </div>
  )
}
