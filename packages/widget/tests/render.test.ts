import { fileURLToPath } from 'node:url'
import { requireBrowser } from '@colloquy/test-support/browser'
import fc from 'fast-check'
import { build } from 'rolldown'
import { expect, test } from 'vitest'
import type { View } from '../src/chat/h.ts'

const { open, profile } = requireBrowser()

/** Trees of a few kinds of elements, some of which have keys. */
const { view } = fc.letrec<{ view: View }>(tie => ({
  view: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('a', 'b', '', null, false as const),
    fc.record({
      tag: fc.constantFrom('p', 'div', 'svg'),
      key: fc.constantFrom(null, null, 'x', 'y', 'z'),
      attributes: fc.dictionary(
        fc.constantFrom('class', 'hidden', 'title', 'aria-busy'),
        fc.constantFrom('one', 'two', true, false, null, 3),
        { maxKeys: 2 },
      ),
      children: fc
        .array(tie('view'), { maxLength: 4 })
        // Keys are given once among siblings.
        .map(all =>
          all.filter(
            (one, at) =>
              !isKeyed(one) || all.findIndex(other => isKeyed(other) && nameOf(other) === nameOf(one)) === at,
          ),
        ),
    }),
  ),
}))

const isKeyed = (one: View): boolean => typeof one === 'object' && one !== null && one.key !== null
const nameOf = (one: View): string => (typeof one === 'object' && one !== null ? `${one.tag} ${one.key}` : '')

const root = fc
  .array(view, { maxLength: 5 })
  .map(children => ({ tag: 'div', key: null, attributes: {}, children }))

test('whatever was shown before, the page is what the view says, and what keeps its key keeps its element', async () => {
  const { output } = await build({
    input: fileURLToPath(new URL('../src/chat/render.ts', import.meta.url)),
    write: false,
    output: { format: 'iife', name: 'renderer' },
  })
  const page = await open(await profile(), 'about:blank')
  await page.evaluate(`${output[0].code}; globalThis.renderer = renderer`)
  const histories = fc.sample(fc.array(root, { minLength: 2, maxLength: 4 }), 300)
  const wrong: unknown = await page.evaluate(`(() => {
    const { render } = renderer
    const shown = views => { const fresh = document.createElement('main'); render(fresh, views); return fresh }
    return ${JSON.stringify(histories)}.filter(history => {
      const place = document.createElement('main')
      return history.some(({ children }, at) => {
        const views = children
        const keyed = new Map([...place.children].map((node, index) => [node.madeOf.id, node]))
        render(place, views)
        const kept = [...place.children].every(({ madeOf }, index) => !keyed.has(madeOf.id) || keyed.get(madeOf.id) === place.children[index])
        return !place.isEqualNode(shown(views)) || !kept
      })
    })
  })()`)
  // Those that went wrong are shown as they are: to be run again they need no seed.
  expect(wrong).toEqual([])
  const texts = await page.evaluate(`(() => {
    const place = document.createElement('main')
    const p = (key, ...children) => ({ tag: 'p', key, attributes: {}, children })
    renderer.render(place, [p('a', '1'), null, p('b', '2'), 'x'])
    const [first, second] = place.children
    renderer.render(place, [p('b', '2'), 'y', false, p('a', '3'), 'x'])
    return [place.innerHTML, place.children[1] === first, place.children[0] === second]
  })()`)
  expect(texts).toEqual(['<p>2</p>y<p>3</p>x', true, true])
})
