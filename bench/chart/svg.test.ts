import { expect, it } from 'vitest'
import { drawing, element, text } from './svg.ts'

it('rounds coordinates, leaves out what is not given and closes what is empty', () => {
  expect(element('circle', { cx: 1.26, r: 3, class: undefined })).toBe('<circle cx="1.3" r="3"/>')
})

it('escapes what is written', () => {
  expect(text(1, 2, 'a < b & c', { class: 'say "so"' })).toBe(
    '<text x="1" y="2" class="say &quot;so&quot;">a &lt; b &amp; c</text>',
  )
})

it('draws on a ground of its own, with colours for light and for dark', () => {
  const drawn = drawing({ width: 30, height: 20 }, 'A chart', ['<g/>'])
  expect(drawn).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 30 20" width="30" height="20"/)
  expect(drawn).toContain('<title>A chart</title>')
  expect(drawn).toContain('<rect class="ground" width="30" height="20"')
  expect(drawn).toMatch(/@media \(prefers-color-scheme: dark\)/)
})
