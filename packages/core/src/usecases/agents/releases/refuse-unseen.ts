import * as z from 'zod'
import { PlatformError } from '../../../errors.ts'

/** The versions that a release takes and replaces, as its caller has seen them (AG121). */
export interface Seen {
  /** The branch's version, which each of its edits moves on. */
  readonly branchVersion?: number
  /** Main's newest revision. */
  readonly mainRevision?: number
  /** The deployment that the environment ran. Null for none. */
  readonly activeDeploymentId?: string | null
}

const version = z.int().min(0).exactOptional()
const deployment = z.string().nullable().exactOptional()

const fields = { branchVersion: version, mainRevision: version, activeDeploymentId: deployment }

/** Returns the schema of `expected`, with the fields on which a release depends. */
export const seenSchema = <Field extends keyof Seen>(...names: readonly Field[]) =>
  z.strictObject(Object.fromEntries(names.map(name => [name, fields[name]])) as Pick<typeof fields, Field>)

const WORDS: Readonly<Record<keyof Seen, string>> = {
  branchVersion: 'The branch has',
  mainRevision: 'Main has',
  activeDeploymentId: 'What the environment runs has',
}

/**
 * Refuses what is not what was seen, so that what is confirmed is what was shown (AG121). Only the given fields are
 * compared.
 *
 * @param preview what it would be now, for the body of the refusal
 * @throws CONTENT_CHANGED
 */
export async function refuseUnseen<Field extends keyof Seen>(
  current: Required<Pick<Seen, Field>>,
  expected: Partial<Pick<Seen, Field>> | undefined,
  preview: () => Promise<object> = async () => ({}),
): Promise<void> {
  const names = Object.keys(current) as Field[]
  const changed = names.filter(name => expected?.[name] !== undefined && expected[name] !== current[name])
  const [first] = changed
  if (first === undefined) return
  const message = `${WORDS[first]} changed since it was shown; look at what it would be now, and confirm that.`
  throw new PlatformError('CONTENT_CHANGED', message, { body: { changed, ...(await preview()) } })
}
