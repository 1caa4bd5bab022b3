import { expect, it } from 'vitest'
import { listeners, surroundings, traces } from '../process-traces.ts'

/** What a change has left, until it was put back. */
function leftBy(change: () => () => void): readonly string[] {
  const [found, heard] = [surroundings(), listeners()]
  const putBack = change()
  const left = [...traces(found, surroundings()), ...traces(heard, listeners())]
  putBack()
  expect([...traces(found, surroundings()), ...traces(heard, listeners())]).toEqual([])
  return left
}

const replaced = (target: object, name: string) => () => {
  const was = Reflect.get(target, name)
  Reflect.set(target, name, () => {})
  return () => void Reflect.set(target, name, was)
}

it('TS3 a file that changes its process and does not put it back is found', () => {
  expect(leftBy(replaced(globalThis, 'fetch'))).toEqual(['globalThis.fetch'])
  expect(leftBy(replaced(globalThis, 'setTimeout'))).toEqual(['globalThis.setTimeout'])
  expect(leftBy(replaced(console, 'error'))).toEqual(['console.error'])
  expect(leftBy(replaced(Date, 'now'))).toEqual(['Date.now'])
  expect(leftBy(replaced(JSON, 'parse'))).toEqual(['JSON.parse'])
  const environment = leftBy(() => {
    process.env.COLLOQUY_LEFT = 'yes'
    return () => void Reflect.deleteProperty(process.env, 'COLLOQUY_LEFT')
  })
  expect(environment).toEqual(['environment COLLOQUY_LEFT'])
  const listening = leftBy(() => {
    const listener = () => {}
    process.on('SIGUSR2', listener)
    return () => void process.off('SIGUSR2', listener)
  })
  expect(listening).toEqual(['listeners of SIGUSR2'])
})

it('TS3 what a module brings when it is loaded may stay', () => {
  const found = surroundings()
  Reflect.set(globalThis, 'broughtAlong', 1)
  expect(traces(found, surroundings())).toEqual([])
  Reflect.deleteProperty(globalThis, 'broughtAlong')
})

it('TS3 another copy of the functions of compiled TypeScript may replace the last one', () => {
  Reflect.set(globalThis, '__extends', () => {})
  expect(leftBy(replaced(globalThis, '__extends'))).toEqual([])
  Reflect.deleteProperty(globalThis, '__extends')
})
