import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface Labelled {
  readonly label: string
  /** Whether its place explains it: then the label is only for screen readers. */
  readonly isPlain?: boolean
  /** A sentence below the field. */
  readonly hint?: string
  /** Fault of the value. */
  readonly fault?: string | null
}

interface Props<Value> extends Labelled {
  readonly value: Value
  readonly onChange: (value: Value) => void
  /** It is read, and not changed. It is reached by the keyboard all the same. */
  readonly disabled?: boolean
}

function Around({
  label,
  isPlain = false,
  hint,
  fault,
  id,
  children,
}: Labelled & { readonly id: string; readonly children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={id} class={isPlain ? 'unseen' : undefined}>
        {label}
      </label>
      {children}
      {hint !== undefined && (
        <p class="quiet small" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault && (
        <p class="fault small" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  )
}

const described = (id: string, { hint, fault }: Labelled): string | undefined =>
  [...(hint === undefined ? [] : [`${id}-hint`]), ...(fault ? [`${id}-fault`] : [])].join(' ') || undefined

interface TextProps extends Props<string> {
  readonly placeholder?: string
  readonly type?: 'text' | 'search' | 'password' | 'datetime-local'
  readonly required?: boolean
  readonly autofocus?: boolean
  /** Keys that a phone shows. @default those for text */
  readonly keys?: 'numeric'
}

export function TextField(props: TextProps) {
  const id = useId()
  const { value, onChange, type = 'text', placeholder, required = false, disabled = false } = props
  return (
    <Around {...props} id={id}>
      <input
        id={id}
        // The types distinguish roles of inputs, and this one has none of its own.
        type={type as 'text'}
        value={value}
        placeholder={placeholder}
        required={required}
        readOnly={disabled}
        inputMode={props.keys}
        // biome-ignore lint/a11y/noAutofocus: only in dialogs, where the field is what was asked for
        autoFocus={props.autofocus ?? false}
        aria-describedby={described(id, props)}
        aria-invalid={props.fault ? true : undefined}
        onInput={event => onChange(event.currentTarget.value)}
      />
    </Around>
  )
}

export function TextArea(props: Props<string> & { readonly rows?: number }) {
  const id = useId()
  const { value, onChange, rows = 4, disabled = false } = props
  return (
    <Around {...props} id={id}>
      <textarea
        id={id}
        rows={rows}
        value={value}
        readOnly={disabled}
        aria-describedby={described(id, props)}
        aria-invalid={props.fault ? true : undefined}
        onInput={event => onChange(event.currentTarget.value)}
      />
    </Around>
  )
}

interface SelectProps extends Props<string> {
  readonly options: readonly (readonly [value: string, text: string])[]
}

export function Select(props: SelectProps) {
  const id = useId()
  const { value, onChange, options, disabled = false } = props
  const text = options.find(([name]) => name === value)?.[1] ?? ''
  if (disabled) return <TextField {...props} value={text} />
  return (
    <Around {...props} id={id}>
      <select
        id={id}
        value={value}
        aria-describedby={described(id, props)}
        aria-invalid={props.fault ? true : undefined}
        onChange={event => onChange(event.currentTarget.value)}
      >
        {options.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </Around>
  )
}

export function Checkbox({ label, value, onChange, disabled = false }: Props<boolean>) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={value}
        aria-disabled={disabled}
        onClick={event => disabled && event.preventDefault()}
        onChange={event => onChange(event.currentTarget.checked)}
      />
      {label}
    </label>
  )
}
