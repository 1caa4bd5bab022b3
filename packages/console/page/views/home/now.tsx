import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { api, askConsole } from '../../api.ts'
import { useWatched } from '../../data/watched.ts'
import { waited } from '../../moments.ts'
import { href } from '../../router.ts'
import { may } from '../../session.ts'
import { Failure } from '../../ui/failure.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { say } from './texts.ts'

/** Interval at which each of them is read again, milliseconds. */
const PACE = 10_000

/** Conversations in progress that are counted; of more the card says that there are more. */
const MOST = 200

interface CardProps {
  readonly icon: IconName
  readonly title: string
  readonly href: string
  /** Undefined until it is known. */
  readonly figure: string | undefined
  readonly tone?: 'plain' | 'good' | 'warn' | 'bad'
  readonly children: ComponentChildren
}

/** A figure of this moment, which leads to its list. */
function Card({ icon, title, href, figure, tone = 'plain', children }: CardProps) {
  return (
    <a class={`tile ${tone}`} href={href}>
      <span class="tile-name">
        <Icon name={icon} />
        {title}
      </span>
      <span class="figure">{figure ?? '–'}</span>
      <span class="quiet small">{children}</span>
    </a>
  )
}

function Waiting() {
  const { value, error } = useWatched(signal => api.listHandoffs({ status: 'waiting' }, { signal }), [], PACE)
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const handoffs = value?.handoffs
  const longest = handoffs
    ?.map(({ waiting_since }) => waiting_since)
    .sort()
    .at(0)
  return (
    <>
      <Card
        icon="desk"
        title={say('waiting')}
        href={href(['desk'])}
        figure={handoffs === undefined ? undefined : String(handoffs.length)}
        tone={longest === undefined ? 'plain' : 'warn'}
      >
        {longest === undefined
          ? handoffs !== undefined && say('waiting.none')
          : say('waiting.longest', { time: waited(longest, now) })}
      </Card>
      <Failure error={error} />
    </>
  )
}

function Firing() {
  const { value, error } = useWatched(
    async signal => (await api.listAlertRules({}, { signal })).data,
    [],
    PACE,
  )
  const firing = value?.filter(({ current_state: state }) => state === 'alert')
  const isOff = value?.some(({ enabled }) => enabled) === false
  return (
    <>
      <Card
        icon="alerts"
        title={say('firing')}
        href={href(['alerts'])}
        figure={firing === undefined ? undefined : String(firing.length)}
        tone={firing === undefined || firing.length === 0 ? 'plain' : 'bad'}
      >
        {firing?.length === 0
          ? say(isOff ? 'firing.off' : 'firing.none')
          : firing?.map(({ name }) => name).join(', ')}
      </Card>
      <Failure error={error} />
    </>
  )
}

interface NowProps {
  readonly accountId: string
  readonly agentId: string
  /** Name of the agent, if there are several. */
  readonly agentName: string | undefined
}

function Running({ accountId, agentId, agentName }: NowProps) {
  const { value, error } = useWatched(
    async signal => {
      const path = [accountId, agentId, 'conversations'].map(encodeURIComponent).join('/')
      const query = `client_env=live&in_progress=true&limit=${MOST}`
      const page = await askConsole(`/console/v1/${path}?${query}`, signal)
      return page as { readonly conversations: readonly unknown[]; readonly cursor: string | null }
    },
    [accountId, agentId],
    PACE,
  )
  const count = value?.conversations.length
  return (
    <>
      <Card
        icon="conversations"
        title={say('running')}
        href={href(['conversations', agentId], { state: 'running' })}
        figure={
          count === undefined ? undefined : value?.cursor == null ? String(count) : say('more', { count })
        }
      >
        {agentName ?? say('running.live')}
      </Card>
      <Failure error={error} />
    </>
  )
}

/** Shows who waits, what fires, and what is in progress, each with a way to its list. Reads them again at a pace. */
export const Now = (props: NowProps) => (
  <section aria-label={say('now')} class="tiles">
    {may('desk') && <Waiting />}
    <Firing />
    <Running {...props} />
  </section>
)
