import { texts } from '../../texts/language.ts'

export const say = texts({
  voices: ['Voices', 'Stimmen'],
  why: [
    'Voices for agents: those that the speech provider offers, and those that were added to this account.',
    'Stimmen für Agenten: vom Sprachdienst angebotene, und solche, die diesem Konto hinzugefügt wurden.',
  ],
  none: ['No voices yet', 'Noch keine Stimmen'],
  'none.why': [
    "The host's speech provider offers none. A voice can be added nevertheless.",
    'Der Sprachdienst des Hosts bietet keine an. Eine Stimme kann trotzdem hinzugefügt werden.',
  ],
  new: ['Add a voice', 'Stimme hinzufügen'],
  'change.title': ['Change {name}', '{name} ändern'],
  change: ['Change', 'Ändern'],
  save: ['Save', 'Speichern'],
  provider: ['Provider', 'Anbieter'],
  'provider.hint': [
    'The name of the speech provider, for example OPENAI.',
    'Der Name des Sprachdienstes, zum Beispiel OPENAI.',
  ],
  'provider-id': ["The provider's id", 'Kennung beim Anbieter'],
  language: ['Language', 'Sprache'],
  'language.hint': ['For example en-US. Optional.', 'Zum Beispiel en-US. Optional.'],
  gender: ['Gender', 'Geschlecht'],
  'gender.none': ['not specified', 'nicht angegeben'],
  'gender.female': ['female', 'weiblich'],
  'gender.male': ['male', 'männlich'],
  'gender.neutral': ['neutral', 'neutral'],
  config: ['Configuration', 'Konfiguration'],
  'config.hint': [
    'Sent to the provider with each text, as a JSON object.',
    'Wird dem Anbieter mit jedem Text gesendet, als JSON-Objekt.',
  ],
  'config.fault': ['This is not a JSON object.', 'Das ist kein JSON-Objekt.'],
  from: ['From', 'Herkunft'],
  offered: ['offered', 'angeboten'],
  added: ['added', 'hinzugefügt'],
  sample: ['Sample', 'Hörprobe'],
  'sample.of': ['Sample of {name}', 'Hörprobe von {name}'],
  listen: ['Listen', 'Anhören'],
  close: ['Close', 'Schließen'],
})
