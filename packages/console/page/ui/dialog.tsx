import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { say } from '../texts/common.ts'
import { Button } from './button.tsx'
import { isComposing } from './composing.ts'
import { Failure } from './failure.tsx'
import { Pending } from './parts.tsx'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** Shows a dialog of the browser's own: it holds the focus, closes on Escape, and gives the focus back. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={onClose}
      onKeyDown={event => {
        if (event.key === 'Escape' && isComposing(event)) event.preventDefault()
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  )
}

interface FormDialogProps extends DialogProps {
  /** Name of the action that sends it. */
  readonly action: string
  readonly onSend: () => void
  readonly pending: boolean
  readonly error: unknown
  readonly isDangerous?: boolean
  readonly isIncomplete?: boolean
}

/** Shows a question with fields, and one thing to do. */
export function FormDialog({ action, onSend, pending, error, children, ...rest }: FormDialogProps) {
  return (
    <Dialog title={rest.title} onClose={rest.onClose}>
      <form
        onSubmit={event => {
          event.preventDefault()
          onSend()
        }}
      >
        {children}
        <Failure error={error} />
        {pending && <Pending text={say('working')} />}
        <div class="actions">
          <Button kind="bare" onClick={rest.onClose}>
            {say('cancel')}
          </Button>
          <Button
            kind={rest.isDangerous ? 'danger' : 'main'}
            type="submit"
            disabled={pending || (rest.isIncomplete ?? false)}
          >
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
