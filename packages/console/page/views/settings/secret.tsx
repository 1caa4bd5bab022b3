import { useState } from 'preact/hooks'
import { say as sayCommon } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { say } from './texts.ts'

interface SecretProps {
  readonly title: string
  readonly secret: string
  /** It is kept readable, because signing needs it; else its hash is kept. */
  readonly isReadable?: boolean
  /** What it is for. */
  readonly hint?: string
  readonly onClose: () => void
}

/** A secret that was just made, which is shown this once. */
export function Secret({ title, secret, isReadable = false, hint, onClose }: SecretProps) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret)
      setCopied(true)
    } catch {
      // Not allowed here: it stands there to be selected.
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack">
        <p class="note">{say(isReadable ? 'secret.readable' : 'secret.once')}</p>
        <p class="secret">
          <code>{secret}</code>
        </p>
        {hint !== undefined && <p class="quiet">{hint}</p>}
        <div class="actions">
          <Button onClick={() => void copy()}>{say(isCopied ? 'copied' : 'copy')}</Button>
          <Button kind="main" onClick={onClose}>
            {sayCommon('close')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
