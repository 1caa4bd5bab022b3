/** Sizes of the measurement. Each bench has its own defaults. */
export interface BenchOptions {
  readonly rounds?: number
  /** That load is measured in each round. */
  readonly seconds?: number
  /** In the store under the console. */
  readonly conversations?: number
}
