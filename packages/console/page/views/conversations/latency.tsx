import { say } from './texts.ts'
import type { Latency } from './woven.ts'

const PARTS = ['endpoint', 'stt', 'first_text', 'first_audio'] as const

/** Shows the latencies of a spoken turn: a bar with a part for each, from which a table unfolds. */
export function LatencyPlot({ of }: { readonly of: Latency }) {
  const parts = PARTS.flatMap(part => {
    const ms = of[`${part}_ms`]
    return ms === undefined ? [] : [{ part, ms }]
  })
  const sum = parts.reduce((total, { ms }) => total + ms, 0)
  return (
    <details class="work small">
      <summary>
        {say('latency')}
        <span class="latency" aria-hidden="true">
          {parts.map(({ part, ms }) => (
            <span key={part} class={`of-${part}`} style={{ flexGrow: ms }} />
          ))}
        </span>
        {say('latency.ms', { count: sum })}
      </summary>
      <table class="work-details">
        <tbody>
          {parts.map(({ part, ms }) => (
            <tr key={part}>
              <th scope="row">
                <span class={`latency-key of-${part}`} aria-hidden="true" /> {say(`latency.${part}`)}
              </th>
              <td>{say('latency.ms', { count: ms })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
