import { readFileSync } from 'node:fs'

/** What a test file says of itself in a line `// Slow: why`; null where it has none (TS8). */
export const slownessOf = (file: string): string | null =>
  /^\/\/ Slow: (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? null
