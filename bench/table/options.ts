/** How much is measured; each bench has defaults of its own. */
export interface BenchOptions {
  readonly rounds?: number
  /** That load is measured in each round. */
  readonly seconds?: number
  /** In the largest store of `growth-postgres`. */
  readonly conversations?: number
}
