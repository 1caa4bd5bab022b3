import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import {
  createPlatform,
  eachPage,
  type Files,
  type PageEnd,
  type PageQuery,
  type Platform,
} from '@colloquy/core'
import type { AgentRuntime } from '@colloquy/core/runtime'
import type { Store } from '@colloquy/core/store'
import {
  accountOnWire,
  apiKeyOnWire,
  auditEntryOnWire,
  connectorOnWire,
  contextKeyOnWire,
  tokenKeysOnWire,
} from '@colloquy/core/transport'
import type { Administration, Shown, StoreAdministration } from './administration.ts'
import { Failure } from './failure.ts'

/** No visitor talks to an agent through this process. */
const silent: AgentRuntime = { async *respond() {} }

/** Returns the user of the machine, as the audit log names the administrator of a file. */
function callerName(): string {
  try {
    return `colloquy-admin (${userInfo().username})`
  } catch {
    return 'colloquy-admin'
  }
}

async function accountIdOf(platform: Platform, idOrSlug: string) {
  const account = await platform.access.account(idOrSlug)
  if (account === null) throw new Failure('There is no account of that id or slug.')
  return account.id
}

const filterOf = async (platform: Platform, accountId: string | undefined) =>
  accountId === undefined ? {} : { accountId: await accountIdOf(platform, accountId) }

/** Returns a list as a whole, read page by page. */
async function whole<Page extends PageEnd>(
  read: (query: PageQuery) => Promise<Page>,
  rowsOf: (page: Page) => readonly Shown[],
): Promise<readonly Shown[]> {
  const rows: Shown[] = []
  for await (const page of eachPage(read)) for (const row of rowsOf(page)) rows.push(row)
  return rows
}

const storeCalls = (platform: Platform): StoreAdministration => ({
  agents: platform.agents,
  async purgeConversations(olderThan, accountId) {
    const filter = await filterOf(platform, accountId)
    return (await platform.conversations.purge({ olderThan, ...filter })).conversations
  },
  removeConversation: async (accountId, agentId, id) =>
    platform.conversations.remove(await accountIdOf(platform, accountId), agentId, id),
  visitor: async (accountId, visitor) =>
    platform.conversations.visitor(await accountIdOf(platform, accountId), visitor),
  async *exportVisitor(accountId, visitor) {
    yield* platform.conversations.exportVisitor(await accountIdOf(platform, accountId), visitor)
  },
  removeVisitor: async (accountId, visitor) =>
    platform.conversations.removeVisitor(await accountIdOf(platform, accountId), visitor),
  purgeAuditLog: async olderThan => (await platform.audit.purge({ olderThan })).entries,
})

/** @throws Failure where the environment says that a new key would sign nothing */
function refuseUnusedKeys(tokenSecret: string | undefined): void {
  if (tokenSecret === undefined) return
  throw new Failure(
    'COLLOQUY_TOKEN_SECRET is set, so servers with this environment sign with it, not with keys of the file. Put a new secret in front of it and start them anew; unset it here to rotate the keys of the file all the same.',
  )
}

/** Opens a file. @throws Failure when there is none, unless `create`, or when it is not a database of the platform */
export function openFile(filename: string, create: boolean): Store {
  if (!create && !existsSync(filename))
    throw new Failure(`There is no file ${filename}. Name the server's database, or make one with --create.`)
  try {
    return createSqliteStore({ filename })
  } catch (error) {
    throw new Failure(error instanceof Error ? error.message : String(error))
  }
}

/**
 * Returns a store, also one that servers have open. It neither wakes conversations nor sends webhooks.
 *
 * @param tokenSecret with what the servers of the store sign access tokens, as far as the environment says; they use
 *   none of its keys then
 * @param files the bytes of files, to export and to remove; null if they are not known
 */
export function overStore(
  store: Store,
  tokenSecret: string | undefined,
  files: Files | null = null,
): Administration {
  const bare = createPlatform({
    ...{ store, runtime: silent, workers: false },
    ...(files === null ? {} : { files }),
  })
  const platform = bare.as({ name: callerName() })
  const { access, audit } = platform
  const connectorId = (id: string) => id

  return {
    createAccount: async input => accountOnWire(await access.createAccount(input)),
    accounts: async () =>
      whole(
        page => access.accounts(page),
        ({ accounts }) => accounts.map(accountOnWire),
      ),
    async createApiKey(input) {
      const { key, secret } = await access.createApiKey(input)
      return { ...apiKeyOnWire(key), key: secret }
    },
    async apiKeys(accountId) {
      const filter = await filterOf(platform, accountId)
      return whole(
        page => access.apiKeys({ ...filter, ...page }),
        ({ apiKeys }) => apiKeys.map(apiKeyOnWire),
      )
    },
    revokeApiKey: id => access.revokeApiKey(id),
    async createConnector(input) {
      const { connector, token } = await access.createConnector(input)
      return { ...connectorOnWire(connector), token }
    },
    async connectors(accountId) {
      const filter = await filterOf(platform, accountId)
      return whole(
        page => access.connectors({ ...filter, ...page }),
        ({ connectors }) => connectors.map(connectorOnWire),
      )
    },
    connector: async id => connectorOnWire(await access.connector(connectorId(id))),
    updateConnector: async (id, change) =>
      connectorOnWire(await access.updateConnector(connectorId(id), change)),
    revokeConnector: id => access.revokeConnector(connectorId(id)),
    async rotateContextKeys(id, rotation) {
      const { contextKey } = await access.rotateContextKeys(connectorId(id), rotation)
      return { ...contextKeyOnWire(contextKey), secret: contextKey.secret }
    },
    revokeContextKeys: async id => void (await access.revokeContextKeys(connectorId(id))),
    tokenKeys: async () => tokenKeysOnWire(await access.tokenKeys()).tokenKeys,
    async rotateTokenKeys(rotation) {
      refuseUnusedKeys(tokenSecret)
      return tokenKeysOnWire(await access.rotateTokenKeys(rotation)).tokenKeys
    },
    async auditLog(query) {
      const { entries, cursor } = await audit.list(query)
      return { entries: entries.map(auditEntryOnWire), next_cursor: cursor }
    },
    store: storeCalls(platform),
    close: () => bare.close(),
  }
}
