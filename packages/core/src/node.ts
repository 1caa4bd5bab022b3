/** The oldest Node that Colloquy supports, as in `engines` of each package. */
const OLDEST = [22, 18] as const

/**
 * Returns why Colloquy does not run on a version of Node, or null if it does. Programs check this before they load
 * anything else: on an older Node the driver of SQLite ends the process without a message.
 *
 * @param version such as `process.versions.node`
 */
export function nodeObjection(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldestMajor, oldestMinor] = OLDEST
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return null
  return `Node ${version} is too old for Colloquy. Use Node ${OLDEST.join('.')} or newer.`
}
