import type { DeskVisitor, Handoff } from '@colloquy/client/http'
import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useResource } from '../../data/resource.ts'
import { href } from '../../router.ts'
import { may } from '../../session.ts'
import { say as sayCommon } from '../../texts/common.ts'
import { locale } from '../../texts/language.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Badge, Pending, Time } from '../../ui/parts.tsx'
import { factsOf, languageName } from './facts-of.ts'
import { nameOf } from './queue.tsx'
import { say } from './who-texts.ts'

type Known = DeskVisitor

const deviceText = ({ browser, kind, system }: NonNullable<Known['device']>): string =>
  [browser, system, say(`device.${kind}`)].filter(part => part !== null).join(' · ')

/** Text alone and no link: the visitor's browser has said it. */
const Page = ({ title, url }: NonNullable<Known['page']>) => (
  <>
    {title !== '' && <span class="who-title">{title}</span>}
    <span class="quiet small who-address">{url}</span>
  </>
)

function FromHost({ visitor }: { readonly visitor: Known }) {
  const facts = factsOf(visitor)
  if (facts.length === 0) return null
  return (
    <>
      <h3>{say('attributes')}</h3>
      <Facts>
        {facts.map(({ name, text, isVerified }) => (
          <Fact key={name} name={name}>
            {text} {isVerified && <Badge tone="good">{say('verified')}</Badge>}
          </Fact>
        ))}
      </Facts>
    </>
  )
}

function Earlier({ earlier }: Pick<Known, 'earlier'>) {
  if (earlier.length === 0) return null
  return (
    <>
      <h3>{say('earlier')}</h3>
      <ul class="who-earlier">
        {earlier.map(one => (
          <li class="who-talk" key={`${one.project_id} ${one.conversation_id}`}>
            {may('reader') ? (
              <a href={href(['conversations', one.project_id, one.conversation_id])}>
                <Time at={one.started_at} />
              </a>
            ) : (
              <Time at={one.started_at} />
            )}
            {one.ended_at === null && <Badge tone="good">{say('running')}</Badge>}
            {one.score !== null && <span class="quiet small">{say('score', { score: one.score })}</span>}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Shows what is known of a visitor: who they are, where they come from, and when they were here before. */
export function Who({
  handoff,
  isTitled = true,
}: {
  readonly handoff: Handoff
  readonly isTitled?: boolean
}) {
  const { handoff_id: id } = handoff
  const { value, error, reload } = useResource(signal => api.readHandoffVisitor({ id }, { signal }), [id])
  return (
    <section class="who stack tight" aria-label={say('title')}>
      {isTitled && <h2>{say('title')}</h2>}
      <Failure error={error} again={reload} />
      {value === undefined && error === null && <Pending />}
      {value !== undefined && (
        <>
          <Facts>
            <Fact name={say('name')}>{nameOf(handoff)}</Fact>
            {value.page !== null && (
              <Fact name={say('page')}>
                <Page {...value.page} />
              </Fact>
            )}
            {value.language !== null && (
              <Fact name={say('language')}>{languageName(value.language, locale())}</Fact>
            )}
            {value.device !== null && <Fact name={say('device')}>{deviceText(value.device)}</Fact>}
            <Fact name={say('since')}>
              <Time at={handoff.waiting_since} isShort />
            </Fact>
            {value.rating !== null && (
              <Fact name={say('rating')}>
                {say('score', { score: value.rating.score })}
                {value.rating.comment !== '' && <span class="who-title quiet">{value.rating.comment}</span>}
              </Fact>
            )}
          </Facts>
          <FromHost visitor={value} />
          <Earlier earlier={value.earlier} />
        </>
      )}
    </section>
  )
}

const wide = matchMedia('(min-width: 76.01rem)')

/** Whether there is room beside a conversation. */
export const isWide = signal(wide.matches)
wide.addEventListener('change', ({ matches }) => {
  isWide.value = matches
})

/** A button that shows the same over the conversation, where there is no room beside it. */
export function WhoButton({ handoff }: { readonly handoff: Handoff }) {
  const [isOpen, setOpen] = useState(false)
  if (isWide.value) return null
  return (
    <>
      <Button icon="account" onClick={() => setOpen(true)}>
        {say('title')}
      </Button>
      {isOpen && (
        <Dialog title={say('open')} onClose={() => setOpen(false)}>
          <Who handoff={handoff} isTitled={false} />
          <div class="actions">
            <Button onClick={() => setOpen(false)}>{sayCommon('close')}</Button>
          </div>
        </Dialog>
      )}
    </>
  )
}
