import type { Log } from '../ports/log.ts'

/**
 * The log of a host that sets none (EM2): warnings and errors go to the console, the rest is left out. It keeps silent
 * if there is no console, and where writing to it fails.
 */
export const consoleLog: Log = {
  debug() {},
  info() {},
  warn: (message, fields) => write('warn', message, fields),
  error: (message, fields) => write('error', message, fields),
}

function write(level: 'warn' | 'error', message: string, fields?: Readonly<Record<string, unknown>>): void {
  try {
    globalThis.console[level](`[colloquy] ${message}`, ...(fields === undefined ? [] : [fields]))
  } catch {
    // Nowhere left to report the error.
  }
}
