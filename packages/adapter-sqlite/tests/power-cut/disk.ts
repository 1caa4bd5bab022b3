import type { Random } from '@colloquy/test-support/random'
import type { DiskOperation } from './trace.ts'

/** What a folder holds: the bytes of each file by its path, and null for each folder. Paths are absolute. */
export type Files = ReadonlyMap<string, Buffer | null>

type Change =
  | { readonly type: 'write'; readonly at: number; readonly bytes: Buffer }
  | { readonly type: 'resize'; readonly size: number }

interface FileNode {
  readonly kind: 'file'
  /** What a power cut leaves in any case. */
  durable: Buffer
  /** What came since the file was last synced, in its order. */
  pending: Change[]
}

interface FolderNode {
  readonly kind: 'folder'
  durable: ReadonlyMap<string, Node>
  readonly now: Map<string, Node>
  /** Names that were given or taken since the folder was last synced, in their order. */
  pending: { readonly name: string; readonly node: Node | null }[]
}

type Node = FileNode | FolderNode

/** A disk that keeps what was synced, and of everything else what it happens to have written. */
export interface Disk {
  apply(operation: DiskOperation): void
  /** What the process sees. */
  now(): Files
  /** What the next start sees when the power fails now. */
  afterPowerCut(random: Random): Files
}

const emptyFolder = (): FolderNode => ({ kind: 'folder', durable: new Map(), now: new Map(), pending: [] })

function resized(bytes: Buffer, size: number): Buffer {
  if (size <= bytes.length) return bytes.subarray(0, size)
  const longer = Buffer.alloc(size)
  bytes.copy(longer)
  return longer
}

/** The bytes of a file after changes to it. What lies between its end and a later write is zero. */
function changed(before: Buffer, changes: readonly Change[]): Buffer {
  let [size, longest] = [before.length, before.length]
  for (const change of changes) {
    size = change.type === 'resize' ? change.size : Math.max(size, change.at + change.bytes.length)
    longest = Math.max(longest, size)
  }
  const bytes = resized(Buffer.from(before), longest)
  let end = before.length
  for (const change of changes) {
    if (change.type === 'write') {
      change.bytes.copy(bytes, change.at)
      end = Math.max(end, change.at + change.bytes.length)
    } else {
      bytes.fill(0, change.size, Math.max(end, change.size))
      end = change.size
    }
  }
  return bytes.subarray(0, size)
}

/** Those of some changes that the disk had written: none, all, the first, or any, whatever their order. */
function some<Item>(items: readonly Item[], random: Random): readonly Item[] {
  const share = random.pick([0.1, 0.5, 0.9])
  return random.pick<() => readonly Item[]>([
    () => [],
    () => items,
    () => items.slice(0, random.below(items.length + 1)),
    () => items.filter(() => random.chance(share)),
  ])()
}

/** A change as the disk makes it: a write in sectors of so many bytes, each of which it makes or does not make. */
function inSectors(change: Change, sector: number): readonly Change[] {
  if (change.type === 'resize') return [change]
  const pieces: Change[] = []
  const { at, bytes } = change
  for (let from = at; from < at + bytes.length; ) {
    const to = Math.min((Math.floor(from / sector) + 1) * sector, at + bytes.length)
    pieces.push({ type: 'write', at: from, bytes: bytes.subarray(from - at, to - at) })
    from = to
  }
  return pieces
}

function fileAfterPowerCut({ durable, pending }: FileNode, random: Random): Buffer {
  if (pending.length === 0) return durable
  const sector = random.pick([512, 4_096, Number.MAX_SAFE_INTEGER])
  const kept = some(
    pending.flatMap(change => inSectors(change, sector)),
    random,
  )
  const bytes = changed(durable, kept)
  // A file system may keep the length of a file before it keeps the bytes.
  return random.chance(0.2) ? resized(bytes, changed(durable, pending).length) : bytes
}

/** SQLite maps the index of the write-ahead log into memory: the trace does not have its bytes, and a start needs none of them. */
const isMapped = (path: string): boolean => path.endsWith('-shm')

const anyBytes = (length: number, random: Random): Buffer =>
  Buffer.from(Uint8Array.from({ length }, () => random.below(256)))

