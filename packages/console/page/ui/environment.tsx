import type { Environment } from '../environments.ts'
import { say } from '../texts/environments.ts'

/** Shows an environment by its name, in the colour that it has everywhere. */
export function EnvironmentName({ of }: { readonly of: Environment }) {
  return <span class={`badge environment ${of}`}>{say(of)}</span>
}
