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
  asked: 'May we record this call?',
  yes: 'Yes, record it',
  no: 'No',
  on: 'This call is recorded.',
  unrecord: 'Stop, and delete the recording',
}

export type TalkWords = { readonly [Key in keyof typeof en]: string }

/** Languages in a file of their own. */
const LATER = ['ar', 'de', 'es', 'fr']
let later: Promise<Readonly<Record<string, TalkWords>>> | null = null
let loaded: Readonly<Record<string, TalkWords>> = {}

/**
 * Returns the words of a language; those of English where there are none, and until they are loaded.
 *
 * @param changed called once others are there
 */
export function talkWords(language: string, changed: () => void): TalkWords {
  const base = language.split('-')[0] ?? ''
  if (LATER.includes(base) && later === null) {
    later = import('./talk-words.ts').then(({ MORE }) => MORE)
    later.then(
      words => {
        loaded = words
        changed()
      },
      () => {},
    )
  }
  return loaded[base] ?? en
}
