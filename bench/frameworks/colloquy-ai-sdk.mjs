import { createAiSdkRuntime } from '@colloquy/runtime-ai-sdk'
import { open as openColloquy } from './colloquy.mjs'
import { model, WINDOW } from './shared.mjs'

export const open = folder => openColloquy(folder, createAiSdkRuntime({ model, historyLines: WINDOW }))
