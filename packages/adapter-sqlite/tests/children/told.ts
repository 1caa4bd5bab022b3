import { openSync, writeSync } from 'node:fs'

/** Says to the outside world what was acknowledged, a line each: nothing takes back what was said. */
export function createTeller(file: string): (line: string) => void {
  const descriptor = openSync(file, 'a')
  return line => {
    writeSync(descriptor, `${line}\n`)
  }
}
