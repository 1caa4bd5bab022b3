import { type ListedSetting, listSettings } from '../../packages/core/src/settings/list-settings.ts'
import { defaultOf, rangeOf } from './setting-values.ts'
import { wrap } from './wrap.ts'

/** Types of settings that the core has for itself; the others are made here. */
const OWN = {
  Brand: '../domain/brand.ts',
  FileType: '../domain/file/file.ts',
  HostMap: './host-map.ts',
  NumberClaim: './number-claim.ts',
  QueuePosition: './queue-position.ts',
  RateLimit: '../domain/access/token-bucket.ts',
}

const isField = (name: string, group: string): boolean =>
  group === ''
    ? !name.includes('.')
    : name.startsWith(`${group}.`) && !name.slice(group.length + 1).includes('.')

/** A doc comment of lines of at most 120 characters. */
function comment(text: string, indent: string, value: string | undefined = undefined): string {
  const tag = value === undefined ? [] : [`@default ${value}`]
  const one = `${indent}/** ${[text, ...tag].join(' ')} */`
  if (one.length <= 120) return one
  const lines = [...wrap(text, 117 - indent.length), ...tag]
  return [`${indent}/**`, ...lines.map(line => `${indent} * ${line}`), `${indent} */`].join('\n')
}

function field(setting: ListedSetting): string {
  const { name, info } = setting
  const key = name.split('.').at(-1) ?? ''
  const range = rangeOf(info)
  const text = range === null ? info.doc : `${info.doc} From ${range}.`
  const value = info.group === true ? info.defaultText : defaultOf(setting)
  return `${comment(text, '  ', value)}\n  readonly ${/^\w+$/.test(key) ? key : `'${key}'`}: ${info.type}`
}

const interfaceOf = (all: readonly ListedSetting[], group: string, type: string, doc: string): string =>
  [
    `${comment(doc, '')}\nexport interface ${type} {`,
    ...all.filter(({ name }) => isField(name, group)).map(field),
    '}\n',
  ].join('\n')

/** The types of all settings, with what each does and its default, as editors show them. */
export function settingsTypes(): string {
  const all = listSettings()
  const groups = all.filter(({ info }) => info.group === true && !(info.type in OWN))
  const imports = Object.entries(OWN)
    .sort(([, one], [, other]) => (one < other ? -1 : 1))
    .map(([name, from]) => `import type { ${name} } from '${from}'`)
  return [
    '// Made from schema.ts by `npm run document`.\n',
    `${imports.join('\n')}\n`,
    ...groups.map(({ name, info }) => interfaceOf(all, name, info.type, info.doc)),
    `/** The settings that are groups of others. */\nexport type SettingGroup =${all
      .filter(({ name, info }) => info.group === true && isField(name, ''))
      .map(({ name }) => `\n  | '${name}'`)
      .join('')}\n`,
    interfaceOf(
      all,
      '',
      'Settings',
      'All settings of a host, with their defaults. Times are milliseconds unless a name says otherwise.',
    ),
  ].join('\n')
}
