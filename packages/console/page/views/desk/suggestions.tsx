import { useEffect, useRef, useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { IconButton } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { say } from './assist-texts.ts'

/** Replies of the host's model for a visitor. */
export interface Suggesting {
  readonly isPending: boolean
  readonly error: unknown
  /** Null while nothing was asked for. */
  readonly replies: readonly string[] | null
  ask(): void
  /** Calls off what is asked for, and hides what is there. */
  dismiss(): void
}

interface State {
  readonly isPending: boolean
  readonly error: unknown
  readonly replies: readonly string[] | null
}

const NOTHING: State = { isPending: false, error: null, replies: null }

/** Asks for replies to a visitor. What is asked for is called off when the live agent goes on. */
export function useSuggestions(id: string): Suggesting {
  const [state, setState] = useState(NOTHING)
  const asked = useRef<AbortController | null>(null)
  const dismiss = (): void => {
    asked.current?.abort()
    asked.current = null
    setState(NOTHING)
  }
  useEffect(() => dismiss, [id])
  const ask = (): void => {
    asked.current?.abort()
    const own = new AbortController()
    asked.current = own
    setState({ ...NOTHING, isPending: true })
    api.suggestReplies({ id }, { signal: own.signal, retries: 0 }).then(
      ({ suggestions: replies }) => {
        if (asked.current === own) setState({ ...NOTHING, replies })
      },
      (error: unknown) => {
        if (asked.current === own) setState({ ...NOTHING, error })
      },
    )
  }
  return { ...state, ask, dismiss }
}

interface SuggestionsProps {
  readonly suggesting: Suggesting
  /** Puts a reply into the message. */
  readonly onChoose: (reply: string) => void
}

/** Shows the replies that a model suggests, above the message. A press puts one into the message, to be edited. */
export function Suggestions({ suggesting, onChoose }: SuggestionsProps) {
  const { dismiss, error, isPending, replies } = suggesting
  if (isPending)
    return (
      <p class="quiet small typing" role="status">
        <span class="dots" aria-hidden="true">
          <i />
          <i />
          <i />
        </span>
        {say('suggesting')}
      </p>
    )
  if (error !== null) return <Failure error={error} again={suggesting.ask} />
  if (replies === null) return null
  return (
    <section class="desk-suggestions" aria-label={say('suggestions')}>
      <div class="actions apart">
        <p class="quiet small" role="status">
          {say(replies.length === 0 ? 'suggestions.none' : 'suggestions.why')}
        </p>
        <IconButton icon="close" label={say('dismiss')} onClick={dismiss} />
      </div>
      {replies.map(reply => (
        <button class="desk-suggestion" type="button" key={reply} onClick={() => onChoose(reply)}>
          {reply}
        </button>
      ))}
    </section>
  )
}
