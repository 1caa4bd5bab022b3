import { say as sayCommon } from '../../texts/common.ts'
import { say } from './texts.ts'

const KINDS = {
  behavior: 'behavior',
  response_settings: 'kind.response_settings',
  topics: 'topics',
  attributes: 'attribute',
  variants: 'variants',
  test_cases: 'cases',
} as const

const FIELDS = {
  greeting: 'greeting',
  languageCode: 'languageCode',
  modelId: 'modelId',
  voiceId: 'voiceId',
  avatarUrl: 'avatarUrl',
  phrases: 'phrases',
  content: 'topic.content',
  actions: 'topic.actions',
  exampleQueries: 'topic.queries',
  isActive: 'field.enabled',
  isDefault: 'variant.default',
  attributeValues: 'field.values',
  turns: 'field.turns',
  visitor: 'visitor',
  functionResults: 'field.functionResults',
  variantId: 'field.variantId',
} as const

const keyIn = <Key extends string>(keys: Readonly<Record<string, Key>>, word: string): Key | undefined =>
  Object.entries(keys).find(([one]) => one === word)?.[1]

/** Returns a field of an agent's content as people call it. The name of a topic or variant stays what it is. */
export function pathName([kind = '', ...rest]: readonly string[]): string {
  const fields = kind === 'response_settings' ? 0 : 1
  const names = rest.map((word, at) => {
    // Words after the field come from authors, such as names of attributes, and stay as they are.
    if (at < fields || at > fields) return word
    const key = keyIn(FIELDS, word)
    return key === undefined ? (word === 'name' ? sayCommon('name') : word) : say(key)
  })
  const key = keyIn(KINDS, kind)
  return [key === undefined ? kind : say(key), ...names].join(' › ')
}
