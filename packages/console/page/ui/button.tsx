import type { ComponentChildren } from 'preact'

interface ButtonProps {
  readonly children: ComponentChildren
  readonly onClick?: () => void
  /** The one thing to do here, something else, or something that takes away. @default plain */
  readonly kind?: 'main' | 'plain' | 'danger' | 'bare'
  readonly type?: 'button' | 'submit'
  readonly disabled?: boolean
  readonly pressed?: boolean
  readonly label?: string
  /** Whether what it shows and hides is in sight, and its id. */
  readonly expanded?: boolean
  readonly controls?: string
}

export function Button({ children, onClick, kind = 'plain', type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      class={`button ${kind}`}
      type={type}
      disabled={rest.disabled ?? false}
      aria-pressed={rest.pressed}
      aria-label={rest.label}
      aria-expanded={rest.expanded}
      aria-controls={rest.controls}
      onClick={() => onClick?.()}
    >
      {children}
    </button>
  )
}
