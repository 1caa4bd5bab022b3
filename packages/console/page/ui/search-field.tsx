import { useEffect, useState } from 'preact/hooks'
import { route, setQuery } from '../router.ts'
import { TextField } from './field.tsx'

/** Texts of a search are asked for once nothing was typed for this long, milliseconds. */
const REST = 300

interface SearchFieldProps {
  readonly label: string
  /** Name of the parameter in the address. */
  readonly name: string
  readonly placeholder?: string
}

/** Shows a text to which a list is narrowed, which the address has. */
export function SearchField({ label, name, placeholder }: SearchFieldProps) {
  const there = route.value.query[name] ?? ''
  const [text, setText] = useState(there)
  useEffect(() => {
    if (text === there) return
    const timer = setTimeout(() => setQuery({ [name]: text }), REST)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <TextField
      label={label}
      type="search"
      value={text}
      onChange={setText}
      {...(placeholder === undefined ? {} : { placeholder })}
    />
  )
}
