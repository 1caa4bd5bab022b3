export { expecting, greet, MEMORY_KEY, type Memory, readMemory } from '@colloquy/core/runtime'
export { checkPhrases } from './check-phrases.ts'
export type { EmbeddingSettings } from './embedding/topic-vectors.ts'
export { ENGLISH_PHRASES } from './english.ts'
export { excerpt } from './index/passages.ts'
export {
  buildTopicIndex,
  type KnownOfQuestion,
  type TopicIndex,
  type TopicMatch,
} from './index/topic-index.ts'
export { lookUp } from './look-up.ts'
export type { Aspect, PhraseBook, Phrases, SmallTalk } from './phrases.ts'
export { createRetrievalRuntime } from './retrieval-runtime.ts'
export type { RetrievalRuntimeOptions } from './turn-context.ts'
export { commonWordsOf, type PhraseSources, phrasesFor } from './wording.ts'
