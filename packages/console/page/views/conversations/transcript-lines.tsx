import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { isNamesOf, type SentFile } from '../../data/sent-file.ts'
import { say as sayTurn } from '../../texts/turns.ts'
import { visitorName } from '../../texts/visitors.ts'
import { AgentAvatar, Avatar, PersonAvatar } from '../../ui/avatar.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Time } from '../../ui/parts.tsx'
import { Said } from '../../ui/said.tsx'
import { SentFiles } from '../../ui/sent-files.tsx'
import { TurnWork } from '../../ui/turn-work.tsx'
import { LatencyPlot } from './latency.tsx'
import { say } from './texts.ts'
import { type Entry, type Latency, type Line, personAt, type Turn, woven } from './woven.ts'

/** Returns a button that plays what somebody said at a moment; nothing for what was not recorded. */
export type Listen = (at: string) => ComponentChildren

/** Names of those who speak in a conversation. */
interface Names {
  readonly visitor: string
  /** The live agent who was there last; empty if nobody has joined. */
  readonly person: string
}

interface SpokenProps {
  readonly from: NonNullable<Line['from']>
  readonly visitorId: string
  readonly names: Names
  readonly at: string
  readonly text: string
  readonly files?: readonly SentFile[] | undefined
  readonly spoken?: boolean | undefined
  readonly heard?: string | undefined
  /** Path of the conversation, below the console's API. */
  readonly place: string
  /** Button that plays what was said. */
  readonly listen?: Listen | undefined
  /** Content below the words. @default nothing */
  readonly children?: ComponentChildren
}

/** Shows what somebody said, with the avatar of the speaker. */
function Spoken({
  from,
  visitorId,
  names: { visitor, person },
  text,
  files = [],
  spoken = false,
  place,
  listen,
  children,
  ...at
}: SpokenProps) {
  const texts = isNamesOf(text, files) ? [] : [text]
  const rest = {
    ...at,
    children: (
      <>
        <SentFiles files={files} place={place} />
        {spoken && <p class="small quiet">{say('spoken')}</p>}
        {at.heard !== undefined && <p class="small quiet">{say('cut')}</p>}
        {listen?.(at.at)}
        {children}
      </>
    ),
  }
  if (from === 'visitor') {
    const avatar = <Avatar id={visitorId} name={visitor} />
    return <Said {...rest} texts={texts} kind="visitor" who={visitor} avatar={avatar} />
  }
  if (from === 'ai_agent')
    return <Said {...rest} texts={texts} kind="agent" who={say('you.agent')} avatar={<AgentAvatar />} />
  const avatar = <PersonAvatar name={person} />
  return <Said {...rest} texts={texts} kind="person" who={person || say('you.live')} avatar={avatar} />
}

interface TurnEntryProps
  extends Pick<SpokenProps, 'visitorId' | 'names' | 'files' | 'spoken' | 'heard' | 'place' | 'listen'> {
  readonly latency: Latency | undefined
  readonly turn: Turn
  readonly before: Turn | undefined
  readonly acts: ComponentChildren
}

function TurnEntry({ turn, before, acts, files, spoken, heard, latency, ...who }: TurnEntryProps) {
  const { deployment_id: deployment = '', handoff_destination: destination = '' } = turn
  return (
    <li class="turn">
      {turn.user_input !== '' && (
        <Spoken
          {...who}
          from="visitor"
          at={turn.user_input_datetime}
          text={turn.user_input}
          files={files}
          spoken={spoken}
        />
      )}
      <Spoken
        {...who}
        from="ai_agent"
        at={turn.agent_response_datetime}
        text={turn.agent_response}
        heard={heard}
      >
        {turn.error !== undefined && <p class="fault small">{sayTurn('went-wrong', { why: turn.error })}</p>}
        <TurnWork
          topics={turn.retrieved_topics ?? []}
          cited={turn.cited_topic ?? ''}
          functions={turn.function_events ?? []}
          intents={turn.intents}
          variables={turn.state ?? {}}
          took={Math.round(turn.latency * 1_000)}
          isUnknown={turn.is_ood}
          isSilence={turn.is_silence}
          destination={destination}
          deployment={deployment === before?.deployment_id ? '' : deployment}
        />
        {latency !== undefined && <LatencyPlot of={latency} />}
        {acts}
      </Spoken>
    </li>
  )
}

const STEP_ICON = {
  ...{ handoff: 'transfer', joined: 'desk', left: 'leave', returned: 'undo' },
  ...{ handoff_failed: 'warning', ended: 'check' },
} as const satisfies Record<string, IconName>

function LineEntry({
  line,
  ...who
}: Pick<SpokenProps, 'visitorId' | 'names' | 'place' | 'listen'> & { readonly line: Line }) {
  const { what, from, at, text, files, spoken, heard } = line
  if (what === 'said' && from !== null)
    return (
      <li class="turn">
        <Spoken {...who} from={from} at={at} text={text} files={files} spoken={spoken} heard={heard} />
      </li>
    )
  const step = what === 'left' && text === 'returned' ? 'returned' : (what as 'ended')
  return (
    <li class="step quiet small">
      <span class="step-sign">
        <Icon name={STEP_ICON[step]} />
      </span>
      {what === 'joined' ? say('step.joined', { name: text }) : say(`step.${step}`)} ·{' '}
      <Time at={at} isShort />
    </li>
  )
}

interface TranscriptLinesProps {
  /** Id of the conversation, which names an unknown visitor. */
  readonly id: string
  readonly agentId: string
  /** Name of the visitor, where it is known. */
  readonly name: string | undefined
  readonly turns: readonly Turn[]
  readonly lines: readonly Line[]
  /** Actions on a turn. @default nothing */
  readonly actsOf?: (turn: number) => ComponentChildren
  readonly listen?: Listen
}

/** Distance of the end below the window within which the page follows new lines, pixels. */
const AT_END = 120

/** Shows the messages with their authors, and the agent's work. If the end is in view, it follows new lines. */
export function TranscriptLines({ id, agentId, name, turns, lines, actsOf, listen }: TranscriptLinesProps) {
  const place = `/v1/agents/${encodeURIComponent(agentId)}/conversations/${encodeURIComponent(id)}`
  const entries = woven(turns, lines)
  const visitor = visitorName(id, name)
  const end = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(false)
  const isFirst = useRef(true)
  // As it stood before what is drawn now.
  isAtEnd.current = (end.current?.getBoundingClientRect().top ?? 0) < innerHeight + AT_END
  useEffect(() => {
    if (isAtEnd.current && !isFirst.current) end.current?.scrollIntoView({ block: 'end' })
    isFirst.current = false
  }, [entries.length, turns.length])
  return (
    <div role="log" aria-label={say('transcript')}>
      <ol class="turns timeline">
        {entries.map((entry: Entry) =>
          entry.turn === null ? (
            <LineEntry
              key={`l${entry.line.sequence}`}
              visitorId={id}
              names={{ visitor, person: personAt(lines, entry.line.sequence) }}
              place={place}
              listen={listen}
              line={entry.line}
            />
          ) : (
            <TurnEntry
              key={`t${entry.number}`}
              visitorId={id}
              names={{ visitor, person: '' }}
              place={place}
              listen={listen}
              files={entry.files}
              spoken={entry.spoken}
              heard={entry.heard}
              latency={entry.latency}
              turn={entry.turn}
              before={turns[entry.number - 1]}
              acts={actsOf?.(entry.number)}
            />
          ),
        )}
      </ol>
      <div ref={end} />
    </div>
  )
}
