import type { ComponentType } from 'preact'
import type { Role } from '../session.ts'

/** A part of the console, which is loaded when somebody goes there. */
export interface Area {
  /** The first part of its address, and the key of its name. */
  readonly path: 'home' | 'agents' | 'conversations' | 'concurrency' | 'alerts' | 'desk' | 'settings'
  /** Role that a person needs to see it. */
  readonly role: Role
  /** Whether there is nothing to see without an account. */
  readonly needsAccount: boolean
  load(): Promise<{ readonly View: ComponentType }>
}

const watching = (name: 'Alerts' | 'Concurrency' | 'Conversations') => async () => ({
  View: (await import('./watching.ts'))[name],
})

/** All areas, in the order of the navigation. */
export const AREAS: readonly Area[] = [
  { path: 'home', role: 'reader', needsAccount: true, load: () => import('./home/index.tsx') },
  { path: 'agents', role: 'reader', needsAccount: true, load: () => import('./agents/index.tsx') },
  { path: 'conversations', role: 'reader', needsAccount: true, load: watching('Conversations') },
  { path: 'concurrency', role: 'reader', needsAccount: true, load: watching('Concurrency') },
  { path: 'alerts', role: 'reader', needsAccount: true, load: watching('Alerts') },
  { path: 'desk', role: 'desk', needsAccount: true, load: () => import('./desk/index.tsx') },
  { path: 'settings', role: 'operator', needsAccount: false, load: () => import('./settings/index.tsx') },
]
