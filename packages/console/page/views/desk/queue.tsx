import type { Handoff } from '@colloquy/client/http'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { waited } from '../../moments.ts'
import { href } from '../../router.ts'
import { visitorName } from '../../texts/visitors.ts'
import { VisitorAvatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/parts.tsx'
import { useShownFor } from '../../ui/shown-for.ts'
import { desk } from './desk-session.ts'
import { say } from './texts.ts'
import { say as sayWho } from './who-texts.ts'

/** The time now, each second. */
function useNow(): number {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** Returns the visitor's name, if it is known, or one made of the session's id. */
export const nameOf = ({ visitor, session_id }: Handoff): string => visitorName(session_id, visitor?.name)

/** Time within which a visitor who goes on to the next page is back, milliseconds. */
const PAGE_CHANGE = 4_000

const Lost = () => (useShownFor(PAGE_CHANGE) ? <Badge>{say('away')}</Badge> : null)

/** Reports whether a visitor has no connection any more. */
const Away = ({ id }: { readonly id: string }) => (desk.value.away.has(id) ? <Lost /> : null)

/** To whom a waiting visitor is offered, and for how long. */
function Offered({ handoff: { offered_to: to }, now }: { readonly handoff: Handoff; readonly now: number }) {
  if (to === undefined) return null
  const isMine = to.id === desk.value.me
  const left = waited(new Date(now).toISOString(), Date.parse(to.until))
  return (
    <span class="desk-offer small">
      <Badge tone={isMine ? 'accent' : 'plain'}>
        {isMine ? say('offered.me', { time: left }) : say('offered.to', { name: to.name, time: left })}
      </Badge>
    </span>
  )
}

/** Above a conversation: who it is with, and whether they are there. */
export function Name({ handoff }: { readonly handoff: Handoff }) {
  return (
    <div class="named" role="status">
      <VisitorAvatar id={handoff.session_id} name={handoff.visitor?.name} />
      <h2>{nameOf(handoff)}</h2>
      <Away id={handoff.handoff_id} />
    </div>
  )
}

/** The queue of accounts that have named none: its name says nothing. */
const DEFAULT_QUEUE = 'default'

interface EntryProps {
  readonly handoff: Handoff
  readonly isCurrent: boolean
  readonly now: number
}

function Entry({ handoff, isCurrent, now }: EntryProps) {
  const { handoff_id: id, status, waiting_since, queue_name, reason, agent, last_line } = handoff
  const talk = desk.value.talks.get(id)
  const about = [queue_name, reason].filter(part => part !== '' && part !== DEFAULT_QUEUE).join(' · ')
  return (
    <li>
      <a class="desk-entry" href={href(['desk', id])} aria-current={isCurrent ? 'true' : undefined}>
        <VisitorAvatar id={handoff.session_id} name={handoff.visitor?.name} />
        <span class="desk-name">{nameOf(handoff)}</span>
        {status !== 'active' && (
          <span class="desk-time quiet" title={say('waits-for', { time: waited(waiting_since, now) })}>
            {waited(waiting_since, now)}
          </span>
        )}
        {talk !== undefined && talk.unread > 0 && (
          <Badge tone="accent">{say('unread', { count: talk.unread })}</Badge>
        )}
        {status !== 'active' && <Offered handoff={handoff} now={now} />}
        <span class="desk-about quiet small">
          {talk === undefined && agent !== undefined ? say('with', { name: agent.name }) : about}
        </span>
        {last_line !== undefined && status !== 'active' && (
          <span class="desk-last small" title={last_line.text}>
            <span class="unseen">{sayWho('last')}: </span>
            {last_line.text}
          </span>
        )}
        <Away id={id} />
      </a>
    </li>
  )
}

interface QueueProps {
  readonly title: string
  readonly empty: string
  readonly handoffs: readonly Handoff[]
  readonly current: string | undefined
  readonly children?: ComponentChildren
}

/** Visitors below each other, each with a way to its conversation. */
export function Queue({ title, empty, handoffs, current, children }: QueueProps) {
  const now = useNow()
  return (
    <section class="stack tight" aria-label={title}>
      <div class="actions apart">
        <h2>
          {title} {handoffs.length > 0 && <span class="count">{handoffs.length}</span>}
        </h2>
        {children}
      </div>
      {handoffs.length === 0 ? (
        <p class="quiet small">{empty}</p>
      ) : (
        <ul class="desk-queue">
          {handoffs.map(handoff => (
            <Entry
              key={handoff.handoff_id}
              handoff={handoff}
              isCurrent={handoff.handoff_id === current}
              now={now}
            />
          ))}
        </ul>
      )}
    </section>
  )
}
