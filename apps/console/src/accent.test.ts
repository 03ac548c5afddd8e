import { describe, expect, it } from 'vitest'
import { accentShades, contrast } from './accent.ts'

const rgb = (color = '') =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as [number, number, number]

describe('the shades of an accent color', () => {
  it('have the color itself on buttons, if white text on it is readable', () => {
    expect(accentShades('#0b7285')[7]).toBe('#0b7285')
  })

  it.each(['#ffd43b', '#ffffff', '#69db7c', '#000000', '#0b7285', '#ff0000'])('are readable for %s', (color) => {
    const shades = accentShades(color)
    expect(shades).toHaveLength(10)
    expect(contrast(rgb(shades[7]), [255, 255, 255])).toBeGreaterThan(4.5)
    // Links on light and on dark ground.
    expect(contrast(rgb(shades[8]), rgb('#f1f3f6'))).toBeGreaterThan(4.5)
    expect(contrast(rgb(shades[3]), rgb('#1b1f27'))).toBeGreaterThan(4.5)
  })
})
