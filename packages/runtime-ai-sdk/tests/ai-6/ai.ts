export * from 'ai-6'
