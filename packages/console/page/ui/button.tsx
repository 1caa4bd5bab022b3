import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'

interface ButtonProps {
  readonly children: ComponentChildren
  readonly onClick?: () => void
  /** The one thing to do here, something else, or something that takes away. @default plain */
  readonly kind?: 'main' | 'plain' | 'danger' | 'bare'
  readonly type?: 'button' | 'submit'
  readonly disabled?: boolean
  readonly pressed?: boolean
  readonly label?: string
  /** Icon before the words. @default none */
  readonly icon?: IconName
  /** Name by which keys and tests find it. */
  readonly act?: string
  /** Whether what it shows and hides is in sight, and its id. */
  readonly expanded?: boolean
  readonly controls?: string
}

/** A button with words, and with an icon before them where the action has one. */
export function Button({ children, onClick, kind = 'plain', type = 'button', icon, ...rest }: ButtonProps) {
  return (
    <button
      class={`button ${kind}`}
      type={type}
      disabled={rest.disabled ?? false}
      aria-pressed={rest.pressed}
      aria-label={rest.label}
      aria-expanded={rest.expanded}
      aria-controls={rest.controls}
      data-act={rest.act}
      onClick={() => onClick?.()}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  )
}

interface IconButtonProps {
  readonly icon: IconName
  /** Name of the action, for screen readers and for who points at it. */
  readonly label: string
  readonly onClick: () => void
}

/** A button that is an icon alone, with a name. */
export const IconButton = ({ icon, label, onClick }: IconButtonProps) => (
  <button class="button bare only" type="button" aria-label={label} title={label} onClick={() => onClick()}>
    <Icon name={icon} />
  </button>
)
