import fc from 'fast-check'
import type { ContentTree, Resource, ResourceChange, Variant } from '../../domain/agent/content.ts'
import type { MergeSides } from '../../domain/agent/merge.ts'
import { applyChanges, isKind, nameOf, parseResource, removal, treeOf } from '../../domain/agent/tree.ts'

/**
 * One edit of an agent's content; `pick` chooses among the existing resources, so that every edit is possible on every
 * tree.
 */
export interface ContentEdit {
  readonly verb:
    | 'behavior'
    | 'greeting'
    | 'add'
    | 'rename'
    | 'remove'
    | 'content'
    | 'actions'
    | 'value'
    | 'default'
  readonly kind: 'topics' | 'attributes' | 'variants' | 'test_cases'
  readonly pick: number
  readonly text: string
}

const NAMES = ['north', 'south', 'east', 'west', 'home']

/** Random edits whose names and texts come from small sets, so that two sides often meet. */
const anEdit: fc.Arbitrary<ContentEdit> = fc.record({
  verb: fc.constantFrom(
    'behavior',
    'greeting',
    'add',
    'add',
    'rename',
    'remove',
    'content',
    'actions',
    'value',
    'value',
    'default',
  ),
  kind: fc.constantFrom('topics', 'topics', 'attributes', 'variants', 'test_cases'),
  pick: fc.nat(20),
  text: fc.constantFrom(...NAMES),
})

/** The edits of a side, for {@link editContent}. */
export const contentEdits: fc.Arbitrary<readonly ContentEdit[]> = fc.array(anEdit, { maxLength: 8 })

/** The content of a new agent. */
export const NEW_CONTENT: ContentTree = treeOf([
  parseResource('behavior', '', { behavior: '' }),
  parseResource('response_settings', '', {
    greeting: 'Hello',
    languageCode: 'en-GB',
    voiceId: null,
    modelId: null,
  }),
  parseResource('variants', 'V0', { name: 'default', isDefault: true, attributeValues: {} }),
])

/** A starting point with some of everything. */
export const SOME_CONTENT: ContentTree = applyChanges(NEW_CONTENT, [
  parseResource('topics', 'T1', aTopicValue('north')),
  parseResource('topics', 'T2', aTopicValue('south')),
  parseResource('attributes', 'A1', { name: 'north' }),
  parseResource('attributes', 'A2', { name: 'south' }),
  parseResource('variants', 'V0', { name: 'default', isDefault: true, attributeValues: { A1: 'one' } }),
  parseResource('variants', 'V1', {
    name: 'north',
    isDefault: false,
    attributeValues: { A1: 'two', A2: 'x' },
  }),
  parseResource('test_cases', 'C1', aTestCaseValue('north')),
  parseResource('test_cases', 'C2', { ...aTalkValue('south'), variantId: 'V1' }),
])

function aTestCaseValue(name: string) {
  const turns = [{ text: `What is ${name}?`, expectations: { contains: [name] } }]
  return { name, turns, functionResults: {}, variantId: null, isActive: true }
}

/** A test case with a visitor who talks back. */
function aTalkValue(name: string) {
  const visitor = { goal: `What is ${name}?`, facts: { name }, expectations: { goal: 'reached' } }
  return { ...aTestCaseValue(name), turns: [], visitor }
}

function aTopicValue(name: string) {
  return { name, content: `About ${name}`, actions: '', exampleQueries: [], isActive: true }
}

const variants = (tree: ContentTree) => [...tree.values()].filter(isKind('variants'))

const vary = (
  variant: { readonly id: string; readonly value: Variant },
  change: Partial<Variant>,
): Resource => parseResource('variants', variant.id, { ...variant.value, ...change })

