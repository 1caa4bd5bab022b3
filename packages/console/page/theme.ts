import { effect } from '@preact/signals'
import { kept } from './kept.ts'

export const THEMES = ['system', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

/** The theme that the person chose. @default that of the device */
export const theme = kept<Theme>('theme', text => THEMES.find(one => one === text) ?? 'system')

effect(() => {
  if (theme.value === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme.value
})
