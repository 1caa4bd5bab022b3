import { texts } from '../../texts/language.ts'

export const say = texts({
  voices: ['Voices', 'Stimmen'],
  why: [
    'What agents can speak with: voices that the speech provider offers, and those that were added to this account.',
    'Womit Agenten sprechen können: Stimmen, die der Sprachdienst anbietet, und solche, die diesem Konto hinzugefügt wurden.',
  ],
  none: ['No voices yet', 'Noch keine Stimmen'],
  'none.why': [
    'The host has no speech provider that offers some. A voice can be added nevertheless.',
    'Der Host hat keinen Sprachdienst, der welche anbietet. Eine Stimme kann trotzdem hinzugefügt werden.',
  ],
  new: ['Add a voice', 'Stimme hinzufügen'],
  'change.title': ['Change {name}', '{name} ändern'],
  change: ['Change', 'Ändern'],
  save: ['Save', 'Speichern'],
  provider: ['Provider', 'Anbieter'],
  'provider.hint': [
    'As the speech provider is called, for example OPENAI.',
    'Wie der Sprachdienst heißt, zum Beispiel OPENAI.',
  ],
  'provider-id': ["The provider's id", 'Kennung beim Anbieter'],
  language: ['Language', 'Sprache'],
  'language.hint': ['As en-US. Optional.', 'Zum Beispiel en-US. Freiwillig.'],
  gender: ['Gender', 'Geschlecht'],
  'gender.none': ['not said', 'nicht angegeben'],
  'gender.female': ['female', 'weiblich'],
  'gender.male': ['male', 'männlich'],
  'gender.neutral': ['neutral', 'neutral'],
  config: ['Configuration', 'Einstellungen'],
  'config.hint': [
    'Sent to the provider with each text, as a JSON object.',
    'Was dem Anbieter mit jedem Text gesagt wird, als JSON-Objekt.',
  ],
  'config.fault': ['This is no JSON object.', 'Das ist kein JSON-Objekt.'],
  from: ['From', 'Herkunft'],
  offered: ['offered', 'angeboten'],
  added: ['added', 'hinzugefügt'],
  sample: ['Sample', 'Hörprobe'],
  'sample.of': ['Sample of {name}', 'Hörprobe von {name}'],
  listen: ['Listen', 'Anhören'],
  close: ['Close', 'Schließen'],
})