/** Returns the changes of an edit to a tree, with the rules that a branch keeps. Empty if the rules forbid it. */
function changesOf(tree: ContentTree, edit: ContentEdit, newId: string): readonly ResourceChange[] {
  const { verb, kind, pick, text } = edit
  const ofKind = [...tree.values()].filter(resource => resource.kind === kind)
  const chosen = ofKind[pick % Math.max(1, ofKind.length)]
  const taken = ofKind.some(resource => nameOf(resource) === text)
  if (verb === 'behavior') return [parseResource('behavior', '', { behavior: text })]
  if (verb === 'greeting') {
    const settings = tree.get('response_settings/')
    return [parseResource('response_settings', '', { ...settings?.value, greeting: text })]
  }
  if (verb === 'add') {
    if (taken) return []
    const value = {
      ...aTopicValue(text),
      ...aTestCaseValue(text),
      content: `${pick}`,
      isDefault: false,
      attributeValues: {},
    }
    return [parseResource(kind, newId, value)]
  }
  if (verb === 'value' || verb === 'default') return editVariants(tree, edit)
  if (!chosen) return []
  if (verb === 'rename') return taken ? [] : [parseResource(kind, chosen.id, { ...chosen.value, name: text })]
  if (verb === 'remove') return removeResource(tree, chosen)
  if (chosen.kind === 'test_cases') {
    const { visitor: _, ...before } = chosen.value
    const turns = [{ text, expectations: {} }]
    const { visitor } = aTalkValue(text)
    const said = pick % 2 === 0 ? { ...before, turns } : { ...before, turns: [], visitor }
    const variantId = variants(tree)[pick % variants(tree).length]?.id ?? null
    return [
      parseResource('test_cases', chosen.id, verb === 'content' ? said : { ...chosen.value, variantId }),
    ]
  }
  return chosen.kind === 'topics'
    ? [parseResource('topics', chosen.id, { ...chosen.value, [verb]: text })]
    : []
}

function editVariants(tree: ContentTree, { verb, pick, text }: ContentEdit): readonly ResourceChange[] {
  const all = variants(tree)
  const chosen = all[pick % all.length]
  if (!chosen) return []
  if (verb === 'default') {
    return all.map(variant => vary(variant, { isDefault: variant.id === chosen.id }))
  }
  const attributes = [...tree.values()].filter(isKind('attributes'))
  const attribute = attributes[(pick + text.length) % Math.max(1, attributes.length)]
  if (!attribute) return []
  const { [attribute.id]: _, ...others } = chosen.value.attributeValues
  return [vary(chosen, { attributeValues: text === 'home' ? others : { ...others, [attribute.id]: text } })]
}

function removeResource(tree: ContentTree, chosen: Resource): readonly ResourceChange[] {
  if (chosen.kind === 'variants' && chosen.value.isDefault) return []
  if (chosen.kind !== 'attributes') return [removal(chosen)]
  const emptied = variants(tree).map(variant => {
    const { [chosen.id]: _, ...attributeValues } = variant.value.attributeValues
    return vary(variant, { attributeValues })
  })
  return [removal(chosen), ...emptied]
}

/**
 * Returns the content after a side's edits, of which those that a branch would refuse do nothing; `side` keeps the ids
 * of new resources apart.
 */
export const editContent = (tree: ContentTree, side: string, history: readonly ContentEdit[]): ContentTree =>
  history.reduce((now, edit, at) => applyChanges(now, changesOf(now, edit, `${side}${at}`)), tree)

/** Contents of agents, each the outcome of a history: sound, with exactly one default variant. */
export const contentTrees: fc.Arbitrary<ContentTree> = fc
  .tuple(fc.constantFrom(NEW_CONTENT, SOME_CONTENT), contentEdits)
  .map(([start, history]) => editContent(start, 'b', history))

/**
 * Pairs of histories from a common beginning: main's (`ours`) and a branch's (`theirs`), which often meet at the same
 * fields.
 */
export const mergeSides: fc.Arbitrary<MergeSides> = fc
  .tuple(contentTrees, contentEdits, contentEdits)
  .map(([base, main, branch]) => ({
    base,
    ours: editContent(base, 'o', main),
    theirs: editContent(base, 't', branch),
  }))
