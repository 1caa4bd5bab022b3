/** The body of an answer that is read as it comes, as `fetch` gives it. */
export interface StreamBody {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
    cancel(): Promise<void>
  }
}

/** An answer over HTTP whose body is read as it comes, as `fetch` gives it. */
export interface StreamAnswer {
  readonly ok: boolean
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: StreamBody | null
}

/** Calls over HTTP, as `fetch` does. */
export type StreamFetch = (
  url: string,
  request: {
    readonly method: string
    readonly headers: Record<string, string>
    readonly body?: string
    readonly signal?: AbortSignal
  },
) => Promise<StreamAnswer>
