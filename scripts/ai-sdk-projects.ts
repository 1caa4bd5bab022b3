import { join } from 'node:path'
import { REPOSITORY } from './workspace-packages.ts'

/** The folder whose files stand in for those of version 6. */
const VERSION_6 = join(REPOSITORY, 'packages/runtime-ai-sdk/tests/ai-6')

/** A supported version of the AI SDK besides the one that is installed as `ai`, and the modules that stand for it. */
interface AiSdkLine {
  readonly name: string
  readonly version: number
  readonly modules: Readonly<Record<string, string>>
}

/** The older supported versions of the AI SDK. */
export const AI_SDK_LINES: readonly AiSdkLine[] = [
  {
    name: 'AI SDK 6',
    version: 6,
    modules: {
      ai: `${VERSION_6}/ai.ts`,
      'ai/test': `${VERSION_6}/test.ts`,
      '@ai-sdk/openai-compatible': `${VERSION_6}/openai-compatible.ts`,
    },
  },
]

/** Gives imports of the AI SDK, also those of the runtime's own sources, the modules of a version. */
export const aiSdkOf = ({ name, modules }: AiSdkLine) => ({
  name,
  enforce: 'pre' as const,
  resolveId: (source: string): string | null => modules[source] ?? null,
})
