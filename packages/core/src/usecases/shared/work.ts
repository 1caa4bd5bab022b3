import { EventEmitter } from 'eventemitter3'

/**
 * What one part of the platform has left for a worker of the same process. Made before both, so neither has to know the
 * other; where no worker listens, another process finds the work in the store.
 */
export type Work = EventEmitter<'test_runs'>

/** An emitter without listeners. */
export const createWork = (): Work => new EventEmitter()
