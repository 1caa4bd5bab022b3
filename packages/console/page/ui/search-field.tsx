import { useEffect, useRef, useState } from 'preact/hooks'
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
  const sent = useRef(there)
  useEffect(() => {
    if (text === there) return
    const timer = setTimeout(() => {
      sent.current = text
      setQuery({ [name]: text })
    }, REST)
    return () => clearTimeout(timer)
  }, [text])
  useEffect(() => {
    // A link has changed the address, and not this field.
    if (there !== sent.current) setText(there)
    sent.current = there
  }, [there])
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
