import * as z from 'zod'

/** An object that JSON can carry. */
export const jsonObject = z.record(z.string(), z.json())
