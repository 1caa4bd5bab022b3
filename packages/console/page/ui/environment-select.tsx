import { ENVIRONMENTS, type Environment, environmentOf } from '../environments.ts'
import { say } from '../texts/environments.ts'
import { Select } from './field.tsx'

interface EnvironmentSelectProps {
  readonly value: Environment
  readonly onChange: (environment: Environment) => void
}

/** Chooses one of the environments. */
export function EnvironmentSelect({ value, onChange }: EnvironmentSelectProps) {
  return (
    <Select
      label={say('environment')}
      value={value}
      onChange={given => onChange(environmentOf(given, value))}
      options={ENVIRONMENTS.map(one => [one, say(one)] as const)}
    />
  )
}
