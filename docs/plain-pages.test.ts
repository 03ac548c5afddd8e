// The plain Markdown pages of the site have links that fit their places on the site, and llms.txt lists all pages.
import { expect, it } from 'vitest'
import { llmsText, plainPage } from './.vitepress/plain-pages.ts'
import { files, sitePath } from './.vitepress/site-path.ts'

const text =
  'See [a](README.md), [b](guide/README.md#pages), [c](../SECURITY.md), [d](../package.json), `[e](x.md)`, [f](https://example.com).'

it('links pages by their places on the site', () => {
  expect(plainPage('docs/client.md', text, undefined)).toBe(
    'See [a](index.md), [b](guide/index.md#pages), [c](security.md), d, `[e](x.md)`, [f](https://example.com).',
  )
  expect(plainPage('docs/guide/3-client.md', '[a](../client.md) [b](README.md)', undefined)).toBe(
    '[a](../client.md) [b](index.md)',
  )
})

it('links other files to the repository, if it has a URL', () => {
  const url = 'https://code.example/nomen'
  expect(plainPage('docs/client.md', '[d](../package.json)', url)).toBe(`[d](${url}/blob/main/package.json)`)
})

it('leaves links in code alone', () => {
  const code = '```md\n[a](README.md)\n```\n'
  expect(plainPage('docs/client.md', code, undefined)).toBe(code)
})

it('lists every page of the sidebar in llms.txt', () => {
  const listed = [...llmsText().matchAll(/^- \[.+\]\((.+)\): /gm)].map(([, path]) => path)
  const hidden = ['index.md', ...files.filter((file) => /decisions\/(?!README)/.test(file)).map(sitePath)]
  expect([...listed, ...hidden].sort()).toEqual(files.map(sitePath).sort())
})