function foldersAfterPowerCut(
  folder: FolderNode,
  path: string,
  random: Random,
  files: Map<string, Buffer | null>,
) {
  const names = new Map(folder.durable)
  for (const { name, node } of some(folder.pending, random)) {
    if (node === null) names.delete(name)
    else names.set(name, node)
  }
  for (const [name, node] of names) {
    const inner = `${path}/${name}`
    if (node.kind === 'folder') {
      files.set(inner, null)
      foldersAfterPowerCut(node, inner, random, files)
    } else {
      const bytes = fileAfterPowerCut(node, random)
      files.set(inner, isMapped(inner) ? anyBytes(bytes.length, random) : bytes)
    }
  }
}

function filesNow(folder: FolderNode, path: string, files: Map<string, Buffer | null>) {
  for (const [name, node] of folder.now) {
    const inner = `${path}/${name}`
    if (node.kind === 'folder') {
      files.set(inner, null)
      filesNow(node, inner, files)
    } else files.set(inner, changed(node.durable, node.pending))
  }
}

/** What a disk is told. */
export interface DiskOptions {
  /** The folder that it holds. It, and what is in it at first, is durable. */
  readonly folder: string
  readonly files: Files
  /** False: it says that it has synced a file or a folder, and does not do so. @default true */
  readonly syncs?: boolean
}

/** A disk that holds one folder. */
export function createDisk({ folder, files, syncs = true }: DiskOptions): Disk {
  const root = emptyFolder()
  const open = new Map<number, Node>()

  const find = (path: string): Node | undefined => {
    let node: Node | undefined = root
    for (const name of path.slice(folder.length).split('/').filter(Boolean))
      node = node?.kind === 'folder' ? node.now.get(name) : undefined
    return node
  }
  const put = (path: string, node: Node | null): FolderNode => {
    const cut = path.lastIndexOf('/')
    const [parent, name] = [find(path.slice(0, cut)), path.slice(cut + 1)]
    if (parent?.kind !== 'folder') throw new Error(`The trace has no folder for ${path}.`)
    if (node === null) parent.now.delete(name)
    else parent.now.set(name, node)
    parent.pending.push({ name, node })
    return parent
  }
  const sync = (node: Node): void => {
    if (node.kind === 'file') node.durable = changed(node.durable, node.pending)
    else node.durable = new Map(node.now)
    node.pending = []
  }
  const opened = (descriptor: number): Node => {
    const node = open.get(descriptor)
    if (node === undefined) throw new Error(`The trace has not opened ${descriptor}.`)
    return node
  }
  const openedFile = (descriptor: number): FileNode => {
    const node = opened(descriptor)
    if (node.kind !== 'file') throw new Error(`The trace writes to ${descriptor}, which is a folder.`)
    return node
  }
  const openFile = (path: string, makes: boolean, empties: boolean): Node => {
    const found = find(path)
    if (found === undefined && !makes) throw new Error(`The trace opens ${path}, which is not there.`)
    const node: Node = found ?? { kind: 'file', durable: Buffer.alloc(0), pending: [] }
    if (found === undefined) put(path, node)
    if (empties && node.kind === 'file') node.pending.push({ type: 'resize', size: 0 })
    return node
  }

  for (const [path, bytes] of files)
    sync(put(path, bytes === null ? emptyFolder() : { kind: 'file', durable: bytes, pending: [] }))

  return {
    apply(operation) {
      switch (operation.type) {
        case 'open':
          open.set(operation.descriptor, openFile(operation.path, operation.makes, operation.empties))
          break
        case 'close':
          open.delete(operation.descriptor)
          break
        case 'write':
        case 'resize':
          openedFile(operation.descriptor).pending.push(operation)
          break
        case 'sync':
          if (syncs) sync(opened(operation.descriptor))
          break
        case 'unlink':
          put(operation.path, null)
          break
        case 'makeFolder':
          put(operation.path, emptyFolder())
          break
      }
    },
    now() {
      const found = new Map<string, Buffer | null>()
      filesNow(root, folder, found)
      return found
    },
    afterPowerCut(random) {
      const found = new Map<string, Buffer | null>()
      foldersAfterPowerCut(root, folder, random, found)
      return found
    },
  }
}
