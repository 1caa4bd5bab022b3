import { useEffect, useRef } from 'preact/hooks'
import { isNamesOf } from '../../data/sent-file.ts'
import { me } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/parts.tsx'
import { SentFiles } from '../../ui/sent-files.tsx'
import type { Line } from './desk-state.ts'
import { say } from './texts.ts'

const WHO = { visitor: 'visitor', ai_agent: 'agent', live_agent: 'live' } as const

/** Names the speaker of a line: the person at this desk is "You". */
const whoSaid = ({ agent, from }: Line): string =>
  agent === undefined
    ? say(WHO[from])
    : agent.id === me.value?.person.id
      ? say('you')
      : (agent.name ?? say(WHO[from]))

const LINE = { visitor: 'theirs', ai_agent: 'own of-agent', live_agent: 'own of-person' } as const

/** Distance from the end within which the newest message is read, pixels: more than a picture is high. */
const NEAR = 320

/** Reports whether a line needs no name and time of its own: the one before it has the same, to the minute. */
const follows = (line: Line, before: Line | undefined): boolean =>
  line.state === 'done' &&
  line.from === before?.from &&
  line.agent?.id === before.agent?.id &&
  line.at.slice(0, 16) === before.at.slice(0, 16)

interface LinesProps {
  /** The handoff, whose files are shown. */
  readonly id: string
  readonly lines: readonly Line[]
  readonly isTyping?: boolean
  readonly onAgain?: (line: Line) => void
}

/** Shows the messages, the newest at the end and in view. */
export function Lines({ id, lines, isTyping = false, onAgain }: LinesProps) {
  const box = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  useEffect(() => {
    const element = box.current
    if (element === null) return
    // A phone's keyboard, files and notes take room from it.
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) element.scrollTop = element.scrollHeight
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    const element = box.current
    if (element !== null) element.scrollTop = element.scrollHeight
  }, [lines.length, isTyping])
  const look = (): void => {
    const { clientHeight = 0, scrollHeight = 0, scrollTop = 0 } = box.current ?? {}
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR
  }
  /** A picture comes later than its message: who reads the newest one still sees it. */
  const follow = (): void => {
    look()
    const element = box.current
    if (element !== null && isAtEnd.current) element.scrollTop = element.scrollHeight
  }
  return (
    <div
      class="desk-lines"
      ref={box}
      role="log"
      aria-label={say('transcript')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      onLoadCapture={follow}
      onScroll={look}
    >
      {lines.map((line, at) => (
        <div class={`desk-line ${LINE[line.from]}`} key={line.id ?? at}>
          {!follows(line, lines[at - 1]) && (
            <p class="quiet small">
              {whoSaid(line)} · <Time at={line.at} isShort />
              {line.state === 'sending' && ` · ${say('sending')}`}
            </p>
          )}
          {!isNamesOf(line.text, line.files ?? []) && (
            <p class={line.from === 'live_agent' ? 'bubble own' : 'bubble'}>{line.text}</p>
          )}
          <SentFiles files={line.files} place={`/desk/v1/handoffs/${encodeURIComponent(id)}`} />
          {line.state === 'failed' && (
            <p class="fault small actions">
              {say('not-sent')}
              <Button icon="refresh" onClick={() => onAgain?.(line)}>
                {say('send-again')}
              </Button>
            </p>
          )}
        </div>
      ))}
      {isTyping && (
        <p class="quiet small typing">
          <span class="dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          {say('typing')}
        </p>
      )}
    </div>
  )
}
