import type { Finding } from './fuzz-routes.ts'
import type { RouteRun } from './run-routes.ts'

/** Bytes for people. */
export const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`

/** Findings of one kind once, with how often they came and the first of them. */
function grouped(findings: readonly Finding[]): readonly string[] {
  const kinds = new Map<string, Finding[]>()
  for (const finding of findings) {
    const list = kinds.get(finding.what) ?? []
    list.push(finding)
    kinds.set(finding.what, list)
  }
  return [...kinds].map(
    ([what, list]) =>
      `${list.length} × ${what}, first after ${list[0]?.at} requests\n${list[0]?.request ?? ''}\n→ ${list[0]?.reply ?? ''}`,
  )
}

/** A run as text: what was asked of which route, how it was answered, the heap, and what must not have happened. */
export function reportOf(run: RouteRun): string {
  const statuses = [...new Set([...run.byRoute.values()].flatMap(counts => [...counts.keys()]))].sort()
  const width = Math.max(...[...run.byRoute.keys()].map(name => name.length))
  const line = (name: string, cells: readonly (string | number)[]): string =>
    `${name.padEnd(width)} ${cells.map(cell => String(cell).padStart(6)).join('')}`
  const rows = [...run.byRoute].map(([name, counts]) =>
    line(
      name,
      statuses.map(status => counts.get(status) ?? '·'),
    ),
  )
  const { before, warm, after } = run.memory
  return [
    line('', statuses),
    ...rows,
    `${run.requests} requests in ${run.rounds} rounds: ${[...run.byFault].map(([fault, count]) => `${fault} ${count}`).join(', ')}`,
    `${run.rawConnections} connections of damaged requests and of bytes that are not requests`,
    `memory: before ${megabytes(before)}, warm ${megabytes(warm)}, after ${megabytes(after)}`,
    `small requests at the end were answered with ${run.flooded.join(', ')}`,
    `the other account is ${run.otherUntouched ? 'as it was' : 'CHANGED'}`,
    `${run.findings.length} findings`,
    ...grouped(run.findings),
  ].join('\n')
}

/** Routes that no right request got through to. */
export const unreached = (run: RouteRun): readonly string[] =>
  [...run.byRoute].filter(([, counts]) => !counts.has('2xx')).map(([name]) => name)
