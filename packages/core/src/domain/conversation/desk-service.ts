import * as z from 'zod'

/** The name of a queue. */
export const queueNameSchema = z.string().min(1).max(200)

/** A skill of a live agent, such as a language or a subject. Compared character by character. */
export const skillSchema = z.string().min(1).max(100)

/** The schema of {@link DeskService}. */
export const deskServiceSchema = z.object({
  queues: z.array(queueNameSchema).max(50).readonly().nullable().exactOptional(),
  skills: z.array(skillSchema).max(50).readonly().exactOptional(),
  talksAtOnce: z.int().min(1).max(1_000).exactOptional(),
})

/** The visitors whom a live agent takes at the desk. */
export interface DeskService {
  /** The queues that the live agent serves, 50 at most; null: all. @default null */
  readonly queues?: readonly string[] | null
  /** The skills of the live agent, such as `de` or `billing`, 50 at most of up to 100 characters. @default none */
  readonly skills?: readonly string[]
  /** The most visitors at once, 1 to 1,000. @default the setting `talksAtOnce` */
  readonly talksAtOnce?: number
}
