export { createLocalEmbedder, type LocalEmbedder } from './local-embedder.ts'
