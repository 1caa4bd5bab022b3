import type { LauncherAnimation } from '../launcher/part.ts'

const MOVES: Readonly<Record<LauncherAnimation, PropertyIndexedKeyframes>> = {
  bounce: { translate: '0 -14px' },
  grow: { scale: '1.2' },
  pulse: { opacity: 0.3 },
}

/** Draws the visitor's eye to an element for two seconds; not that of who wants reduced motion. */
export function animate(launcher: HTMLElement, how: LauncherAnimation): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  for (const one of launcher.getAnimations()) one.cancel()
  launcher.animate(MOVES[how], { id: how, duration: 300, iterations: 6, direction: 'alternate' })
}
