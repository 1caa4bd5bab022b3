/** A step that did not give what the contract says, or options that are not right. Shown without a stack trace. */
export class Failure extends Error {
  override readonly name = 'Failure'
}

/** @throws Failure with the message unless the condition holds */
export function check(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Failure(message)
}
