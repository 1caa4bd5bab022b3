import { fileURLToPath } from 'node:url'

/**
 * The folder of the files for `<script src>`, for whatever serves files: `colloquy-widget.js`, and what it loads from
 * beside itself.
 */
export const widgetFolder: string = fileURLToPath(new URL('../dist/browser', import.meta.url))
