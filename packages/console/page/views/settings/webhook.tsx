import { useEffect, useRef, useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { usePages } from '../../data/pages.ts'
import { useResource } from '../../data/resource.ts'
import { useWritten } from '../../data/written.ts'
import { go, href, route, setQuery } from '../../router.ts'
import { account } from '../../session.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Select } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'
import { Empty, Pending, Time } from '../../ui/parts.tsx'
import { DeliveryState, problemOf } from './delivery.tsx'
import { Secret } from './secret.tsx'
import { say } from './texts.ts'
import { draftOf, type Endpoint, EndpointState, isWhole, WebhookFields } from './webhooks.tsx'

/** Interval at which deliveries are checked, milliseconds. */
const PACE = 3_000

/** Rows of a first page at most. */
const FIRST = 100

const STATUSES = ['pending', 'delivered', 'dead'] as const

/** Shows the deliveries of a webhook, newest first, with their results. */
function Deliveries({ id, times }: { readonly id: string; readonly times: number }) {
  const status = STATUSES.find(one => one === route.value.query.status)
  const pages = usePages(
    async (cursor, signal) => {
      const narrowed = status === undefined ? {} : { status }
      const page = await api.listWebhookDeliveries({ id, ...narrowed, ...cursor }, { signal })
      return { rows: page.deliveries, cursor: page.cursor }
    },
    [id, status, times],
  )
  const latest = useRef(pages)
  latest.current = pages
  useEffect(() => {
    // New deliveries and changes are fetched, unless somebody has scrolled further down.
    const timer = setInterval(() => {
      if (document.visibilityState !== 'hidden' && (pages.rows?.length ?? 0) <= FIRST) latest.current.reload()
    }, PACE)
    return () => clearInterval(timer)
  }, [pages.rows?.length])
  const resend = useAction(async (deliveryId: string) => {
    await api.resendWebhookDelivery({ id, deliveryId })
    pages.reload()
  })
  return (
    <section class="stack" aria-labelledby="deliveries">
      <h2 id="deliveries">{say('deliveries')}</h2>
      <div class="filters">
        <Select
          label={say('state')}
          value={status ?? 'all'}
          onChange={value => setQuery({ status: value === 'all' ? undefined : value })}
          options={(['all', ...STATUSES] as const).map(one => [one, say(one)] as const)}
        />
      </div>
      <Failure error={resend.error} />
      <PagedTable
        pages={pages}
        empty={
          <Empty icon="webhooks" title={say('deliveries.none')}>
            <p>{say('deliveries.none.why')}</p>
          </Empty>
        }
        caption={say('deliveries')}
        keyOf={one => one.id}
        columns={[
          {
            title: say('when'),
            cell: one => (
              <a href={href(['settings', 'webhooks', id, one.id])}>
                <Time at={one.createdAt} />
              </a>
            ),
          },
          { title: say('event'), cell: ({ type }) => type },
          { title: say('state'), cell: one => <DeliveryState {...one} /> },
          { title: say('attempts'), cell: ({ attempts }) => attempts, isNumber: true },
          { title: say('answer'), cell: one => problemOf(one) ?? one.lastStatus },
          {
            title: say('next'),
            cell: ({ nextAttemptAt }) => nextAttemptAt !== null && <Time at={nextAttemptAt} />,
          },
          {
            title: '',
            cell: one =>
              one.status !== 'pending' && (
                <Button
                  icon="refresh"
                  kind="bare"
                  disabled={resend.pending}
                  onClick={() => void resend.start(one.id)}
                >
                  {say('resend')}
                </Button>
              ),
          },
        ]}
      />
    </section>
  )
}

interface ChangeProps {
  readonly endpoint: Endpoint
  readonly onClose: () => void
  readonly onChanged: () => void
}

function Change({ endpoint, onClose, onChanged }: ChangeProps) {
  const written = useWritten(`webhook ${endpoint.id}`, draftOf(endpoint))
  const draft = written.value
  const change = useAction(async () => {
    await api.updateWebhookEndpoint({ id: endpoint.id, body: draft })
    written.sent()
    onChanged()
  })
  return (
    <FormDialog
      title={`${say('change')}: ${endpoint.name}`}
      action={say('save')}
      onClose={onClose}
      onSend={() => void change.start()}
      pending={change.pending}
      error={change.error}
      isIncomplete={!isWhole(draft)}
    >
      <WebhookFields draft={draft} onChange={written.change} />
    </FormDialog>
  )
}

/** Shows a webhook: what goes there, and what became of it. */
export function Webhook({ id }: { readonly id: string }) {
  const { value, error, reload } = useResource(
    signal => api.readWebhookEndpoint({ id }, { signal }),
    [id, account.value?.id],
  )
  const [asked, setAsked] = useState<'change' | 'rotate' | 'delete' | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const [times, setTimes] = useState(0)
  const close = () => setAsked(null)
  const test = useAction(async () => {
    await api.testWebhookEndpoint({ id })
    setTimes(count => count + 1)
  })
  const name = value?.name || id
  return (
    <Page
      title={name}
      trail={[
        [say('title'), href(['settings'])],
        [say('webhooks'), href(['settings', 'webhooks'])],
      ]}
      actions={
        value !== undefined && (
          <>
            <Button icon="play" onClick={() => void test.start()} disabled={test.pending}>
              {say('webhook.test')}
            </Button>
            <Button icon="edit" onClick={() => setAsked('change')}>
              {say('change')}
            </Button>
            <Button icon="refresh" onClick={() => setAsked('rotate')}>
              {say('webhook.rotate')}
            </Button>
            <Button icon="delete" kind="danger" onClick={() => setAsked('delete')}>
              {sayCommon('delete')}
            </Button>
          </>
        )
      }
    >
      <Failure error={error} again={reload} />
      <Failure error={test.error} />
      {value === undefined && error === null && <Pending />}
      {value !== undefined && (
        <div class="stack">
          <Facts>
            <Fact name={say('state')}>
              <EndpointState {...value} />
            </Fact>
            <Fact name={say('url')}>{value.url}</Fact>
            <Fact name={say('events')}>{value.event_types.join(', ')}</Fact>
          </Facts>
          <Deliveries id={id} times={times} />
        </div>
      )}
      {value !== undefined && asked === 'change' && (
        <Change
          endpoint={value}
          onClose={close}
          onChanged={() => {
            close()
            reload()
          }}
        />
      )}
      {asked === 'rotate' && (
        <Confirm
          title={say('webhook.rotate.title', { name })}
          why={say('webhook.rotate.why')}
          action={say('webhook.rotate')}
          onClose={close}
          run={async () => setSecret((await api.rotateWebhookSecret({ id, body: {} })).signing_secret)}
          onDone={close}
        />
      )}
      {asked === 'delete' && (
        <Confirm
          title={say('webhook.delete.title', { name })}
          why={say('webhook.delete.why')}
          action={sayCommon('delete')}
          onClose={close}
          run={() => api.deleteWebhookEndpoint({ id })}
          onDone={() => go(['settings', 'webhooks'])}
        />
      )}
      {secret !== null && (
        <Secret
          isReadable
          title={say('webhook.secret', { name })}
          secret={secret}
          onClose={() => setSecret(null)}
        />
      )}
    </Page>
  )
}
