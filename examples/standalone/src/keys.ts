import {
  type ApiKeyKind,
  composeSecret,
  eachPage,
  isPlatformError,
  type Log,
  type Platform,
  systemIds,
} from '@colloquy/core'
import { createDemoConnector } from './demo-platform.ts'
import { DEMO_ACCOUNT_ID, DEMO_AGENT_ID } from './seed.ts'
import type { CredentialVariable, StandaloneSettings } from './settings.ts'
import { StartError } from './start-error.ts'

type KeyVariable = Exclude<CredentialVariable, 'COLLOQUY_CONNECTOR_TOKEN'>

/** Scope of each key: keys of the account, and a project key for the demo agent alone. */
const KEYS: Readonly<
  Record<KeyVariable, { readonly kind: ApiKeyKind; readonly accountId?: string; readonly agentId?: string }>
> = {
  COLLOQUY_OPERATOR_KEY: { kind: 'operator' },
  COLLOQUY_WORKSPACE_KEY: { kind: 'workspace', accountId: DEMO_ACCOUNT_ID },
  COLLOQUY_PROJECT_KEY: { kind: 'project', accountId: DEMO_ACCOUNT_ID, agentId: DEMO_AGENT_ID },
  COLLOQUY_EXTERNAL_EVENTS_KEY: { kind: 'external_events', accountId: DEMO_ACCOUNT_ID },
  COLLOQUY_DESK_KEY: { kind: 'desk', accountId: DEMO_ACCOUNT_ID },
}
const KEY_VARIABLES: readonly KeyVariable[] = [
  'COLLOQUY_OPERATOR_KEY',
  'COLLOQUY_WORKSPACE_KEY',
  'COLLOQUY_PROJECT_KEY',
  'COLLOQUY_EXTERNAL_EVENTS_KEY',
  'COLLOQUY_DESK_KEY',
]

/** The name under which the store knows that a variable's credential was generated. */
const generatedName = (variable: CredentialVariable) => `${variable} (generated)`

/** Settings of credentials, and functions that report them to people. */
export interface KeyOptions {
  readonly settings: StandaloneSettings
  readonly log: Log
  /** Shows the generated secrets to a person, all at once. They are not shown again. */
  readonly show: (secrets: ReadonlyMap<CredentialVariable, string>) => void
}

/** One credential: how it is found, made of a secret, and what a generated secret begins with. */
interface Credential {
  readonly variable: CredentialVariable
  readonly kind: ApiKeyKind | 'connector'
  /** True when a generated one is in force. */
  exists(name: string): Promise<boolean>
  create(secret: string, name: string): Promise<unknown>
}

const keyCredential = ({ access }: Pick<Platform, 'access'>, variable: KeyVariable): Credential => ({
  variable,
  kind: KEYS[variable].kind,
  async exists(name) {
    for await (const { apiKeys } of eachPage(access.apiKeys))
      if (apiKeys.some(key => key.name === name && key.revokedAt === null)) return true
    return false
  },
  create: (secret, name) => access.createApiKey({ ...KEYS[variable], name, secret }),
})

function connectorCredential({ access }: Pick<Platform, 'access'>, settings: StandaloneSettings): Credential {
  const { handoffTimeoutSeconds } = settings
  const timeout = handoffTimeoutSeconds === null ? {} : { timeoutSeconds: handoffTimeoutSeconds }
  return {
    variable: 'COLLOQUY_CONNECTOR_TOKEN',
    kind: 'connector',
    async exists(name) {
      for await (const { connectors } of eachPage(access.connectors)) {
        const connector = connectors.find(one => one.name === name && one.revokedAt === null)
        if (connector === undefined) continue
        await access.updateConnector(connector.id, { handoff: timeout })
        return true
      }
      return false
    },
    async create(token, name) {
      const { connector } = await createDemoConnector({ access }, { token, name, ...timeout })
      // One that existed before has the time-out of its own start.
      await access.updateConnector(connector.id, { handoff: timeout })
    },
  }
}

/** Takes over a secret that the environment gives, at each start (SS4). */
async function importSecret(credential: Credential, secret: string): Promise<void> {
  await credential.create(secret, credential.variable).catch(error => {
    if (!isPlatformError(error)) throw error
    throw new StartError(`${credential.variable}: ${error.message}`)
  })
}

/** True when the credential has to be generated: it is not given, and no earlier start has generated it. */
async function isMissing(credential: Credential, { log, settings }: KeyOptions): Promise<boolean> {
  const { variable } = credential
  const given = settings.credentials[variable]
  if (given !== undefined) {
    await importSecret(credential, given)
    return false
  }
  if (!(await credential.exists(generatedName(variable)))) return true
  log.info(
    `${variable}: the one generated at an earlier start stays valid; set the variable to bring another`,
  )
  return false
}

/**
 * Sees to it that every credential is in force: given ones are imported, others generated unless an earlier start has
 * done so (SS4, SS5).
 * @throws StartError for a given secret that was revoked or is in other use
 */
export async function provideKeys(platform: Pick<Platform, 'access'>, options: KeyOptions): Promise<void> {
  const credentials = [
    ...KEY_VARIABLES.map(variable => keyCredential(platform, variable)),
    connectorCredential(platform, options.settings),
  ]
  const missing: Credential[] = []
  for (const credential of credentials) if (await isMissing(credential, options)) missing.push(credential)
  if (missing.length === 0) return
  const secrets = new Map(missing.map(one => [one.variable, composeSecret(one.kind, systemIds.secret())]))
  // Shown before they are stored: a process killed between the two has shown secrets of no use, and has not lost one in
  // force.
  options.show(secrets)
  for (const { create, variable } of missing)
    await create(secrets.get(variable) ?? '', generatedName(variable))
}
