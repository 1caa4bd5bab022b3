import type { ComponentChildren } from 'preact'
import { say as sayCommon } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'
import { Copied } from '../../ui/copied.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { say } from './texts.ts'

interface SecretProps {
  readonly title: string
  readonly secret: string
  /** It is kept readable, because signing needs it; else its hash is kept. */
  readonly isReadable?: boolean
  /** Explanation of its purpose. */
  readonly children?: ComponentChildren
  readonly onClose: () => void
}

/** Shows a secret that was just made, which is shown this once. */
export function Secret({ title, secret, isReadable = false, children, onClose }: SecretProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack">
        <p class="note">{say(isReadable ? 'secret.readable' : 'secret.once')}</p>
        <Copied text={secret} />
        {children}
        <div class="actions">
          <Button kind="main" onClick={onClose}>
            {sayCommon('close')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
