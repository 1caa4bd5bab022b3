import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { PATIENCE } from '../../../../scripts/patience.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

test('UI1 and UI2 the code of the guide prints what it says', async () => {
  const guide = readFileSync(join(ROOT, 'docs/guides/ag-ui.md'), 'utf8')
  const block = (language: string): string =>
    new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(guide)?.[1] ?? ''
  // Below the packages, so that the program finds them.
  const folder = mkdtempSync(join(ROOT, 'node_modules/.colloquy-guide-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'host.mjs'), block('js'))
  const flags = ['--conditions=@colloquy/source', 'host.mjs']
  const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: folder, timeout: PATIENCE })
  expect(stdout).toBe(block('text'))
})
