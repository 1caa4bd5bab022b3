/** Path of each icon, on a field of 24 by 24, as one line. */
const LINES = {
  account: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M4.5 20c.8-3.7 3.8-5 7.5-5s6.7 1.3 7.5 5',
  agents:
    'M6.5 4h11A2.5 2.5 0 0 1 20 6.5v7a2.5 2.5 0 0 1-2.5 2.5H11l-4.5 4v-4A2.5 2.5 0 0 1 4 13.5v-7A2.5 2.5 0 0 1 6.5 4M9.5 9v2m5-2v2',
  alerts: 'M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15zM10 20.5a2 2 0 0 0 4 0',
  branch:
    'M7 8v8m0 0a2 2 0 1 0 0 4 2 2 0 0 0 0-4M7 4a2 2 0 1 0 0 4 2 2 0 0 0 0-4m10 0a2 2 0 1 0 0 4 2 2 0 0 0 0-4m0 4c0 5-10 3-10 8',
  concurrency: 'M4 4v16h16M8.5 16v-4m4 4V8m4 8v-6',
  content: 'M6 3h8l4 4v14H6zm8 0v4h4M9 12h6m-6 4h6',
  conversations:
    'M5 4h8a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2H8l-3 3v-3a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2m13.5 5h.5a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2v3l-3-3h-4.5a2 2 0 0 1-2-2',
  desk: 'M4 15v-3a8 8 0 0 1 16 0v3M4 14h3v5H6a2 2 0 0 1-2-2zm16 0h-3v5h1a2 2 0 0 0 2-2zm-2 5c0 1.5-2 2-4.5 2',
  key: 'M11.5 9H21v3h-2v3h-3v-3h-4.5a4 4 0 1 1 0-3M8 10.5v.01',
  log: 'M5 6h14M5 12h14M5 18h9',
  phone: 'M5 4h4l2 5-2.5 1.5a11 11 0 0 0 5 5L15 13l5 2v4a1 1 0 0 1-1 1A15 15 0 0 1 4 5a1 1 0 0 1 1-1',
  settings: 'M4 7h9m4 0h3M4 17h3m4 0h9M15 5v4M9 15v4',
  tests: 'm4 7 1.5 1.5L8.5 5.5M4 17l1.5 1.5 3-3M12 7h8m-8 10h8',
  voices: 'M5 10v4m4-8v12m4-9v6m4-11v16m4-10v4',
  webhooks: 'M4 12h12m-4-5 5 5-5 5M20 5v14',
} as const

/** Name of an icon. */
export type IconName = keyof typeof LINES

/** A sign beside words, for eyes alone. It has the colour of the text around it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={LINES[name]} />
    </svg>
  )
}

/** The mark of the console: two who talk with each other. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <path
        class="second"
        d="M14 11h12a4 4 0 0 1 4 4v7a4 4 0 0 1-4 4v4l-5-4h-7a4 4 0 0 1-4-4v-7a4 4 0 0 1 4-4"
      />
      <path
        class="first"
        d="M6 3h13a4 4 0 0 1 4 4v7a4 4 0 0 1-4 4h-7l-5 4.5V18H6a4 4 0 0 1-4-4V7a4 4 0 0 1 4-4"
      />
    </svg>
  )
}
