import { testCallProvider } from '../../src/testing/contracts/index.ts'
import { createScriptedCallProvider } from '../../src/testing/index.ts'

testCallProvider('scripted', {
  async open() {
    const provider = createScriptedCallProvider()
    return {
      provider,
      taken: async () => provider.taken.map(({ id, to, from }) => ({ id, to, from })),
      fault: fault => provider.script(fault),
    }
  },
})
