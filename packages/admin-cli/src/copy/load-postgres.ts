import { Failure } from '../failure.ts'

type Adapter = typeof import('@colloquy/adapter-postgres')

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'

/**
 * Returns the adapter for PostgreSQL, an optional package.
 *
 * @throws Failure with the command to install it
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
