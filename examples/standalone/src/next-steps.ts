import type { CredentialVariable } from './settings.ts'

/** Credentials that the quickstart needs. */
const QUICKSTART: readonly CredentialVariable[] = [
  'COLLOQUY_OPERATOR_KEY',
  'COLLOQUY_WORKSPACE_KEY',
  'COLLOQUY_DESK_KEY',
]

/** Default URL at which the quickstart expects the server. */
const QUICKSTART_URL = 'http://127.0.0.1:8080'

/**
 * Returns the next steps with the keys that were just shown, in lines that a terminal does not break. Keys that
 * were not shown are only named.
 *
 * @param shown the secrets that were generated and shown at this start
 */
export function nextSteps(
  url: string,
  shown: ReadonlyMap<CredentialVariable, string>,
  { demoPage }: { readonly demoPage: boolean },
): readonly string[] {
  const missing = QUICKSTART.filter(name => !shown.has(name))
  const where = missing.length === 0 ? '' : ` that has ${missing.join(' and ')} in its environment`
  const given = [
    ...(url === QUICKSTART_URL ? [] : [`COLLOQUY_URL=${url}`]),
    ...QUICKSTART.flatMap(name => (shown.has(name) ? [`${name}=${shown.get(name)}`] : [])),
  ]
  const command = [...given, 'npm run quickstart -w examples/quickstart']
  return [
    '',
    `Next, in another terminal${where}:`,
    ...command.map((part, at) => `  ${part}${at < command.length - 1 ? ' \\' : ''}`),
    `To chat yourself: ${demoPage ? `${url}/demo in a browser, or ` : ''}npm start -w examples/terminal-transport`,
    `What runs here: ${url}/welcome`,
    '',
  ]
}
