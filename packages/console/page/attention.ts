import { signal } from '@preact/signals'

/** How many visitors wait for this person, or have said something that was not looked at; 0 before the desk is opened. */
export const attention = signal(0)
