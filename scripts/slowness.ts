import { readFileSync } from 'node:fs'

/** Returns the reason in a test file's line `// Slow: why`; null if it has none (TS3). */
export const slownessOf = (file: string): string | null =>
  /^\/\/ Slow: (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? null
