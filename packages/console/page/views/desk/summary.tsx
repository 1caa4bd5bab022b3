import type { DeskSummary } from '@colloquy/client/http'
import { useAction } from '../../data/action.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Badge } from '../../ui/parts.tsx'
import { say } from './assist-texts.ts'
import { summarizeAgain } from './desk-session.ts'

interface SummaryProps {
  readonly id: string
  readonly summary: DeskSummary
}

/** Shows the summary that a model made at the handoff, above the conversation. Failures may be tried again. */
export function Summary({ id, summary: { failure, status, text } }: SummaryProps) {
  const trying = useAction(() => summarizeAgain(id))
  return (
    <details class="desk-summary" open>
      <summary>
        <b>{say('summary')}</b> <Badge tone="accent">{say('model')}</Badge>
      </summary>
      {status === 'done' && (
        <>
          <p class="desk-summary-text">{text}</p>
          <p class="quiet small">{say('summary.why')}</p>
        </>
      )}
      {status === 'pending' && (
        <p class="quiet" role="status">
          {say('pending')}
        </p>
      )}
      {status === 'failed' && (
        <div class="actions apart">
          <p class="fault">{say(failure ?? 'failed')}</p>
          <Button icon="refresh" disabled={trying.pending} onClick={() => void trying.start()}>
            {say('again')}
          </Button>
        </div>
      )}
      <Failure error={trying.error} />
    </details>
  )
}
