import type { WebhookDelivery, WebhookDeliveryDetail } from '@colloquy/client/http'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { useResource } from '../../data/resource.ts'
import { useWatched } from '../../data/watched.ts'
import { href } from '../../router.ts'
import { account } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Page } from '../../ui/page.tsx'
import { Badge, Pending, Time } from '../../ui/parts.tsx'
import { say } from './texts.ts'

const TONES = { pending: 'accent', delivered: 'good', dead: 'bad' } as const

/** Shows the status of a delivery. */
export const DeliveryState = ({ status }: Pick<WebhookDelivery, 'status'>) => (
  <Badge tone={TONES[status]}>{say(status)}</Badge>
)

/** Returns the problem of the last attempt; null if there was none. */
export function problemOf({
  lastError,
  lastStatus: status,
}: Pick<WebhookDelivery, 'lastError' | 'lastStatus'>) {
  if (lastError === null) return null
  if (status === null) return say('answer.none')
  return say(status >= 300 && status < 400 ? 'answer.redirect' : 'answer.other', { status })
}

/** Interval at which a delivery is checked, milliseconds. */
const PACE = 3_000

/** JSON in lines; anything else as it is. */
function inLines(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Shows a message between two programs, as text. A long one scrolls. */
function Told({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div class="stack tight">
      <h3 class="quiet small">{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="told" tabIndex={0} aria-label={title}>
        <pre dir="auto">{text}</pre>
      </section>
    </div>
  )
}

function Sent({ sent, lastAttemptAt }: WebhookDeliveryDetail) {
  const { url, at, headers, body } = sent
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <section class="stack" aria-labelledby="sent">
      <h2 id="sent">{say('sent')}</h2>
      {lastAttemptAt === null && <p class="quiet">{say('sent.not-yet')}</p>}
      {(url !== null || at !== null) && (
        <Facts>
          {url !== null && <Fact name={say('url')}>{url}</Fact>}
          {at !== null && (
            <Fact name={say('sent.at')}>
              <Time at={at} />
            </Fact>
          )}
        </Facts>
      )}
      <Told title={say('sent.headers')} text={lines.join('\n')} />
      <Told title={say('sent.body')} text={inLines(body)} />
    </section>
  )
}

type Body = NonNullable<WebhookDeliveryDetail['answer']>['body']

/** Shows the beginning of an answer. It comes from a stranger, so it is shown as text only. */
function Beginning({ body }: { readonly body: Body }) {
  if (body === null) return <p class="quiet">{say('answered.status-alone')}</p>
  const { bytes, text, isCut } = body
  if (bytes === 0) return <p class="quiet">{say('answered.empty')}</p>
  if (text === null)
    return <p class="quiet">{say(isCut ? 'answered.data.more' : 'answered.data', { count: bytes })}</p>
  return (
    <>
      <Told title={say('sent.body')} text={text} />
      {isCut && <p class="quiet">{say('answered.cut')}</p>}
    </>
  )
}

function Answered({ answer, lastAttemptAt, lastError, lastStatus }: WebhookDeliveryDetail) {
  const problem = problemOf({ lastError, lastStatus })
  return (
    <section class="stack" aria-labelledby="answered">
      <h2 id="answered">{say('answered')}</h2>
      {lastAttemptAt === null && <p class="quiet">{say('answered.not-yet')}</p>}
      {problem !== null && <p>{problem}</p>}
      {answer !== null && (
        <>
          <Facts>
            <Fact name={say('answered.status')}>{answer.status}</Fact>
            {answer.body !== null && (
              <Fact name={say('answered.type')}>{answer.body.contentType ?? say('answered.no-type')}</Fact>
            )}
          </Facts>
          <Beginning body={answer.body} />
        </>
      )}
    </section>
  )
}

interface DeliveryProps {
  /** Id of the webhook. */
  readonly id: string
  readonly deliveryId: string
}

/** Shows a delivery of a webhook: what was sent, or will be, and what the receiver answered last. */
export function Delivery({ id, deliveryId }: DeliveryProps) {
  const keys = [id, deliveryId, account.value?.id]
  const webhook = useResource(signal => api.readWebhookEndpoint({ id }, { signal }), keys)
  const { value, error, reload, refresh } = useWatched(
    signal => api.readWebhookDelivery({ id, deliveryId }, { signal }),
    keys,
    PACE,
  )
  const resend = useAction(async () => {
    await api.resendWebhookDelivery({ id, deliveryId })
    refresh()
  })
  return (
    <Page
      title={value?.type ?? say('delivery')}
      trail={[
        [say('title'), href(['settings'])],
        [say('webhooks'), href(['settings', 'webhooks'])],
        [webhook.value?.name || id, href(['settings', 'webhooks', id])],
      ]}
      actions={
        value !== undefined &&
        value.status !== 'pending' && (
          <Button icon="refresh" disabled={resend.pending} onClick={() => void resend.start()}>
            {say('resend')}
          </Button>
        )
      }
    >
      <Failure error={error} again={reload} />
      <Failure error={resend.error} />
      {value === undefined && error === null && <Pending />}
      {value !== undefined && (
        <div class="stack sections">
          <Facts>
            <Fact name={say('state')}>
              <DeliveryState {...value} />
            </Fact>
            <Fact name={say('when')}>
              <Time at={value.createdAt} />
            </Fact>
            <Fact name={say('attempts')}>{value.attempts}</Fact>
            {value.nextAttemptAt !== null && (
              <Fact name={say('next')}>
                <Time at={value.nextAttemptAt} />
              </Fact>
            )}
            <Fact name={say('id')}>
              <code>{value.eventId}</code>
            </Fact>
          </Facts>
          <Sent {...value} />
          <Answered {...value} />
        </div>
      )}
    </Page>
  )
}
