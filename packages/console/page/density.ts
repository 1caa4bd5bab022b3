import { effect } from '@preact/signals'
import { kept } from './kept.ts'

export const DENSITIES = ['roomy', 'compact'] as const
type Density = (typeof DENSITIES)[number]

/** Spacing of the page that the person chose. @default roomy */
export const density = kept<Density>('density', text => DENSITIES.find(one => one === text) ?? 'roomy')

effect(() => {
  if (density.value === 'roomy') delete document.documentElement.dataset.density
  else document.documentElement.dataset.density = density.value
})
