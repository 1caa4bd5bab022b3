import { route, setQuery } from '../router.ts'
import { TextField } from './field.tsx'

interface TimeFieldProps {
  readonly label: string
  /** Name of the parameter in the address. */
  readonly name: string
}

/** Shows a moment to which a list is narrowed, which the address has. */
export const TimeField = ({ label, name }: TimeFieldProps) => (
  <TextField
    label={label}
    type="datetime-local"
    value={route.value.query[name] ?? ''}
    onChange={value => setQuery({ [name]: value })}
  />
)
