import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { PATIENCE } from '../../../../scripts/patience.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

test('MC1, MC3 and MC15 the code of the guide prints what it says', async () => {
  const guide = readFileSync(join(ROOT, 'docs/guides/mcp.md'), 'utf8')
  const blocks = Array.from(guide.matchAll(/^```(js|text)\n(.*?)^```$/gms), ([, language, text = '']) => ({
    language,
    text,
  }))
  // Below the packages, so that the programs find them.
  const folder = mkdtempSync(join(ROOT, 'node_modules/.colloquy-guide-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const { language, text } of blocks) {
    const [, name] = /^\/\/ (\w+\.mjs)\n/.exec(text) ?? []
    if (language === 'js' && name !== undefined) writeFileSync(join(folder, name), text)
  }
  const flags = ['--conditions=@colloquy/source', 'host.mjs']
  const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: folder, timeout: PATIENCE })
  expect(stdout).toBe(blocks.find(({ language }) => language === 'text')?.text)
})
