import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/parts.tsx'
import type { Line } from './desk-state.ts'
import { say } from './texts.ts'

const WHO = { visitor: 'visitor', ai_agent: 'agent', live_agent: 'live' } as const

const LINE = { visitor: 'theirs', ai_agent: 'own of-agent', live_agent: 'own of-person' } as const

interface LinesProps {
  readonly lines: readonly Line[]
  readonly isTyping?: boolean
  readonly onAgain?: (line: Line) => void
}

/** Shows the messages, the newest at the end and in view. */
export function Lines({ lines, isTyping = false, onAgain }: LinesProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = box.current
    if (element !== null) element.scrollTop = element.scrollHeight
  }, [lines.length, isTyping])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div class="desk-lines" ref={box} role="log" aria-label={say('transcript')} tabIndex={0}>
      {lines.map((line, at) => (
        <div class={`desk-line ${LINE[line.from]}`} key={line.id ?? at}>
          <p class="quiet small">
            {say(WHO[line.from])} · <Time at={line.at} isShort />
            {line.state === 'sending' && ` · ${say('sending')}`}
          </p>
          <p class={line.from === 'live_agent' ? 'bubble own' : 'bubble'}>{line.text}</p>
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
