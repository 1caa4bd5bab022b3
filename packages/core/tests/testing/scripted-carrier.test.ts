import { testTextCarrier } from '../../src/testing/contracts/index.ts'
import { createScriptedCarrier } from '../../src/testing/index.ts'

testTextCarrier('scripted', {
  async open() {
    const carrier = createScriptedCarrier()
    return {
      carrier,
      taken: async () => carrier.taken.map(({ to, text }) => ({ to, text })),
      fault(fault) {
        if (fault === 'refuses') carrier.script({ refused: 'No such number.' })
        else if (fault === 'is busy') carrier.script({ retryAfter: 1_000 })
        else carrier.script(fault)
      },
    }
  },
})
