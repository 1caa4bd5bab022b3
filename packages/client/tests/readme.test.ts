import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import { createRequestListener } from '@colloquy/http-express'
import {
  createHesitant,
  hesitantReply,
  listenOn,
  startMessagingHost,
} from '@colloquy/test-support/messaging-host'
import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import * as http from '../src/http/index.ts'
import * as messaging from '../src/messaging/index.ts'
import * as voice from '../src/voice/index.ts'

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

/** Runs the block of the README that imports this entry point, with these names, after its placeholders were filled in. */
async function runBlock(
  entry: string,
  names: object,
  filled: readonly (readonly [string, string])[],
  result: string,
) {
  const blocks = [...README.matchAll(/```ts\n(.*?)```/gs)].map(([, block = '']) => block)
  const [block = '', ...others] = blocks.filter(text => text.includes(`'@colloquy/client/${entry}'`))
  expect([block === '', others]).toEqual([false, []])
  for (const [placeholder] of filled) expect(block).toContain(placeholder)
  const text = filled.reduce((now, [placeholder, value]) => now.replace(placeholder, () => value), block)
  const code = stripTypeScriptTypes(text.replace(/^import .*\n/gm, ''))
  const run = new Function(...Object.keys(names), `return (async () => { ${code}; return ${result} })()`)
  return run(...Object.values(names))
}

test('the conversation in the README is held as it stands there', async () => {
  const { allow, runtime } = createHesitant()
  allow(4)
  const { token, url } = await startMessagingHost({ runtime })
  vi.stubGlobal('WebSocket', WebSocket)
  vi.stubGlobal('location', { hostname: 'localhost', href: url })
  onTestFinished(() => void vi.unstubAllGlobals())
  const shown: messaging.Conversation[] = []
  const render = (conversation: messaging.Conversation) => shown.push(conversation)
  const chat: messaging.Messaging = await runBlock(
    'messaging',
    { ...messaging, render },
    [
      ["'https://chat.example'", `'${url}'`],
      ["'…'", `'${token}'`],
    ],
    'chat',
  )
  onTestFinished(() => chat.destroy())
  const answer = hesitantReply('May I bring my dog?').join('')
  await vi.waitFor(() => expect(shown.at(-1)?.messages.at(-1)?.text).toBe(answer))
})

test('voice in the README asks for the microphone when the button is pressed, which Node does not have', async () => {
  const chat = messaging.createMessaging({ server: 'http://localhost:1', getToken: () => Promise.reject() })
  const button = { onclick: () => {} }
  const shown: voice.VoiceView[] = []
  const render = (view: voice.VoiceView) => shown.push(view)
  await runBlock('voice', { ...voice, button, chat, render }, [], 'voice')
  button.onclick()
  await vi.waitFor(() => expect(shown.at(-1)?.problem?.code).toBe('NOT_SUPPORTED'))
  expect(shown[0]?.status).toBe('asking')
})

test('the guide for visitors’ clients begins with the same block', () => {
  const [, block = ''] = /```ts\n(.*?)```/s.exec(README) ?? []
  const guide = readFileSync(new URL('../../../docs/guides/visitor-client.md', import.meta.url), 'utf8')
  expect(/```\w+\n(.*?)```/s.exec(guide)?.[1]).toBe(block)
})

test('the calls in the README do what it says', async () => {
  const { keys, platform } = await createPopulatedPlatform()
  const server = createServer(createRequestListener(platform))
  const port = await listenOn(server)
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await platform.close()
  })
  await platform.agents.create({
    accountId: 'ws-one',
    agentId: 'PROJECT-harbour',
    name: 'Office',
    greeting: 'Hello.',
  })
  const said: unknown[][] = []
  const accountId = await runBlock(
    'http',
    { ...http, console: { log: (...words: unknown[]) => said.push(words) } },
    [
      ["'https://chat.example'", `'http://127.0.0.1:${port}'`],
      ["operatorKey: '…'", `operatorKey: '${keys.operator}'`],
      ["workspaceKey: '…'", `workspaceKey: '${keys.workspace}'`],
    ],
    'accountId',
  )
  expect(await platform.access.account(accountId)).toMatchObject({ slug: 'harbour', name: 'Harbour office' })
  expect(said.slice(0, -1).flat().sort()).toEqual(['Harbour office', 'One', 'Two'])
  expect(said.at(-1)).toEqual([expect.stringMatching(/^readBranch: /), expect.stringMatching(/./)])
})
