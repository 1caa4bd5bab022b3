import { environmentOf } from '../environments.ts'
import { say } from '../texts/environments.ts'

/** An environment by its name, in the colour that it has everywhere. */
export function EnvironmentName({ of }: { readonly of: string }) {
  const name = environmentOf(of, 'sandbox')
  return <span class={`badge environment ${name}`}>{say(name)}</span>
}
