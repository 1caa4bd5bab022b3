export * from '@ai-sdk/openai-compatible-2'
