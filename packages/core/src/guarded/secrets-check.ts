import { isPlatformError, type PlatformError } from '../errors.ts'
import type { Log } from '../ports/log.ts'
import type { Store } from '../ports/store/store.ts'
import type { Settings } from '../settings/settings.ts'
import { checkSecrets } from './secrets.ts'

/** The store to check, and the log for the result. */
interface Looked {
  readonly log: Log
  readonly settings: Settings
  readonly store: Store
}

/** Checks whether the host's `secretsKey` opens the secrets in the store. */
export interface SecretsCheck {
  /** Rejects with what is wrong, in words; a store that is away says nothing about the key. */
  readonly checked: Promise<void>
  /** The same, once it is known. */
  readonly problem: () => PlatformError | null
}

/** Starts the check when the platform is made, if the host gives a key (CR91). */
export function beginSecretsCheck({ log, settings, store }: Looked): SecretsCheck {
  let problem: PlatformError | null = null
  const look = async (): Promise<void> => {
    if (settings.secretsKey === null) return
    try {
      await checkSecrets(store)
    } catch (error) {
      if (!isPlatformError(error) || error.code !== 'INTERNAL') return
      problem = error
      log.error(error.message)
      throw error
    }
  }
  const checked = look()
  checked.catch(() => undefined)
  return { checked, problem: () => problem }
}
