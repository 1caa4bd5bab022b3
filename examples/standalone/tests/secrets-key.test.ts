import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform, silentLog } from '@colloquy/core'
import { aNewEndpoint, createFakeClock, createScriptedRuntime } from '@colloquy/core/testing'
import { freshDatabase } from '@colloquy/test-support/standalone'
import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '../src/server.ts'
import { readSettings } from '../src/settings.ts'
import { StartError } from '../src/start-error.ts'

const FIRST = 'secrets-key-of-the-first-start'
const OTHER = 'secrets-key-of-another-server'

test('CR91 a start with a wrong or missing COLLOQUY_SECRETS_KEY is refused in words, and the right one starts', async () => {
  const COLLOQUY_DATABASE = await freshDatabase()
  // Where tokens are signed with it no token key tells that the key is wrong.
  const COLLOQUY_TOKEN_SECRET = 'token-secret-of-all-starts'
  const start = (environment: NodeJS.ProcessEnv) =>
    startServer(readSettings({ PORT: '0', COLLOQUY_DATABASE, COLLOQUY_TOKEN_SECRET, ...environment }), {
      ...{ log: silentLog, show: () => {} },
    })
  await (await start({ COLLOQUY_SECRETS_KEY: FIRST })).close()
  const platform = createPlatform({
    store: createSqliteStore({ filename: COLLOQUY_DATABASE }),
    runtime: createScriptedRuntime({}, createFakeClock()),
    secretsKey: FIRST,
  })
  await platform.webhooks.createEndpoint('ws-demo', aNewEndpoint('https://a.example/'))
  await platform.close()
  for (const [environment, words] of [
    [
      { COLLOQUY_SECRETS_KEY: OTHER },
      /^The store holds secrets .* and COLLOQUY_SECRETS_KEY holds \w+\. Give the key/,
    ],
    [{}, /^The store holds secrets .* and COLLOQUY_SECRETS_KEY is not given\. Give the key/],
  ] as const) {
    const refused = await start(environment).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(StartError)
    expect(String(refused)).not.toContain(FIRST)
    expect(refused).toHaveProperty('message', expect.stringMatching(words))
  }
  const again = await start({ COLLOQUY_SECRETS_KEY: `${OTHER} ${FIRST}` })
  onTestFinished(() => again.close())
})
