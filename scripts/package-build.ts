import { defineConfig } from 'tsup'

/** One build for every published package: ESM only, types beside it, dependencies left outside. */
export const packageBuild = (entry: string[]) =>
  defineConfig({
    entry: Object.fromEntries(entry.map(file => [file.replace(/^src\//, '').replace(/\.ts$/, ''), file])),
    format: 'esm',
    target: 'node20',
    dts: { compilerOptions: { ignoreDeprecations: '6.0', noEmit: false, customConditions: [] } },
    sourcemap: true,
    clean: true,
  })
