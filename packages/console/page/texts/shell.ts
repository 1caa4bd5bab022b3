import { texts } from './language.ts'

export const say = texts({
  skip: ['Skip to the content', 'Zum Inhalt springen'],
  agents: ['Agents', 'Agenten'],
  conversations: ['Conversations', 'Gespräche'],
  concurrency: ['Concurrency', 'Auslastung'],
  alerts: ['Alerts', 'Alarme'],
  desk: ['Desk', 'Empfang'],
  settings: ['Settings', 'Einstellungen'],
  areas: ['Areas', 'Bereiche'],
  account: ['Account', 'Konto'],
  language: ['Language', 'Sprache'],
  theme: ['Theme', 'Darstellung'],
  'theme.system': ['System', 'System'],
  'theme.light': ['Light', 'Hell'],
  'theme.dark': ['Dark', 'Dunkel'],
  density: ['Density', 'Dichte'],
  'density.roomy': ['Roomy', 'Luftig'],
  'density.compact': ['Compact', 'Kompakt'],
  'sign-out': ['Sign out', 'Abmelden'],
  'no-account': ['No account yet', 'Noch kein Konto'],
  'no-account.operator': [
    'Agents, keys and conversations belong to an account. Create the first one.',
    'Agenten, Schlüssel und Gespräche gehören zu einem Konto. Legen Sie das erste an.',
  ],
  'no-account.make': ['Go to accounts', 'Zu den Konten'],
  'no-account.others': [
    'Ask an administrator for an account that you may use.',
    'Bitten Sie die Verwaltung um ein Konto, das Sie benutzen dürfen.',
  ],
  'no-area': ['Nothing here for you yet', 'Noch nichts für Sie'],
  'no-area.why': [
    'You are signed in, but have no role. Ask an administrator for one.',
    'Sie sind angemeldet, haben aber keine Rolle. Bitten Sie die Verwaltung um eine.',
  ],
  unknown: ['Page not found', 'Diese Seite gibt es nicht'],
  'unknown.why': [
    'This address does not exist. Choose an area.',
    'Diese Adresse gibt es nicht. Wählen Sie einen Bereich.',
  ],
  home: ['Colloquy', 'Colloquy'],
})
