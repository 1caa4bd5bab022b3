const EN = {
  title: 'Sign in',
  heading: 'Sign in to the console',
  name: 'Your name',
  'name.why': 'Visitors and colleagues see it, and the audit log keeps it.',
  key: 'Operator key',
  'key.where':
    'The server printed the key when it first started, as {variable}, unless its environment gave it.',
  'link.where': 'Each start also prints a link that signs in once.',
  'sign-in': 'Sign in',
  'wrong.link':
    'The link was used before, or is older than 15 minutes. Use the operator key, or start the server again.',
  'wrong.key': 'This operator key is not valid. Look for COLLOQUY_OPERATOR_KEY.',
  'wrong.name':
    'The name must have 1 to 100 characters, at least one of them visible, and none that hides or reverses text.',
  'wrong.page': 'The form came from another site. Use the form of this page.',
  'wrong.form': 'Use the form of this page.',
  'wrong.server': 'Something went wrong on the server. Try again.',
  'no-key': 'The key is missing. Fill it in.',
} as const

export type SignInText = keyof typeof EN

const DE: Readonly<Record<SignInText, string>> = {
  title: 'Anmelden',
  heading: 'An der Konsole anmelden',
  name: 'Ihr Name',
  'name.why': 'Besucher und Kollegen sehen ihn, und das Audit-Protokoll speichert ihn.',
  key: 'Betreiberschlüssel',
  'key.where':
    'Der Server hat den Schlüssel beim ersten Start ausgegeben, als {variable}, sofern ihn nicht die Umgebung vorgab.',
  'link.where': 'Jeder Start gibt auch einen Link aus, der einmal anmeldet.',
  'sign-in': 'Anmelden',
  'wrong.link':
    'Der Link wurde schon verwendet oder ist älter als 15 Minuten. Verwenden Sie den Betreiberschlüssel, oder starten Sie den Server neu.',
  'wrong.key': 'Das ist kein gültiger Betreiberschlüssel. Sehen Sie unter COLLOQUY_OPERATOR_KEY nach.',
  'wrong.name':
    'Der Name muss 1 bis 100 Zeichen haben, davon mindestens ein sichtbares und keine, die Text verbergen oder umkehren.',
  'wrong.page': 'Das Formular kam von einer anderen Website. Verwenden Sie das Formular dieser Seite.',
  'wrong.form': 'Verwenden Sie das Formular dieser Seite.',
  'wrong.server': 'Auf dem Server ist etwas schiefgegangen. Versuchen Sie es erneut.',
  'no-key': 'Der Schlüssel fehlt. Tragen Sie ihn ein.',
}

export type SignInLanguage = 'en' | 'de'

/** The language that a browser asks for first, where there is one of the page. */
export const languageOf = (accepted = ''): SignInLanguage =>
  accepted.trim().toLowerCase().startsWith('de') ? 'de' : 'en'

export const say = (language: SignInLanguage, text: SignInText): string => (language === 'de' ? DE : EN)[text]
