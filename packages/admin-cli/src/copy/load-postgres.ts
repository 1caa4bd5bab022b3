import { Failure } from '../failure.ts'

type Adapter = typeof import('@colloquy/adapter-postgres')

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'

/**
 * The adapter for PostgreSQL, which those need who have a store there.
 *
 * @throws Failure that says how it is installed
 */
export async function loadPostgres(
  load: () => Promise<Adapter> = () => import('@colloquy/adapter-postgres'),
): Promise<Adapter> {
  try {
    return await load()
  } catch (error) {
    if (!isMissing(error)) throw error
    throw new Failure(
      'A store in PostgreSQL needs two more packages: npm install @colloquy/adapter-postgres pg, beside @colloquy/admin-cli.',
    )
  }
}
