/** The shades of the accent color, light to dark, with enough contrast for the texts on them. */
import type { MantineColorsTuple } from '@mantine/core'

type Rgb = readonly [red: number, green: number, blue: number]

const white: Rgb = [255, 255, 255]
const black: Rgb = [0, 0, 0]

/** The share of white in the first seven shades, and of black in the last two. The eighth is the color of buttons. */
const whiteShares = [0.93, 0.84, 0.7, 0.54, 0.4, 0.27, 0.13] as const
const blackShares = [0.14, 0.28] as const

/** The contrast that WCAG requires of texts. */
const minimumContrast = 4.6

/** The shades of a color such as `#0b7285`. A color that is too light for white text is darkened. */
export function accentShades(color: string): MantineColorsTuple {
  let base = parseColor(color)
  while (contrast(base, white) < minimumContrast) base = mixColors(base, black, 0.05)
  return [
    ...whiteShares.map((share) => mixColors(base, white, share)),
    base,
    ...blackShares.map((share) => mixColors(base, black, share)),
  ].map(colorText) as unknown as MantineColorsTuple
}

function parseColor(color: string): Rgb {
  const number = Number.parseInt(color.slice(1), 16)
  return [number >> 16, (number >> 8) & 255, number & 255]
}

function colorText(color: Rgb): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
}

function mixColors(color: Rgb, other: Rgb, share: number): Rgb {
  return color.map((part, index) => part * (1 - share) + (other[index] ?? 0) * share) as unknown as Rgb
}

/** The contrast of two colors, between 1 and 21 (WCAG 2). */
export function contrast(first: Rgb, second: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(first), luminance(second)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) =>
    part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
