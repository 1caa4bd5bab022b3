import { setTimeout as pause } from 'node:timers/promises'
import { createFakeClock } from '@colloquy/core/testing'
import { expect, test } from 'vitest'
import { patientClock } from '../fuzz/patient.ts'

test('of two tasks that are due at one moment the second sees what the first has stored, however long that takes', async () => {
  const inProgress = new Set<Promise<void>>()
  const clock = patientClock(createFakeClock(), async () => {
    await Promise.all(inProgress)
  })
  const said: string[] = []
  const store = async (): Promise<void> => {
    await pause(20)
    said.push('stored')
  }
  clock.schedule(10, () => {
    const call = store().finally(() => inProgress.delete(call))
    inProgress.add(call)
  })
  clock.schedule(10, () => said.push('looked'))
  const cancel = clock.schedule(10, () => said.push('cancelled'))
  clock.schedule(10, cancel)
  await clock.advance(5)
  expect(said).toEqual([])
  cancel()
  await clock.advance(5)
  expect(said).toEqual(['stored', 'looked'])
})
