import { useServer } from '@colloquy/test-support/servers'
import { inPostgres } from './stored-files.ts'
import { testBytes } from './test-bytes.ts'

// Slow: each store has a database of its own, whose tables are made first.

testBytes(inPostgres(await useServer('postgres')))
