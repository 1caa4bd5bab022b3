// Loaded before a server (`node --import`): its wall clock is off by `CLOCK_OFFSET` milliseconds, and at each SIGUSR2 by the next of `CLOCK_STEPS`.
const Real = globalThis.Date
const steps = (process.env.CLOCK_STEPS ?? '').split(',').map(Number)
let offset = Number(process.env.CLOCK_OFFSET ?? 0)
let step = 0

globalThis.Date = class OffDate extends Real {
  constructor(...given) {
    super(...(given.length === 0 ? [OffDate.now()] : given))
  }
  static now() {
    return Real.now() + offset
  }
}

process.on('SIGUSR2', () => {
  offset = steps[step++ % steps.length]
})
