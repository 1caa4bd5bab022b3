/** What a process did to a file of the traced folder, or to the folder. */
export type DiskOperation =
  | {
      readonly type: 'open'
      readonly descriptor: number
      readonly path: string
      readonly makes: boolean
      readonly empties: boolean
    }
  | { readonly type: 'close' | 'sync'; readonly descriptor: number }
  | { readonly type: 'write'; readonly descriptor: number; readonly at: number; readonly bytes: Buffer }
  | { readonly type: 'resize'; readonly descriptor: number; readonly size: number }
  | { readonly type: 'unlink' | 'makeFolder'; readonly path: string }

/** The numbers of the operations in `disk-trace.c`. */
const TYPES = ['open', 'close', 'write', 'resize', 'sync', 'unlink', 'makeFolder'] as const
const HEAD_BYTES = 24

function operationOf(
  type: DiskOperation['type'] | undefined,
  descriptor: number,
  at: number,
  bytes: Buffer,
): DiskOperation {
  switch (type) {
    case 'open':
      return { type, descriptor, path: bytes.toString(), makes: (at & 1) !== 0, empties: (at & 2) !== 0 }
    case 'close':
    case 'sync':
      return { type, descriptor }
    case 'write':
      return { type, descriptor, at, bytes }
    case 'resize':
      return { type, descriptor, size: at }
    case 'unlink':
    case 'makeFolder':
      return { type, path: bytes.toString() }
    case undefined:
      throw new Error('The trace has an operation that nothing is known of.')
  }
}

/** What `disk-trace.c` has written down, in its order. */
export function readTrace(trace: Buffer): readonly DiskOperation[] {
  const operations: DiskOperation[] = []
  for (let place = 0; place < trace.length; ) {
    const begin = place + HEAD_BYTES
    const end = begin + Number(trace.readBigUInt64LE(place + 16))
    operations.push(
      operationOf(
        TYPES[trace.readUInt32LE(place) - 1],
        trace.readInt32LE(place + 4),
        Number(trace.readBigUInt64LE(place + 8)),
        trace.subarray(begin, end),
      ),
    )
    place = end
  }
  return operations
}
