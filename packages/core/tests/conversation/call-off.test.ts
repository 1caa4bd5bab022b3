import { describe, expect, it } from 'vitest'
import { CallOff } from '../../src/usecases/conversation/turn/call-off.ts'

describe('calling a turn off', () => {
  it('RN20 tells those who listen, then the host, each once and with the first reason', () => {
    const callOff = new CallOff()
    const heard: string[] = []
    callOff.listen(() => heard.push('first'))
    const stop = callOff.listen(() => heard.push('gone'))
    callOff.listen(() => heard.push('second'))
    const { signal } = callOff
    signal.addEventListener('abort', () => heard.push('host'))
    stop()
    stop()
    callOff.abort('why')
    callOff.abort('other')
    expect(heard).toEqual(['first', 'second', 'host'])
    expect(callOff).toMatchObject({ done: true, reason: 'why' })
    expect(signal.reason).toBe('why')
    callOff.listen(() => heard.push('late'))
    expect(heard.at(-1)).toBe('late')
  })

  it('RN20 hands out one signal, which has aborted where it comes too late', () => {
    const callOff = new CallOff()
    expect(callOff.signal).toBe(callOff.signal)
    expect(callOff.signal.aborted).toBe(false)
    const late = new CallOff()
    late.abort('why')
    expect(late.signal).toMatchObject({ aborted: true, reason: 'why' })
  })
})
