import { defineConfig } from 'vitepress'
import { groups } from '../pages.ts'

const base = process.env.SITE_BASE ?? '/'

const sidebar = groups().map(({ pages, title }) => ({
  text: title,
  collapsed: true,
  items: pages.map(({ place, title: text }) => ({ text, link: `/${place}` })),
}))

export default defineConfig({
  title: 'Colloquy',
  description: 'Conversational agents inside your own Node application',
  base,
  head: [['link', { rel: 'icon', href: `${base}mark.svg` }]],
  srcDir: 'pages',
  outDir: 'dist',
  /** Tutorials name addresses of the server that their reader has started. */
  ignoreDeadLinks: 'localhostLinks',
  markdown: {
    /** Braces of texts are no expressions of Vue. */
    config(markdown) {
      const { rules } = markdown.renderer
      for (const name of ['text', 'code_inline'] as const) {
        const render = rules[name]
        rules[name] = (...given) => render?.(...given).replaceAll('{{', '&#123;&#123;') ?? ''
      }
    },
  },
  themeConfig: {
    logo: '/mark.svg',
    search: { provider: 'local' },
    nav: [
      { text: 'Start', link: '/' },
      { text: 'Documents', link: '/documents' },
    ],
    sidebar: [{ text: 'Start', items: [{ text: 'What it is', link: '/' }] }, ...sidebar],
    outline: [2, 3],
  },
})
