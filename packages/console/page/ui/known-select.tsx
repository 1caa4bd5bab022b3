import { Select } from './field.tsx'

interface KnownSelectProps {
  readonly label: string
  /** Empty for all. */
  readonly value: string
  /** Text of the choice of all. */
  readonly all: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly onChange: (value: string) => void
}

/** Chooses one of those that are known, or all. A value of the address that is not among them stays a choice. */
export const KnownSelect = ({ all, options, ...props }: KnownSelectProps) => (
  <Select
    {...props}
    options={[
      ['', all],
      ...options,
      ...(['', ...options.map(([one]) => one)].includes(props.value)
        ? []
        : [[props.value, props.value] as const]),
    ]}
  />
)
