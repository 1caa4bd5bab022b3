import { useEffect, useRef, useState } from 'preact/hooks'
import type uPlot from 'uplot'
import { written } from '../../texts/language.ts'
import { theme } from '../../theme.ts'
import type { Peaks } from './series.ts'
import { say } from './texts.ts'

const HEIGHT = 260

/** Number of colours of a plot. More series than these repeat them, dashed. */
const COLOURS = 4

/** Returns the colour of a style in the form that a canvas takes. */
const colourOf = (element: Element, name: string): string => {
  const probe = document.createElement('span')
  probe.className = name
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

const DAY = { day: 'numeric', month: 'short' } as const

/** In a plot by day: days are those of UTC, wherever the person is. */
const UTC_DAY = { ...DAY, timeZone: 'UTC' } as const

/** Seconds between the marks of a plot by day: UTC has no days of other lengths. */
const DAYS = [1, 2, 7, 14, 28, 91].map(days => days * 86_400)

/** A date whose local fields are those of UTC. */
const inUtc = (seconds: number): Date => {
  const date = new Date(seconds * 1_000)
  return new Date(date.getTime() + date.getTimezoneOffset() * 60_000)
}

interface Drawn {
  readonly isByDay: boolean
  readonly onPoint: (at: number) => void
}

function optionsOf(box: HTMLElement, { series }: Peaks, { isByDay, onPoint }: Drawn): uPlot.Options {
  const axis = {
    stroke: colourOf(box, 'plot-text'),
    grid: { stroke: colourOf(box, 'plot-line'), width: 1 },
    ticks: { stroke: colourOf(box, 'plot-line'), width: 1 },
    font: '12px system-ui, sans-serif',
  }
  const name = (seconds: number, step: number): string => {
    const date = new Date(seconds * 1_000)
    const isHour = !isByDay && step < 86_400 && date.getHours() + date.getMinutes() > 0
    return written(seconds * 1_000, isByDay ? UTC_DAY : isHour ? { hour: '2-digit', minute: '2-digit' } : DAY)
  }
  return {
    width: box.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { drag: { x: false, y: false } },
    hooks: { setCursor: [({ cursor: { idx } }) => typeof idx === 'number' && onPoint(idx)] },
    ...(isByDay ? { tzDate: inUtc } : {}),
    scales: { y: { range: (_, __, most) => [0, Math.max(1, Math.ceil(most * 1.1))] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        ...(isByDay ? { incrs: DAYS } : {}),
        values: (_, splits, __, ___, step) => splits.map(one => name(one, step)),
      },
      { ...axis, size: 44, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000] },
    ],
    series: [
      {},
      ...series.map((_, at) => {
        const stroke = colourOf(box, `plot-${(at % COLOURS) + 1}`)
        return {
          stroke,
          width: 1.5,
          // One line has its ground tinted; those of several would hide each other.
          ...(series.length > 1 ? {} : { fill: stroke.replace(')', ', 0.1)') }),
          ...(at < COLOURS ? {} : { dash: [4, 4] }),
          points: { show: false },
        }
      }),
    ],
  }
}

interface PlotProps {
  /** Description of the plot for people who do not see it. */
  readonly label: string
  readonly peaks: Peaks
  /** Each time is a day of UTC. */
  readonly isByDay?: boolean
  /** Returns the name to show for a series. */
  readonly nameOf: (name: string) => string
}

/**
 * Shows the figures as lines, with those of one moment in words: the moment that is pointed at, or that the slider
 * below says, which the keyboard moves. Its library comes when there is something to draw.
 */
export function Plot({ isByDay = false, label, peaks, nameOf }: PlotProps) {
  const box = useRef<HTMLDivElement>(null)
  const drawing = useRef<uPlot | null>(null)
  const last = peaks.times.length - 1
  const [chosen, setChosen] = useState(last)
  const at = Math.min(chosen, last)
  const isThemed = theme.value
  useEffect(() => {
    const element = box.current
    if (element === null) return
    let isGone = false
    const dark = matchMedia('(prefers-color-scheme: dark)')
    const draw = async (): Promise<void> => {
      const { default: Drawing } = await import('uplot')
      if (isGone) return
      drawing.current?.destroy()
      const data = [[...peaks.times], ...peaks.series.map(one => [...one.peaks])]
      const options = optionsOf(element, peaks, { isByDay, onPoint: setChosen })
      drawing.current = new Drawing(options, data as uPlot.AlignedData, element)
    }
    const redraw = (): void => void draw()
    const sized = new ResizeObserver(() =>
      drawing.current?.setSize({ width: element.clientWidth, height: HEIGHT }),
    )
    redraw()
    sized.observe(element)
    dark.addEventListener('change', redraw)
    return () => {
      isGone = true
      sized.disconnect()
      dark.removeEventListener('change', redraw)
      drawing.current?.destroy()
      drawing.current = null
    }
  }, [peaks, isByDay, isThemed])
  const figures = peaks.series.map(one => `${nameOf(one.name)}: ${one.peaks[at] ?? '–'}`)
  const words = [written((peaks.times[at] ?? 0) * 1_000, isByDay ? UTC_DAY : undefined), ...figures].join(
    ' · ',
  )
  const move = (to: number): void => {
    setChosen(to)
    const { current: plot } = drawing
    plot?.setCursor({ left: plot.valToPos(peaks.times[to] ?? 0, 'x'), top: 0 }, false)
  }
  return (
    <div class="stack tight">
      <div class="plot" ref={box} role="img" aria-label={label} />
      <input
        class="moment"
        type="range"
        min={0}
        max={last}
        value={at}
        aria-label={say('moment')}
        aria-valuetext={words}
        onInput={event => move(event.currentTarget.valueAsNumber)}
      />
      <output class="small">{words}</output>
    </div>
  )
}
