/** Path of each icon, on a field of 24 by 24, as one line. Drawn for the console, in one weight and with round ends. */
const LINES = {
  account: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M4.5 20c.8-3.7 3.8-5 7.5-5s6.7 1.3 7.5 5',
  add: 'M12 5v14M5 12h14',
  agents:
    'M6.5 4h11A2.5 2.5 0 0 1 20 6.5v7a2.5 2.5 0 0 1-2.5 2.5H11l-4.5 4v-4A2.5 2.5 0 0 1 4 13.5v-7A2.5 2.5 0 0 1 6.5 4M9.5 9v2m5-2v2',
  alerts: 'M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15zM10 20.5a2 2 0 0 0 4 0',
  attach: 'm20 11-8.5 8.5a5 5 0 0 1-7-7L13 4a3.5 3.5 0 0 1 5 5l-8.5 8.5a2 2 0 0 1-3-3L14 7',
  back: 'M19 12H5m6-6-6 6 6 6',
  branch:
    'M7 8v8m0 0a2 2 0 1 0 0 4 2 2 0 0 0 0-4M7 4a2 2 0 1 0 0 4 2 2 0 0 0 0-4m10 0a2 2 0 1 0 0 4 2 2 0 0 0 0-4m0 4c0 5-10 3-10 8',
  check: 'm5 12.5 4.5 4.5L19 7',
  clock: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17m0 4V12l3 2',
  close: 'M6 6l12 12M18 6 6 18',
  compare: 'M12 3v18M5 8h3m-3 4h3m-3 4h3m8-8h3m-3 4h3m-3 4h3',
  concurrency: 'M4 4v16h16M8.5 16v-4m4 4V8m4 8v-6',
  content: 'M6 3h8l4 4v14H6zm8 0v4h4M9 12h6m-6 4h6',
  conversations:
    'M5 4h8a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2H8l-3 3v-3a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2m13.5 5h.5a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2v3l-3-3h-4.5a2 2 0 0 1-2-2',
  copy: 'M9 8h10a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1V9a1 1 0 0 1 1-1m-4 7a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1h9a1 1 0 0 1 1 1',
  delete: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13m-8 4v5m4-5v5',
  desk: 'M4 15v-3a8 8 0 0 1 16 0v3M4 14h3v5H6a2 2 0 0 1-2-2zm16 0h-3v5h1a2 2 0 0 0 2-2zm-2 5c0 1.5-2 2-4.5 2',
  down: 'm6 9 6 6 6-6',
  download: 'M12 4v11m-5-5 5 5 5-5M5 20h14',
  edit: 'M4 20h4L19 9l-4-4L4 16zm9-13 4 4',
  fall: 'M12 4v15m6-6-6 6-6-6',
  filter: 'M4 6h16M7 12h10m-7 6h4',
  function:
    'M9 4C7 4 6.5 5 6.5 7v2.5c0 1.5-.5 2.5-2 2.5 1.5 0 2 1 2 2.5V17c0 2 .5 3 2.5 3m6-16c2 0 2.5 1 2.5 3v2.5c0 1.5.5 2.5 2 2.5-1.5 0-2 1-2 2.5V17c0 2-.5 3-2.5 3',
  home: 'm4 11 8-7 8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z',
  key: 'M11.5 9H21v3h-2v3h-3v-3h-4.5a4 4 0 1 1 0-3M8 10.5v.01',
  keyboard: 'M3 7h18v10H3zm4 3.5v.01m3.3-.01v.01m3.4-.01v.01m3.3-.01v.01M8 14h8',
  leave: 'M14 4h5v16h-5M4 12h10m-4-4 4 4-4 4',
  log: 'M5 6h14M5 12h14M5 18h9',
  merge:
    'M7 8v8m0-8a2 2 0 1 0 0-4 2 2 0 0 0 0 4m0 8a2 2 0 1 0 0 4 2 2 0 0 0 0-4m0-8c0 4 4 6 8 6m2 2a2 2 0 1 0 0-4 2 2 0 0 0 0 4',
  next: 'm9 6 6 6-6 6',
  phone: 'M5 4h4l2 5-2.5 1.5a11 11 0 0 0 5 5L15 13l5 2v4a1 1 0 0 1-1 1A15 15 0 0 1 4 5a1 1 0 0 1 1-1',
  play: 'M7 5v14l12-7z',
  promote: 'M12 20V5m-6 6 6-6 6 6',
  refresh: 'M20 11A8 8 0 0 0 5.5 7.5L4 9m0-5v5h5m-5 4a8 8 0 0 0 14.5 3.5L20 15m0 5v-5h-5',
  refuse: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17M6 6l12 12',
  replies: 'M10 6 4 11l6 5v-3c5 0 8 1 10 5 0-7-4-10-10-10z',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13m4.8 11.3L20 20',
  send: 'M4 12 20 4l-6 16-3-7zm7 1 9-9',
  settings: 'M4 7h9m4 0h3M4 17h3m4 0h9M15 5v4M9 15v4',
  star: 'm12 3.5 2.6 5.4 5.9.8-4.3 4.1 1.1 5.9-5.3-2.9-5.3 2.9 1.1-5.9-4.3-4.1 5.9-.8z',
  suggest: 'm12 4 1.8 5.2L19 11l-5.2 1.8L12 18l-1.8-5.2L5 11l5.2-1.8zm7 13v4m-2-2h4',
  take: 'M10 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M3 20c.7-3.7 3.5-5 7-5 1.3 0 2.5.2 3.5.6m1.5 2.9 2 2 4-4.5',
  tests: 'm4 7 1.5 1.5L8.5 5.5M4 17l1.5 1.5 3-3M12 7h8m-8 10h8',
  topics: 'M4 5h5a3 3 0 0 1 3 3v12a2.5 2.5 0 0 0-2.5-2H4zm16 0h-5a3 3 0 0 0-3 3v12a2.5 2.5 0 0 1 2.5-2H20z',
  transfer: 'M4 8h15m-4-4 4 4-4 4m5 4H5m4-4-4 4 4 4',
  undo: 'M4 9h10a6 6 0 0 1 0 12h-3M8 5 4 9l4 4',
  unknown:
    'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17m-2.3 6a2.4 2.4 0 1 1 3.3 2.3c-.7.3-1 .8-1 1.7m0 2.8v.01',
  voices: 'M5 10v4m4-8v12m4-9v6m4-11v16m4-10v4',
  warning: 'M12 4 2.8 20h18.4zm0 6v4.5m0 2.5v.01',
  webhooks: 'M4 12h12m-4-5 5 5-5 5M20 5v14',
} as const

/** Name of an icon. */
export type IconName = keyof typeof LINES

/** Shows a sign beside words, for eyes alone. It has the colour of the text around it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={LINES[name]} />
    </svg>
  )
}

/** Shows the mark of the console: two who talk with each other. */
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
