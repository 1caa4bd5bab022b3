import { testCallProvider } from '../../src/testing/contracts/index.ts'
import { createScriptedCallProvider } from '../../src/testing/index.ts'

async function open() {
  const provider = createScriptedCallProvider()
  return {
    provider,
    taken: async () => provider.taken.map(({ id, to, from }) => ({ id, to, from })),
    fault: (fault: 'refuses' | 'hangs') => provider.script(fault),
  }
}

testCallProvider('scripted', {
  open,
  async openAsked() {
    const opened = await open()
    const { provider } = opened
    const idOf = (asked: string) => provider.taken.find(({ providerId }) => providerId === asked)?.id ?? ''
    return {
      ...opened,
      hangAtQuestion: async () => provider.scriptStatus('hangs'),
      stand: (providerId, type) =>
        provider.stand(
          idOf(providerId),
          type === 'failed' ? { type, reason: 'The line was busy.' } : { type },
        ),
    }
  },
})
