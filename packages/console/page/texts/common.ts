import { texts } from './language.ts'

/** Texts used in many places. */
export const say = texts({
  again: ['Try again', 'Erneut versuchen'],
  agent: ['Agent', 'Agent'],
  'agents.all': ['All agents', 'Alle Agenten'],
  cancel: ['Cancel', 'Abbrechen'],
  close: ['Close', 'Schließen'],
  console: ['Console', 'Konsole'],
  copy: ['Copy', 'Kopieren'],
  copied: ['Copied', 'Kopiert'],
  create: ['Create', 'Anlegen'],
  delete: ['Delete', 'Löschen'],
  filters: ['Filters', 'Filter'],
  'filters.set': ['Filters ({count} set)', 'Filter ({count} gesetzt)'],
  loading: ['Loading …', 'Wird geladen …'],
  working: ['Working on it …', 'Wird ausgeführt …'],
  more: ['Show more', 'Mehr anzeigen'],
  name: ['Name', 'Name'],
  'no-agents': ['No agents yet', 'Noch keine Agenten'],
  'no-agents.why': [
    'Everything here belongs to an agent. Create one under Agents.',
    'Alles hier gehört zu einem Agenten. Legen Sie einen im Bereich Agenten an.',
  ],
  'no-agents.do': ['Go to agents', 'Zu den Agenten'],
  none: ['None', 'Keine'],
  refresh: ['Refresh', 'Aktualisieren'],
  'signed-out': ['You are signed out.', 'Sie sind abgemeldet.'],
  'signed-out.stay': [
    'Sign in in another tab, and go on here: what you have written is still there.',
    'Melden Sie sich in einem anderen Tab an, und machen Sie hier weiter: Was Sie geschrieben haben, ist noch da.',
  ],
  'sign-in': ['Sign in', 'Anmelden'],
  undo: ['Undo', 'Rückgängig'],
  deleted: ['{name} is deleted.', '{name} ist gelöscht.'],
  search: ['Search', 'Suchen'],
  trail: ['Breadcrumb', 'Navigationspfad'],
})
