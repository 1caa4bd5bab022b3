import { createVoicesApi } from '@colloquy/client/voices'
import { createScriptedSpeech } from '@colloquy/core/testing'
import { createFetchHandler } from '@colloquy/core/transport'
import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { expect, test } from 'vitest'
import { isOffered } from '../page/views/settings/voice-of.ts'

test('what the provider offers is told from what was added, whatever the brand of the host', async () => {
  const { keys, platform } = await createPopulatedPlatform({ speechProvider: createScriptedSpeech() })
  const handle = createFetchHandler(platform, { allowInsecure: true, address: () => '127.0.0.1' })
  const api = createVoicesApi({
    server: 'http://host.example',
    credentials: { workspaceKey: keys.workspace },
    fetch: async (url, init) => (await handle(new Request(url, init))) ?? new Response(null, { status: 404 }),
  })
  await api.createVoice({
    accountId: 'one',
    body: { name: 'Night desk', provider: 'OPENAI', providerVoiceId: 'ash', config: {} },
  })
  const { voices } = await api.listVoices({ accountId: 'one' })
  expect(voices.map(voice => [voice.name, isOffered(voice)])).toEqual([
    ['Night desk', false],
    ['Ada', true],
    ['Grace', true],
  ])
})
