import { expect, it } from 'vitest'
import { drawing, element, text } from './svg.ts'

it('rounds coordinates, skips undefined attributes and closes empty elements', () => {
  expect(element('circle', { cx: 1.26, r: 3, class: undefined })).toBe('<circle cx="1.3" r="3"/>')
})

it('escapes texts', () => {
  expect(text(1, 2, 'a < b & c', { class: 'say "so"' })).toBe(
    '<text x="1" y="2" class="say &quot;so&quot;">a &lt; b &amp; c</text>',
  )
})

it('draws its own background, with colors for light and dark mode', () => {
  const svg = drawing({ width: 30, height: 20 }, 'A chart', ['<g/>'])
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 30 20" width="30" height="20"/)
  expect(svg).toContain('<title>A chart</title>')
  expect(svg).toContain('<rect class="ground" width="30" height="20"')
  expect(svg).toMatch(/@media \(prefers-color-scheme: dark\)/)
})
