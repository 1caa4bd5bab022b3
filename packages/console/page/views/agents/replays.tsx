import { useEffect, useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useAction } from '../../data/action.ts'
import { useDoers } from '../../data/doers.ts'
import { useResource } from '../../data/resource.ts'
import { useWritten } from '../../data/written.ts'
import { ENVIRONMENTS, type Environment } from '../../environments.ts'
import { href } from '../../router.ts'
import { may } from '../../session.ts'
import { say as sayEnvironment } from '../../texts/environments.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Select, TextArea } from '../../ui/field.tsx'
import { Badge, Pending, Time } from '../../ui/parts.tsx'
import { Sides } from './change-of.tsx'
import { say } from './replay-texts.ts'

/** Interval at which a replay in progress is checked, milliseconds. */
const AGAIN = 1_000

/** The number of turns of a group to show. */
const SHOWN = 20

const SIZES = ['20', '50', '200', '1000'] as const

const MODES = ['recorded_history', 'live_history'] as const

type Replay = Awaited<ReturnType<typeof api.readReplay>>
type Group = Replay['groups'][number]
type Turn = Awaited<ReturnType<typeof api.listReplayTurns>>['turns'][number]

/** The verdicts on turns, the gravest first. */
const VERDICTS = [
  'worse',
  'errored',
  'changed',
  'off_script',
  'not_replayable',
  'better',
  'reworded',
  'same',
] as const

/** The deployment or branch that is asked. */
type Target = { readonly deploymentId: string } | { readonly branchId: string }

const TONES = {
  worse: 'bad',
  errored: 'bad',
  changed: 'warn',
  off_script: 'warn',
  not_replayable: 'plain',
  better: 'good',
  reworded: 'accent',
  same: 'good',
} as const

const counted = (turns: number): string => (turns === 1 ? say('turns.one') : say('turns', { count: turns }))

const topic = (name: string): string => (name === '' ? say('no-topic') : name)

/** One turn, as it was and as it would be. */
function TurnOf({ agentId, turn }: { readonly agentId: string; readonly turn: Turn }) {
  const { conversationId, recorded, reply, judged } = turn
  if (recorded === null) return <li class="quiet">{say('gone')}</li>
  return (
    <li class="stack tight">
      <p class="bubble own">{recorded.userInput === '' ? say('greeting') : recorded.userInput}</p>
      <Sides
        before={recorded.reply}
        after={reply === '' ? say('none-now') : reply}
        names={[say('side.then'), say('side.now')]}
      />
      {judged && <p class="quiet small">{judged.reason}</p>}
      <p>
        <a class="small" href={href(['conversations', agentId, conversationId])}>
          {say('open')}
        </a>
      </p>
    </li>
  )
}

interface GroupProps {
  readonly agentId: string
  readonly replay: Replay
  readonly group: Group
  readonly onAccepted: () => void
}

function Accept({ agentId, replay, group, onAccepted }: GroupProps) {
  const { verdict, reason, from, to } = group
  const written = useWritten(`${agentId} accept ${[verdict, reason, from, to]}`, { why: '' })
  const { why } = written.value
  const accept = useAction(async () => {
    await api.acceptReplayGroup({ agentId, replayId: replay.id, body: { verdict, reason, from, to, why } })
    written.sent()
    onAccepted()
  })
  return (
    <div class="stack tight">
      <TextArea
        label={say('accept.why')}
        value={why}
        onChange={text => written.change({ why: text })}
        rows={2}
      />
      <Failure error={accept.error} />
      <div>
        <Button onClick={() => void accept.start()} disabled={accept.pending || why.trim() === ''}>
          {say('accept')}
        </Button>
      </div>
    </div>
  )
}

function Turns({ agentId, replay, group, onAccepted }: GroupProps) {
  const { verdict, reason, from, to } = group
  const { value, error, reload } = useResource(
    signal =>
      api.listReplayTurns(
        { agentId, replayId: replay.id, verdict, reason, from, to, limit: SHOWN },
        { signal },
      ),
    [agentId, replay.id, verdict, reason, from, to],
  )
  return (
    <div class="stack">
      {value === undefined && error === null && <Pending />}
      <Failure error={error} again={reload} />
      <ol class="turns">
        {value?.turns.map(turn => (
          <TurnOf key={`${turn.conversationId}.${turn.turn}`} agentId={agentId} turn={turn} />
        ))}
      </ol>
      {group.turns > SHOWN && <p class="quiet small">{say('more', { count: SHOWN })}</p>}
      {may('releaser') && replay.status !== 'running' && (
        <Accept agentId={agentId} replay={replay} group={group} onAccepted={onAccepted} />
      )}
    </div>
  )
}

