import { useAction } from '../data/action.ts'
import { FormDialog } from './dialog.tsx'

interface ConfirmProps {
  readonly title: string
  /** Consequence of the action. */
  readonly why: string
  /** Name of the action. */
  readonly action: string
  readonly onClose: () => void
  readonly run: () => Promise<unknown>
  readonly onDone: () => void
  /** @default true */
  readonly isDangerous?: boolean
}

/** Asks for confirmation of an irreversible act. */
export function Confirm({ title, why, action, onClose, run, onDone, isDangerous = true }: ConfirmProps) {
  const act = useAction(run)
  return (
    <FormDialog
      title={title}
      action={action}
      onClose={onClose}
      onSend={() => void act.start().then(isDone => isDone && onDone())}
      pending={act.pending}
      error={act.error}
      isDangerous={isDangerous}
    >
      <p>{why}</p>
    </FormDialog>
  )
}
