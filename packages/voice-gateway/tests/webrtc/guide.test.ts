import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { promisify } from 'node:util'
import { createPlatform } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { listenOn } from '@colloquy/test-support/messaging-host'
import { expect, onTestFinished, test } from 'vitest'
import { speakOverWebrtc } from '../guide-webrtc.ts'
import { createDictation, humming, parrot } from './support/rtc-host.ts'

const run = promisify(execFile)

const page = readFileSync(new URL('../../../../docs/guides/voice.md', import.meta.url), 'utf8')

test('VG75 the guide shows the code that is tested, and its commands answer what it says', async () => {
  expect(page).toContain(readFileSync(new URL('../guide-webrtc.ts', import.meta.url), 'utf8'))
  const platform = createPlatform({ store: createMemoryStore(), runtime: parrot })
  const { access, agents } = platform
  const { id: accountId } = await access.createAccount({ slug: 'hotel', name: 'The hotel' })
  const { id: agentId } = await agents.create({ accountId, name: 'Front desk', greeting: 'Welcome.' })
  await agents.publish(agentId, { environment: 'live' })
  const { token } = await access.createConnector({
    ...{ accountId, agentId, environment: 'live', hosts: ['hotel.example'] },
  })
  const server = createServer((request, response) => calls.routes(request, response))
  const { transcriber } = createDictation([])
  const turn = { host: 'turn.hotel.example', secret: 'secret-of-coturn' }
  const calls = speakOverWebrtc(server, platform, { transcriber, speaker: humming }, turn)
  const port = await listenOn(server)
  onTestFinished(async () => {
    await calls.close()
    server.close()
    server.closeAllConnections()
    await platform.close()
  })
  const [, commands = ''] = /```sh\n(curl[^`]*)```/.exec(page) ?? []
  const lines = commands.trim().split('\n')
  expect(lines).toHaveLength(2)
  const answers: unknown[] = []
  for (const line of lines)
    answers.push(JSON.parse(await answerOf(line.replaceAll('8080', String(port)), token)))
  const [health, servers] = answers
  expect(health).toEqual({ status: 'healthy', activeSessions: 0 })
  expect(servers).toEqual([
    { urls: 'stun:turn.hotel.example' },
    {
      urls: 'turn:turn.hotel.example',
      username: expect.stringMatching(/^\d{10}$/),
      credential: expect.any(String),
    },
  ])
  const [, relay] = servers as readonly { readonly username: string; readonly credential: string }[]
  const { credential = '', username = '' } = relay ?? {}
  expect(createHmac('sha1', turn.secret).update(username).digest('base64')).toBe(credential)
})

/** Runs a command of the guide. Not in this thread, in which the server answers. */
async function answerOf(command: string, token: string): Promise<string> {
  const { stdout } = await run('sh', ['-c', command], { env: { ...process.env, CONNECTOR_TOKEN: token } })
  return stdout
}
