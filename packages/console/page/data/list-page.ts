/** A page of a list; its cursor asks for the next one, and is null or left out at the end. */
export interface ListPage<Row> {
  readonly rows: readonly Row[]
  readonly cursor?: string | null
}
