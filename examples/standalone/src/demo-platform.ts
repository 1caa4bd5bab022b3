import { createPlatform, type Platform, type PlatformOptions } from '@colloquy/core'
import type { Store } from '@colloquy/core/store'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { openDatabase } from './database.ts'
import { takeDeposit } from './demo/take-deposit.ts'
import { DEMO_ACCOUNT_ID, DEMO_AGENT_ID } from './seed.ts'

/** Options of a host of the demo agent. Without a runtime the retrieval runtime answers. */
export type DemoOptions = Omit<PlatformOptions, 'store' | 'runtime' | 'functions'> &
  Partial<Pick<PlatformOptions, 'runtime'>>

/**
 * A platform over a SQLite file with all that the demo agent needs to answer. The agent itself comes with `seedDemo`.
 *
 * @param database a file, which is made with its folder, or `:memory:`; or a store that is open
 * @throws StartError when it cannot be opened
 */
export const createDemoPlatform = (database: string | Store, options: DemoOptions = {}): Platform =>
  createPlatform({
    runtime: createRetrievalRuntime(),
    ...options,
    store: typeof database === 'string' ? openDatabase(database) : database,
    functions: { take_deposit: takeDeposit },
  })

/**
 * A connector to the demo agent in live for pages of this machine; its visitors are handed to the queue `reception`
 * (SS7). A token that has a connector is left with the one it has.
 */
export const createDemoConnector = (
  { access }: Pick<Platform, 'access'>,
  connector: { readonly token: string; readonly name: string; readonly timeoutSeconds?: number },
) => {
  const { token, name, timeoutSeconds } = connector
  return access.createConnector({
    accountId: DEMO_ACCOUNT_ID,
    agentId: DEMO_AGENT_ID,
    environment: 'live',
    hosts: ['localhost', '127.0.0.1'],
    name,
    handoff: {
      mode: 'server',
      queueName: 'reception',
      ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
    },
    token,
  })
}
