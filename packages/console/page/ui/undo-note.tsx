import { useEffect, useRef } from 'preact/hooks'
import { useAction } from '../data/action.ts'
import { say } from '../texts/common.ts'
import { Failure } from './failure.tsx'
import { Icon } from './icon.tsx'

interface UndoNoteProps {
  /** Text about the action. */
  readonly text: string
  readonly undo: () => Promise<unknown>
  readonly onUndone: () => void
}

/** Names the removed item, and offers to restore it until something else is done. */
export function UndoNote({ text, undo, onUndone }: UndoNoteProps) {
  const act = useAction(undo)
  const button = useRef<HTMLButtonElement>(null)
  // The focused element was removed: move the focus to the button.
  useEffect(() => button.current?.focus({ preventScroll: true }), [text])
  return (
    <div class="note undo">
      <div class="actions apart">
        <p role="status">{text}</p>
        <button
          class="button"
          type="button"
          ref={button}
          disabled={act.pending}
          onClick={() => void act.start().then(isDone => isDone && onUndone())}
        >
          <Icon name="undo" />
          {say('undo')}
        </button>
      </div>
      <Failure error={act.error} />
    </div>
  )
}
