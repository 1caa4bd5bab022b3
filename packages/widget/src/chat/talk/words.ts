/** Texts about voice, which most sites do not have. */
const en = {
  speak: 'Speak',
  hangUp: 'End the call',
  mute: 'Mute the microphone',
  hush: 'Interrupt',
  asking: 'Allow the microphone in your browser.',
  connecting: 'Connecting',
  reconnecting: 'Connecting again. You can go on speaking.',
  listening: 'Listening',
  muted: 'The microphone is muted.',
  thinking: 'One moment',
  speaking: 'Speaking',
  refused:
    'This page may not use your microphone. Allow it in the settings of your browser, and press “Speak” again.',
  missing: 'No microphone was found.',
  busy: 'The microphone does not work. Another program may be using it.',
  unsupported: 'Your browser cannot speak here. You can write instead.',
  lost: 'The call was interrupted. Press “Speak” to go on.',
  silence: 'The call ended because nobody spoke.',
  misunderstood: 'That was not understood. Please say it again.',
  unspoken: 'The reply could not be spoken. You can read it.',
  replaced: 'You speak in another tab now.',
}

export type TalkWords = { readonly [Key in keyof typeof en]: string }

const LANGUAGES: Readonly<Record<string, TalkWords>> = {
  en,
  de: {
    speak: 'Sprechen',
    hangUp: 'Gespräch beenden',
    mute: 'Mikrofon stumm schalten',
    hush: 'Unterbrechen',
    asking: 'Erlauben Sie das Mikrofon in Ihrem Browser.',
    connecting: 'Verbindung wird aufgebaut',
    reconnecting: 'Verbindung wird wieder aufgebaut. Sie können weitersprechen.',
    listening: 'Hört zu',
    muted: 'Das Mikrofon ist stumm.',
    thinking: 'Einen Moment',
    speaking: 'Spricht',
    refused:
      'Diese Seite darf Ihr Mikrofon nicht verwenden. Erlauben Sie es in den Einstellungen Ihres Browsers, und drücken Sie noch einmal „Sprechen“.',
    missing: 'Es wurde kein Mikrofon gefunden.',
    busy: 'Das Mikrofon funktioniert nicht. Vielleicht verwendet es ein anderes Programm.',
    unsupported: 'Mit Ihrem Browser können Sie hier nicht sprechen. Sie können schreiben.',
    lost: 'Das Gespräch wurde unterbrochen. Drücken Sie „Sprechen“, um fortzufahren.',
    silence: 'Das Gespräch wurde beendet, weil niemand gesprochen hat.',
    misunderstood: 'Das wurde nicht verstanden. Bitte sagen Sie es noch einmal.',
    unspoken: 'Die Antwort konnte nicht gesprochen werden. Sie können sie lesen.',
    replaced: 'Sie sprechen jetzt in einem anderen Tab.',
  },
}

/** Returns the words of a language; those of English where there are none. */
export const talkWords = (language: string): TalkWords => LANGUAGES[language.split('-')[0] ?? ''] ?? en
