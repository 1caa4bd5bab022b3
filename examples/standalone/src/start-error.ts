/** Why the server cannot start, in a line that tells a person what to change. Shown without a stack trace. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
