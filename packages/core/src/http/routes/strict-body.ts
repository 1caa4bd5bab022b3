import * as z from 'zod'

/** An object whose fields are these alone: a slip of the pen would be something else (WH39). */
export const strictBody = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: issue =>
      issue.code === 'unrecognized_keys'
        ? `${issue.keys.map(key => JSON.stringify(key)).join(', ')} is not one of its fields; they are ${Object.keys(shape).join(', ')}`
        : undefined,
  })
