import { animalOf, type Hue, hueOf } from '../names.ts'
import { language } from './language.ts'

const COLOURS = {
  en: {
    ...{ amber: 'Amber', blue: 'Blue', coral: 'Coral', green: 'Green' },
    ...{ pink: 'Pink', silver: 'Silver', teal: 'Teal', violet: 'Violet' },
  },
  de: {
    ...{ amber: 'Goldener', blue: 'Blauer', coral: 'Roter', green: 'Grüner' },
    ...{ pink: 'Rosa', silver: 'Silberner', teal: 'Türkiser', violet: 'Violetter' },
  },
} as const satisfies Record<string, Record<Hue, string>>

/** Animals in both languages, in the same places. The German ones are masculine, as their colours are. */
const ANIMALS = {
  en: [
    ...['Badger', 'Beaver', 'Bison', 'Bullfinch', 'Buzzard', 'Crane', 'Dolphin', 'Eagle', 'Falcon', 'Finch'],
    ...['Fox', 'Hamster', 'Hare', 'Hawk', 'Hedgehog', 'Heron', 'Hoopoe', 'Ibex', 'Kingfisher', 'Koala'],
    ...['Leopard', 'Lynx', 'Marten', 'Otter', 'Panda', 'Parrot', 'Pelican', 'Penguin', 'Puffin', 'Raven'],
    ...['Redstart', 'Salmon', 'Sparrow', 'Stag', 'Stork', 'Tiger', 'Toucan', 'Whale', 'Woodpecker', 'Wren'],
  ],
  de: [
    ...['Dachs', 'Biber', 'Bison', 'Gimpel', 'Bussard', 'Kranich', 'Delfin', 'Adler', 'Falke', 'Fink'],
    ...[
      'Fuchs',
      'Hamster',
      'Hase',
      'Habicht',
      'Igel',
      'Reiher',
      'Wiedehopf',
      'Steinbock',
      'Eisvogel',
      'Koala',
    ],
    ...[
      'Leopard',
      'Luchs',
      'Marder',
      'Otter',
      'Panda',
      'Papagei',
      'Pelikan',
      'Pinguin',
      'Papageitaucher',
      'Rabe',
    ],
    ...['Rotschwanz', 'Lachs', 'Spatz', 'Hirsch', 'Storch', 'Tiger', 'Tukan', 'Wal', 'Specht', 'Zaunkönig'],
  ],
} as const

/** Returns the name of a visitor: their own, or one made of their id, which is the same on every screen. */
export function visitorName(id: string, own?: string | null): string {
  if (own) return own
  const animals = ANIMALS[language.value]
  return `${COLOURS[language.value][hueOf(id)]} ${animals[animalOf(id, animals.length)]}`
}
