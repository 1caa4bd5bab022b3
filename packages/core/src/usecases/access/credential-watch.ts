import { isInForce } from '../../domain/access/in-force.ts'
import type { ApiKeyId, ConnectorId } from '../../domain/ids.ts'
import { type CredentialId, type Subscription, topics } from '../../ports/notices.ts'
import type { Job } from '../../schedule/scheduler.ts'
import type { Context } from '../context.ts'

/** One whom the end of a credential concerns. */
export interface CredentialWatcher {
  /** Called when the credential no longer works, as far as this process knows. */
  credentialEnded(): void
}

/** Watches the credentials through which this process's open sockets came (MS28, CR5). */
export interface CredentialWatch<Id extends CredentialId> {
  /** Calls the watcher as soon as this process knows that the credential is no longer valid, until `unwatch`. */
  watch(id: Id, watcher: CredentialWatcher): void
  unwatch(id: Id, watcher: CredentialWatcher): void
  /** Reads the store now. Watchers of the credential are notified before this resolves. */
  check(id: Id): Promise<void>
}

interface Watched {
  readonly watchers: Set<CredentialWatcher>
  readonly subscription: Subscription
}

/** Watches connectors, for the sessions of visitors. */
export const createConnectorWatch = (context: Context): CredentialWatch<ConnectorId> =>
  createCredentialWatch(context, 'messaging connectors', id => context.store.access.connectors.find(id))

/** Watches API keys, for the sockets of live agents. */
export const createApiKeyWatch = (context: Context): CredentialWatch<ApiKeyId> =>
  createCredentialWatch(context, 'API keys of sockets', id => context.store.access.apiKeys.find(id))

/**
 * Watches credentials, with one subscription for each, however many sockets it has. All of them are checked every
 * `Settings.revocationCheck`, which costs one read a credential: a notice may be lost, and no process announces expiry.
 */
function createCredentialWatch<Id extends CredentialId>(
  context: Context,
  name: string,
  read: (id: Id) => Promise<Parameters<typeof isInForce>[0] | null>,
): CredentialWatch<Id> {
  const { clock, notices, settings } = context
  const { revocationCheck } = settings
  const credentials = new Map<Id, Watched>()
  let job: Job | null = null

  const report = (error: unknown): void => settings.onError(error, name)

  function tellAll(id: Id): void {
    for (const watcher of [...(credentials.get(id)?.watchers ?? [])]) watcher.credentialEnded()
  }

  async function check(id: Id): Promise<void> {
    const credential = await read(id)
    if (credential === null || !isInForce(credential, clock.now())) tellAll(id)
  }

  async function checkAll(): Promise<number> {
    await Promise.all([...credentials.keys()].map(check))
    return revocationCheck
  }

  function begin(id: Id): Watched {
    const subscription = notices.subscribe(topics.credential(id), {
      notice: () => tellAll(id),
      gap: () => void check(id).catch(report),
    })
    const watched = { watchers: new Set<CredentialWatcher>(), subscription }
    credentials.set(id, watched)
    const work = { name, pause: revocationCheck, round: checkAll, retryAfter: revocationCheck }
    job ??= context.scheduler.begin(work)
    return watched
  }

  function end(id: Id, { subscription }: Watched): void {
    subscription.end()
    credentials.delete(id)
    if (credentials.size > 0) return
    void job?.stop()
    job = null
  }

  return {
    watch(id, watcher) {
      const { watchers } = credentials.get(id) ?? begin(id)
      watchers.add(watcher)
    },
    unwatch(id, watcher) {
      const watched = credentials.get(id)
      if (watched?.watchers.delete(watcher) && watched.watchers.size === 0) end(id, watched)
    },
    check,
  }
}
