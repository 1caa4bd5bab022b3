/**
 * Turns texts into vectors, so that texts of like meaning lie in like directions. A model in this process, in another
 * one, or a service; retrieval uses it beside its own scores, and does without it when it fails.
 */
export interface Embedder {
  /** Names the model and its version. Vectors of different ids are never compared. */
  readonly id: string
  /**
   * One vector for each text, in the order of the texts. All vectors of one embedder have the same dimension and only
   * finite numbers; their length does not matter, but is not nought. Equal texts get equal vectors, in whatever batch
   * they come. `texts` is not empty; in a batch there are up to some dozens of texts. Rejects when it cannot embed all
   * of them: there are no gaps. `signal` aborts when the vectors are no longer needed. Must not block the event loop
   * for long: a model in this process belongs into a worker thread.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>
}
