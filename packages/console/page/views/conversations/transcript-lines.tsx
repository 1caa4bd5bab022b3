import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { say as sayTurn } from '../../texts/turns.ts'
import { Badge, Time } from '../../ui/parts.tsx'
import { TurnDetails } from '../../ui/turn-details.tsx'
import { say } from './texts.ts'
import { type Entry, type Line, type Turn, woven } from './woven.ts'

interface BubbleProps {
  readonly who: NonNullable<Line['from']>
  readonly text: string
}

const WHO = { visitor: 'you.visitor', ai_agent: 'you.agent', live_agent: 'you.live' } as const

function Bubble({ who, text }: BubbleProps) {
  if (text === '') return null
  return (
    <p class={who === 'visitor' ? 'bubble own' : 'bubble'}>
      <span class="unseen">{say(WHO[who])}: </span>
      {text}
    </p>
  )
}

interface TurnEntryProps {
  readonly turn: Turn
  readonly before: Turn | undefined
  readonly acts: ComponentChildren
}

function TurnEntry({ turn, before, acts }: TurnEntryProps) {
  const { deployment_id: deployment = '', handoff_destination: destination = '' } = turn
  return (
    <li class="turn">
      <Bubble who="visitor" text={turn.user_input} />
      <Bubble who="ai_agent" text={turn.agent_response} />
      {turn.error !== undefined && <p class="fault small">{sayTurn('went-wrong', { why: turn.error })}</p>}
      <TurnDetails
        topics={turn.retrieved_topics ?? []}
        cited={turn.cited_topic ?? ''}
        functions={turn.function_events ?? []}
        intents={turn.intents}
        variables={turn.state ?? {}}
      />
      <p class="quiet small">
        <Time at={turn.agent_response_datetime} />
        {turn.latency > 0 && ` · ${sayTurn('took', { milliseconds: Math.round(turn.latency * 1_000) })}`}
        {destination !== '' && ` · ${sayTurn('handoff', { destination })}`}
        {deployment !== '' && deployment !== before?.deployment_id && (
          <> · {sayTurn('deployment', { id: deployment })}</>
        )}{' '}
        {turn.is_ood && <Badge tone="warn">{sayTurn('unknown')}</Badge>}{' '}
        {turn.is_silence && <Badge>{sayTurn('silence')}</Badge>}
      </p>
      {acts}
    </li>
  )
}

function LineEntry({ line: { what, from, at, text } }: { readonly line: Line }) {
  if (what === 'said' && from !== null)
    return (
      <li class="turn">
        <Bubble who={from} text={text} />
        <p class={from === 'visitor' ? 'quiet small own' : 'quiet small'}>
          {from === 'live_agent' && `${say('you.live')} · `}
          <Time at={at} />
        </p>
      </li>
    )
  const step = what === 'left' && text === 'returned' ? 'returned' : (what as 'ended')
  return (
    <li class="step quiet small">
      {what === 'joined' ? say('step.joined', { name: text }) : say(`step.${step}`)} · <Time at={at} />
    </li>
  )
}

interface TranscriptLinesProps {
  readonly turns: readonly Turn[]
  readonly lines: readonly Line[]
  /** Actions on a turn. @default nothing */
  readonly actsOf?: (turn: number) => ComponentChildren
}

/** Distance of the end below the window within which the page follows new lines, pixels. */
const AT_END = 120

/** Shows the messages with their authors, and the agent's work. If the end is in view, it follows new lines. */
export function TranscriptLines({ turns, lines, actsOf }: TranscriptLinesProps) {
  const entries = woven(turns, lines)
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
      <ol class="turns">
        {entries.map((entry: Entry) =>
          entry.turn === null ? (
            <LineEntry key={`l${entry.line.sequence}`} line={entry.line} />
          ) : (
            <TurnEntry
              key={`t${entry.number}`}
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
