import { readdir, readFile, readlink } from 'node:fs/promises'

/** Clock ticks of `/proc` a second: that of every Linux of today. */
const TICKS = 100
const LISTENS = '0A'

/** The fields of `/proc/<pid>/stat` after the name: state, parent, … */
const statOf = async (pid: string): Promise<readonly string[]> =>
  (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ').at(-1)?.split(' ') ?? []

/** The socket that listens on a port, as files of a process name it. */
async function socketOf(port: number): Promise<string | undefined> {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map(row => row.trim().split(/\s+/))
  const inode = rows.find(row => row[1]?.endsWith(ending) && row[3] === LISTENS)?.[9]
  return inode === undefined ? undefined : `socket:[${inode}]`
}

/** The processes that have a socket open. */
async function holders(socket: string): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
  const held = await Promise.all(
    pids.map(async pid => {
      const files = await readdir(`/proc/${pid}/fd`).catch(() => [])
      const links = await Promise.all(files.map(file => readlink(`/proc/${pid}/fd/${file}`).catch(() => '')))
      return links.includes(socket)
    }),
  )
  return pids.filter((_, index) => held[index])
}

/**
 * CPU so far of the server that listens on a port of this machine, and of its children, microseconds; null where that is
 * not to be seen, as for a server elsewhere, or of another user.
 */
export async function serverCpu(url: string): Promise<number | null> {
  const socket = await socketOf(Number(new URL(url).port)).catch(() => undefined)
  if (socket === undefined) return null
  const pids = await holders(socket)
  const oldest = pids[0]
  if (oldest === undefined) return null
  const children = (await readFile(`/proc/${oldest}/task/${oldest}/children`, 'utf8')).trim().split(' ')
  // Its children that have ended count in its own figures.
  const own = (await statOf(oldest)).slice(11, 15)
  const others = await Promise.all(
    children
      .filter(pid => pid !== '')
      .map(pid =>
        statOf(pid).then(
          stat => stat.slice(11, 13),
          () => [],
        ),
      ),
  )
  return ([own, ...others].flat().reduce((sum, ticks) => sum + Number(ticks), 0) * 1e6) / TICKS
}
