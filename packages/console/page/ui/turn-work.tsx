import { say } from '../texts/turns.ts'
import { Icon } from './icon.tsx'
import { Badge } from './parts.tsx'
import { type FunctionEvent, isFailed, TurnDetails, type TurnDetailsProps } from './turn-details.tsx'

interface TurnWorkProps extends TurnDetailsProps {
  /** Duration of the turn, milliseconds; 0 if it is not known. */
  readonly took: number
  /** Whether the agent had nothing for it. @default false */
  readonly isUnknown?: boolean
  /** Whether the visitor said nothing. @default false */
  readonly isSilence?: boolean
  /** Destination of a handoff; empty if there is none. */
  readonly destination: string
  /** Deployment that answered; empty if it is the one before. @default "" */
  readonly deployment?: string
  /** Whether the details are open from the start. @default only if a function failed */
  readonly isOpen?: boolean
}

const failures = (functions: readonly FunctionEvent[]): number => functions.filter(isFailed).length

/** Shows the agent's work at a turn: one line, from which the details unfold. A failure is open from the start. */
export function TurnWork({ took, destination, deployment = '', isOpen = false, ...rest }: TurnWorkProps) {
  const { isUnknown = false, isSilence = false, ...details } = rest
  const { topics, cited, functions } = details
  const failed = failures(functions)
  const topic = cited || topics[0]
  return (
    <details class="work small" open={isOpen || failed > 0}>
      <summary>
        <Icon name="next" />
        <span class="unseen">{say('work')}</span>
        {topic !== undefined && (
          <span class="piece">
            <Icon name="topics" />
            {topic}
            {topics.length > 1 && <span class="quiet">+{topics.length - 1}</span>}
          </span>
        )}
        {functions.length > 0 && (
          <span class="piece">
            <Icon name="function" />
            {functions.length === 1
              ? String(functions[0]?.name ?? '')
              : say('work.functions', { count: functions.length })}
          </span>
        )}
        {failed > 0 && <Badge tone="bad">{say('work.failed', { count: failed })}</Badge>}
        {isUnknown && <Badge tone="warn">{say('unknown')}</Badge>}
        {isSilence && <Badge>{say('silence')}</Badge>}
        {took > 0 && (
          <span class="piece">
            <Icon name="clock" />
            {say('took', { milliseconds: took })}
          </span>
        )}
        {destination !== '' && (
          <span class="piece">
            <Icon name="transfer" />
            {say('handoff', { destination })}
          </span>
        )}
      </summary>
      <div class="work-details">
        <TurnDetails {...details} />
        {deployment !== '' && (
          <p class="quiet">
            <Icon name="promote" /> {say('deployment', { id: deployment })}
          </p>
        )}
      </div>
    </details>
  )
}