/** Shows turns with the same result. They are loaded when the group is opened. */
function GroupOf(props: GroupProps & { readonly whoIs: (by: string) => string }) {
  const [isOpen, setOpen] = useState(false)
  const { verdict, reason, from, to, turns, accepted } = props.group
  return (
    <details onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>
        <Badge tone={TONES[verdict]}>{say(`verdict.${verdict}`)}</Badge>{' '}
        {from === to ? topic(from) : `${topic(from)} → ${topic(to)}`} · {counted(turns)} ·{' '}
        {say(`reason.${reason}`)}
      </summary>
      {accepted !== null && (
        <p class="quiet small">{say('accepted', { who: props.whoIs(accepted.by), why: accepted.why })}</p>
      )}
      {isOpen && <Turns {...props} />}
    </details>
  )
}

/** Shows the results of a replay. */
function Report({ agentId, replay, onAccepted }: Omit<GroupProps, 'group'>) {
  const { status, verdicts, groups, noise, replayed, erased, conversations, selection } = replay
  const whoIs = useDoers(groups.flatMap(({ accepted }) => accepted?.by ?? []))
  return (
    <>
      {status === 'running' ? (
        <p class="quiet" role="status">
          {say('running', { done: replayed, total: conversations })}
        </p>
      ) : (
        <p class="quiet small">
          {say('finished', { total: conversations, where: sayEnvironment(selection.environment) })}
          <Time at={replay.startedAt} />
        </p>
      )}
      {status === 'errored' && <p class="fault">{say('errored', { error: replay.error ?? '' })}</p>}
      <p>
        {VERDICTS.filter(verdict => verdicts[verdict] > 0).map(verdict => (
          <span key={verdict}>
            <Badge tone={TONES[verdict]}>
              {say(`verdict.${verdict}`)}: {verdicts[verdict]}
            </Badge>{' '}
          </span>
        ))}
      </p>
      {noise.different > 0 && (
        <p class="quiet small">{say('noise', { different: noise.different, turns: noise.turns })}</p>
      )}
      {erased > 0 && <p class="quiet small">{say('erased', { count: erased })}</p>}
      {status === 'finished' && groups.length === 0 && <p>{say('all-same')}</p>}
      {groups.map(group => (
        <GroupOf
          key={[group.verdict, group.reason, group.from, group.to].join('\u0000')}
          agentId={agentId}
          replay={replay}
          group={group}
          whoIs={whoIs}
          onAccepted={onAccepted}
        />
      ))}
    </>
  )
}

interface ReplaysProps {
  readonly agentId: string
  readonly target: Target
}

/** Returns the newest replay with a deployment or branch. Null if there is none. */
async function newestOf(agentId: string, target: Target, signal: AbortSignal): Promise<Replay | null> {
  const { replays } = await api.listReplays({ agentId, ...target, limit: 1 }, { signal })
  const [newest] = replays
  return newest === undefined ? null : api.readReplay({ agentId, replayId: newest.id }, { signal })
}

/** Asks which conversations are replayed, and how. */
function StartReplay(props: ReplaysProps & { readonly isFirst: boolean; readonly onStarted: () => void }) {
  const { agentId, target, isFirst, onStarted } = props
  const [last, setLast] = useState<string>('50')
  const [environment, setEnvironment] = useState<Environment>('live')
  const [mode, setMode] = useState<(typeof MODES)[number]>('recorded_history')
  const start = useAction(async () => {
    await api.startReplay({ agentId, body: { ...target, environment, mode, last: Number(last) } })
    onStarted()
  })
  return (
    <>
      <Failure error={start.error} />
      <div class="filters">
        <Select
          label={say('last')}
          value={last}
          onChange={setLast}
          options={SIZES.map(size => [size, size])}
        />
        <Select
          label={say('of')}
          value={environment}
          onChange={name => setEnvironment(ENVIRONMENTS.find(one => one === name) ?? 'live')}
          options={ENVIRONMENTS.map(one => [one, sayEnvironment(one)])}
        />
        <Select
          label={say('mode')}
          value={mode}
          onChange={name => setMode(MODES.find(one => one === name) ?? 'recorded_history')}
          options={MODES.map(one => [one, say(`mode.${one}`)])}
        />
        <Button onClick={() => void start.start()} disabled={start.pending}>
          {say(isFirst ? 'start' : 'again')}
        </Button>
      </div>
    </>
  )
}

/** Shows the answers of a deployment or a branch to visitors' messages, beside the answers they got. */
export function Replays({ agentId, target }: ReplaysProps) {
  const newest = useResource(signal => newestOf(agentId, target, signal), [agentId, ...Object.values(target)])
  const isRunning = newest.value?.status === 'running'
  useEffect(() => {
    if (newest.pending || !isRunning) return
    const look = setTimeout(newest.refresh, AGAIN)
    return () => clearTimeout(look)
  }, [newest.pending, isRunning])
  const replay = newest.value ?? null
  return (
    <section class="stack tight">
      <h3>{say('replay')}</h3>
      {replay === null ? (
        <p class="quiet small">{say('why')}</p>
      ) : (
        <Report agentId={agentId} replay={replay} onAccepted={newest.refresh} />
      )}
      <Failure error={newest.error} again={newest.reload} />
      {may('author') && !isRunning && (
        <StartReplay agentId={agentId} target={target} isFirst={replay === null} onStarted={newest.refresh} />
      )}
    </section>
  )
}
